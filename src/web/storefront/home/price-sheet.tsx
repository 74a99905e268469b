import { Link } from "react-router";
import { nbsp, number, percent } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";
import { coinImage } from "#shop/catalog/image.ts";
import { Delta } from "../../ui/delta.tsx";
import { Live, Price } from "../../ui/price.tsx";
import { CartButton } from "../catalog/cards/card-buttons.tsx";
import type { ShownCard } from "../catalog/cards/card-view.ts";
import type { FrameData } from "../frame/frame-data.ts";

export type SheetRow = ShownCard & { metalValue: Kopecks | null };

/** Coins as a table: price, change, premium, buyback, and the spread drawn to one scale. */
export function PriceSheet({
  rows,
  caption,
  note,
  rates,
  at,
}: {
  rows: SheetRow[];
  caption: string;
  note: string;
  rates: FrameData["rates"];
  at: string | null;
}) {
  const move = (row: SheetRow) => rates.find(({ code }) => code === (row.metal === "gold" ? "XAU_RUB" : "XAG_RUB"))?.percent ?? null;
  return (
    <>
      <table className="sheet">
        <caption className="visually-hidden">
          {`${caption}: цена, премия и выкуп`}
          {at ? ` на ${at}` : ""}
        </caption>
        <thead>
          <tr>
            <th scope="col">Монета</th>
            <th scope="col" className="hide-on-tablet">
              Металл
            </th>
            <th scope="col">Цена</th>
            <th scope="col" className="hide-on-tablet">
              За день
            </th>
            <th scope="col" className="hide-on-tablet">
              За грамм
            </th>
            <th scope="col">Премия</th>
            <th scope="col">Выкуп</th>
            <th scope="col">Выкуп, металл, цена</th>
            <th scope="col" className="hide-on-tablet">
              Разница
            </th>
            <th scope="col">
              <span className="visually-hidden">В корзину</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const percentMoved = move(row);
            return (
              <tr key={row.id}>
                <td>
                  <Link className="sheet__coin" to={`/products/${row.slug}`}>
                    <img
                      className={`coin coin--${row.metal}`}
                      src={coinImage(row.picture, "reverse", 160)}
                      width="160"
                      height="160"
                      alt=""
                      loading="lazy"
                      decoding="async"
                    />
                    <span>
                      <b>{row.name}</b>
                      <span>{row.sub}</span>
                    </span>
                  </Link>
                </td>
                <td className="muted hide-on-phone hide-on-tablet digits">{row.mass}</td>
                <td className="price">
                  {row.price !== null && (
                    <Live value={row.price}>
                      <Price amount={row.price} />
                    </Live>
                  )}
                </td>
                <td className="hide-on-phone hide-on-tablet">{percentMoved !== null && <Delta percent={percentMoved} isNeutral />}</td>
                <td className="muted hide-on-phone hide-on-tablet">
                  {row.perGram !== null && (
                    <>
                      <span className="digits">{number(Math.ceil(row.perGram / 100))}</span>
                      {nbsp}₽
                    </>
                  )}
                </td>
                <td className="muted digits" data-l="премия">
                  {row.premiumBp !== null && (
                    <>
                      {percent(row.premiumBp)}
                      {nbsp}%
                    </>
                  )}
                </td>
                <td className="muted" data-l="выкуп">
                  {row.buyback !== null && <Price amount={row.buyback} />}
                </td>
                <td className="hide-on-phone">
                  <Gauge row={row} />
                </td>
                <td className="muted hide-on-phone hide-on-tablet digits">
                  {row.price !== null && row.buyback !== null && (
                    <>
                      {percent(Math.round(((row.price - row.buyback) / row.price) * 10_000))}
                      {nbsp}%
                    </>
                  )}
                </td>
                <td className="hide-on-phone">
                  <CartButton id={row.id} title={row.title} available={row.available} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {note && <p className="sheet__note">{note}</p>}
    </>
  );
}

/** Buyback, metal and price on one line. One percent of the metal's value is 4.2 units wide in every row. */
function Gauge({ row: { price, buyback, metalValue } }: { row: SheetRow }) {
  if (price === null || buyback === null || metalValue === null) return null;
  const at = (amount: number) => Math.min(150, Math.max(2, 52 + ((amount - metalValue) / metalValue) * 420)).toFixed(1);
  const [b, p] = [at(buyback), at(price)];
  return (
    <svg className="gauge" viewBox="0 0 152 16" width="152" height="16" aria-hidden="true">
      <line className="gauge__base" x1="0" x2="152" y1="8" y2="8" />
      <line className="gauge__discount" x1={b} x2="52" y1="8" y2="8" />
      <line className="gauge__premium" x1="52" x2={p} y1="8" y2="8" />
      <line className="gauge__tick" x1="52" x2="52" y1="1" y2="15" />
      <line className="gauge__tick" x1={b} x2={b} y1="4" y2="12" />
      <line className="gauge__tick" x1={p} x2={p} y1="4" y2="12" />
    </svg>
  );
}
