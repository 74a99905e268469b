import { Link } from "react-router";
import { clock, coinForms, counted } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";
import { withTitleUnbroken } from "#kit/text/typeset.ts";
import type { CoinKind, Metal } from "#shop/catalog/coin.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Live, Price } from "../../../ui/price.tsx";
import "./buyback.css";

/** A coin that the shop buys, with the present price of one piece. */
export type BuybackRow = { slug: string; title: string; metal: Metal; kind: CoinKind; mass: string; buyback: Kopecks };

const groups = [
  { name: "Золотые инвестиционные", isOf: ({ metal, kind }: BuybackRow) => metal === "gold" && kind === "bullion" },
  { name: "Серебряные инвестиционные", isOf: ({ metal, kind }: BuybackRow) => metal === "silver" && kind === "bullion" },
  { name: "Памятные", isOf: ({ kind }: BuybackRow) => kind === "memorable" },
];
const shownFirst = 6;

/** The shop's buyback prices; they are updated while the page is open. */
export function BuybackPrices({ rows, pricedAt, note }: { rows: readonly BuybackRow[]; pricedAt: string | null; note: string | null }) {
  if (rows.length === 0)
    return (
      <p className="lead" role="status">
        Цены выкупа появятся вместе с курсом металла. Заявку можно отправить и сейчас: посчитаем и позвоним.
      </p>
    );
  return (
    <section className="buyback-prices" aria-labelledby="today">
      <p className="buyback-prices__actions">
        <a className="button button--gold" href="#request">
          Оценить мои монеты
        </a>
      </p>
      <div className="buyback-prices__head">
        <h2 id="today">Цены выкупа сегодня</h2>
        {pricedAt && (
          <p>
            на <span className="digits">{clock(new Date(pricedAt))}</span>, за монету в идеальном состоянии
          </p>
        )}
      </div>
      {note && (
        <p className="buyback-prices__note" role="status">
          {note}
        </p>
      )}
      {groups.map(({ name, isOf }) => {
        const own = rows.filter(isOf);
        if (own.length === 0) return null;
        return (
          <div key={name} className="buyback-prices__group">
            <Table caption={name} rows={own.slice(0, shownFirst)} />
            {own.length > shownFirst && (
              <details>
                <summary>
                  Ещё {counted(own.length - shownFirst, coinForms)}
                  <Icon name="plus" />
                </summary>
                <Table caption={`${name}, остальные`} isQuiet rows={own.slice(shownFirst)} />
              </details>
            )}
          </div>
        );
      })}
    </section>
  );
}

function Table({ caption, rows, isQuiet = false }: { caption: string; rows: readonly BuybackRow[]; isQuiet?: boolean }) {
  return (
    <table>
      <caption className={isQuiet ? "visually-hidden" : undefined}>{caption}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Монета</th>
          <th scope="col">Чистого металла</th>
          <th scope="col">Выкупаем за</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ slug, title, mass, buyback }) => (
          <tr key={slug}>
            <th scope="row">
              <Link to={`/products/${slug}`}>{withTitleUnbroken(title)}</Link>
            </th>
            <td className="digits">{mass}</td>
            <td>
              <Live value={buyback}>
                <Price amount={buyback} />
              </Live>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
