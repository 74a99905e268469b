import { Link } from "react-router";
import { counted } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";
import type { Card } from "#shop/search/card.ts";
import { Live, Price } from "../../ui/price.tsx";
import { mintSign } from "../catalog/cards/coin-name.ts";

type IssueRow = { slug: string; name: string; price: Kopecks | null; available: number; isHere: boolean };
export type IssueRows = { rows: IssueRow[]; anyYear: IssueRow | null };

/**
 * The issues of a coin's product, by year and mint; empty for a product of one coin. `anyYear` is the cheapest in stock, of equal prices
 * the newest.
 */
export function issueRows(issues: readonly Card[], here: number): IssueRows {
  if (issues.length < 2) return { rows: [], anyYear: null };
  const rows = issues.map((card): IssueRow => ({
    slug: card.slug,
    name: [card.year, mintSign(card.mint)].filter(Boolean).join(", "),
    price: card.price,
    available: card.available,
    isHere: card.id === here,
  }));
  const buyable = rows.filter(({ price, available }) => price !== null && available > 0);
  return { rows, anyYear: buyable.toSorted((a, b) => (a.price ?? 0) - (b.price ?? 0))[0] ?? null };
}

const otherForms = ["другой выпуск", "других выпуска", "других выпусков"] as const;

/** Year and mint as options of the product: «любой год» is the cheapest in stock; each issue has its own page. */
export function IssueList({ issues: { rows, anyYear } }: { issues: IssueRows }) {
  const here = rows.find(({ isHere }) => isHere);
  if (!here) return null;
  return (
    <details className="issues" id="issues">
      <summary>
        <span>
          Год и двор: <b>{here.name}</b>
        </span>
        <span className="issues__more">{counted(rows.length - 1, otherForms)}</span>
      </summary>
      <ul aria-label="Год и монетный двор">
        {anyYear && (
          <Issue row={anyYear} name="Любой год" note={anyYear.isHere ? "эта монета" : `дешевле всего, сейчас ${anyYear.name}`} isAny />
        )}
        {rows.map((row) => (
          <Issue key={row.slug} row={row} name={row.name} />
        ))}
      </ul>
    </details>
  );
}

function Issue({ row, name, note, isAny = false }: { row: IssueRow; name: string; note?: string; isAny?: boolean }) {
  return (
    <li>
      <Link to={`/products/${row.slug}`} aria-current={row.isHere && !isAny ? "page" : undefined} preventScrollReset>
        <span>
          {name}
          {note !== undefined && <small>{note}</small>}
        </span>
        {row.available <= 0 ? (
          <span>нет в наличии</span>
        ) : row.price === null ? (
          <span>по запросу</span>
        ) : (
          <Live as="b" value={row.price}>
            <Price amount={row.price} />
          </Live>
        )}
      </Link>
    </li>
  );
}
