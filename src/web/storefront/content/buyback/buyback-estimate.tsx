import { nbsp, priceText } from "#kit/format.ts";
import { estimate, titleKey, type BuybackOffer } from "#shop/inquiries/estimate.ts";
import type { BuybackLine, CoinCondition } from "#shop/inquiries/inquiry.ts";
import { Live, Price } from "../../../ui/price.tsx";

/** The offers by the key that the estimate uses. */
export const offersOf = (rows: readonly BuybackOffer[]): ReadonlyMap<string, BuybackOffer> =>
  new Map(rows.map((row) => [titleKey(row.title), row]));

/** The preliminary estimate below the rows of the form; it is updated on input and with the market. */
export function BuybackEstimate({
  lines,
  condition,
  offers,
}: {
  lines: readonly BuybackLine[];
  condition: CoinCondition;
  offers: ReadonlyMap<string, BuybackOffer>;
}) {
  const named = lines.filter(({ title }) => title !== "");
  const { lines: estimated, range, isWhole } = estimate(named, condition, offers);
  return (
    <div className="buyback-estimate" role="status">
      <b className="buyback-estimate__head">Предварительная оценка</b>
      {named.length === 0 ? (
        <p>Назовите монету: здесь появится сумма.</p>
      ) : condition === "damaged" ? (
        <p>Повреждённые монеты оцениваем после осмотра, по металлу.</p>
      ) : (
        <ul>
          {estimated.map(({ title, count, each, sum }, row) => (
            <li key={row}>
              <span>{title}</span>
              <span>
                {each === null || sum === null ? (
                  "назовём отдельно"
                ) : (
                  <>
                    {count > 1 && (
                      <>
                        {count}
                        {nbsp}×{nbsp}
                        <Price amount={each} /> ={" "}
                      </>
                    )}
                    <Live value={sum}>
                      <Price amount={sum} />
                    </Live>
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {range && (
        <p className="buyback-estimate__sum">
          <span>
            {isWhole ? "Всего" : "Всего без неназванных"}
            {condition === "perfect" ? "" : ", с поправкой на состояние"}
          </span>
          <b>
            {range.least === range.most ? (
              <Live value={range.least}>
                <Price amount={range.least} />
              </Live>
            ) : (
              <>
                {priceText(range.least).replace(/[^\d]*$/, "")}–
                <Live value={range.most}>
                  <Price amount={range.most} />
                </Live>
              </>
            )}
          </b>
        </p>
      )}
    </div>
  );
}
