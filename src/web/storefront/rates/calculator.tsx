import { type FormEvent, useEffect, useState } from "react";
import { Form, Link, useSubmit } from "react-router";
import { nbsp, number, percent, priceText } from "#kit/format.ts";
import { times, type Kopecks } from "#kit/money.ts";
import type { Metal } from "#shop/catalog/coin.ts";
import { buybackPrice, sellingPrice } from "#shop/pricing/price.ts";
import { Icon } from "../../ui/icon.tsx";
import { Live, Price } from "../../ui/price.tsx";
import { PriceRuler } from "../shared/price-ruler.tsx";
import { gramsFrom, maxGrams, type CalculatorCoin, type RatesChoice, type TypicalPricing } from "./rates-view.ts";
import "../../styles/fields.css";

type CalculatorProps = {
  coins: { slug: string; title: string }[];
  coin: CalculatorCoin;
  choice: RatesChoice;
  perGram: Record<Metal, TypicalPricing>;
};

/**
 * «Сколько стоит моя монета»: the value of the metal, the buyback price and the selling price. The amounts of a coin come from the server,
 * for the price list of the page.
 */
export function Calculator({ coins, coin, choice, perGram }: CalculatorProps) {
  const submit = useSubmit();
  const [count, setCount] = useState(1);
  /** The coin that was chosen and is still loading; `inPlaceOf` is the coin that is shown. */
  const [pendingCoin, setPendingCoin] = useState<{ slug: string; inPlaceOf: string } | null>(null);
  const [isAwake, setAwake] = useState(false);
  useEffect(() => setAwake(true), []);
  const { metalValue, buyback, price } = coin;
  const of = (amount: Kopecks): Kopecks => times(amount, count);
  const rate = perGram[coin.metal].rateE4 / 10_000;
  const amounts =
    metalValue !== null && buyback !== null && price !== null && price > buyback
      ? { metalValue: of(metalValue), buyback: of(buyback), price: of(price) }
      : null;
  const change = (event: FormEvent<HTMLFormElement>): void => {
    if (!(event.target instanceof HTMLSelectElement)) return;
    setPendingCoin({ slug: event.target.value, inPlaceOf: coin.slug });
    void submit(event.currentTarget, { replace: true, preventScrollReset: true });
  };
  return (
    <section className="section">
      <div className="wrap calculator">
        <div>
          <h2>Сколько стоит моя{nbsp}монета</h2>
          <p className="lead">Выберите монету: посчитаем металл по текущей цене и назовём сумму выкупа.</p>
          <Form method="get" action="/quotes-online" className="calculator__form" onChange={change}>
            {(["code", "range", "view"] as const).map((name) => (
              <input key={name} type="hidden" name={name} value={choice[name]} />
            ))}
            <div className="field">
              <label htmlFor="calc-coin">Монета</label>
              <select
                id="calc-coin"
                name="coin"
                value={pendingCoin?.inPlaceOf === coin.slug ? pendingCoin.slug : coin.slug}
                onChange={() => undefined}
              >
                {coins.map(({ slug, title }) => (
                  <option key={slug} value={slug}>
                    {title}
                  </option>
                ))}
              </select>
            </div>
            <div className="field">
              <label htmlFor="calc-count">Сколько</label>
              <input
                id="calc-count"
                type="number"
                inputMode="numeric"
                min={1}
                max={999}
                value={count}
                onChange={(event) => setCount(Math.min(999, Math.max(1, Math.floor(Number(event.target.value)) || 1)))}
              />
            </div>
            {!isAwake && (
              <button className="button button--line" type="submit">
                Посчитать
              </button>
            )}
          </Form>
          {isAwake && <OwnMetal perGram={perGram} />}
        </div>
        <div>
          <div className="calculator__coin">
            <img className={`coin coin--${coin.metal}`} src={coin.image} width="320" height="320" alt="" loading="lazy" />
            <div aria-live="polite">
              <span className="eyebrow">{buyback === null ? "Выкуп" : "Купим у вас сегодня за"}</span>
              <b>
                {buyback === null ? (
                  "по запросу"
                ) : (
                  <Live value={buyback}>
                    <Price amount={of(buyback)} />
                  </Live>
                )}
              </b>
              {metalValue !== null && (
                <p>
                  {count > 1 && (
                    <>
                      {count}
                      {nbsp}×{" "}
                    </>
                  )}
                  <span className="digits">{coin.mass}</span> × <span className="digits">{number(rate, 2)}</span>
                  {nbsp}₽ = <Price amount={of(metalValue)} /> металла
                  {buyback !== null && (
                    <>
                      , {buyback < metalValue ? "минус" : "плюс"}{" "}
                      <span className="digits">{percent(Math.abs(Math.round(((buyback - metalValue) / metalValue) * 10_000)))}</span>
                      {nbsp}%
                    </>
                  )}
                </p>
              )}
            </div>
          </div>
          {amounts && (
            <PriceRuler
              share={(amounts.metalValue - amounts.buyback) / (amounts.price - amounts.buyback)}
              label={rulerLabel(amounts)}
              left={
                <>
                  <em>Выкупаем за</em>
                  <Price amount={amounts.buyback} />
                </>
              }
              middle={
                <>
                  <em>Металл</em>
                  <Price amount={amounts.metalValue} />
                </>
              }
              right={
                <>
                  <em>Продаём за</em>
                  <Price amount={amounts.price} />
                </>
              }
            />
          )}
          <p className="calculator__actions">
            <Link className="button button--gold" to={`/coin-buyback?coin=${coin.slug}`}>
              Продать монету
            </Link>
            <Link className="button button--line" to={`/products/${coin.slug}`}>
              Посмотреть такую же <Icon name="right" />
            </Link>
          </p>
        </div>
      </div>
    </section>
  );
}

const finenesses = [999, 986, 958, 925, 916.7, 900, 750, 585, 500] as const;

/**
 * For a coin that is not in the list: the value of its metal, and the buyback and selling prices of that mass with the typical discount and
 * premium, by the functions that compute the shop's prices.
 */
function OwnMetal({ perGram }: Pick<CalculatorProps, "perGram">) {
  const [metal, setMetal] = useState<Metal>("gold");
  const [mass, setMass] = useState("");
  const [fineness, setFineness] = useState<number>(900);
  const grams = gramsFrom(mass);
  const { rateE4, premiumBp, buybackBp } = perGram[metal];
  const pureMassMg = rateE4 > 0 && grams !== null ? Math.floor(grams * fineness) : 0;
  return (
    <details className="calculator__custom">
      <summary>Монеты нет в списке: по массе и пробе</summary>
      <div className="calculator__three">
        <div className="field">
          <label htmlFor="own-metal">Металл</label>
          <select id="own-metal" value={metal} onChange={(event) => setMetal(event.target.value === "silver" ? "silver" : "gold")}>
            <option value="gold">Золото</option>
            <option value="silver">Серебро</option>
          </select>
        </div>
        <div className="field">
          <label htmlFor="own-mass">Масса, г</label>
          <input id="own-mass" inputMode="decimal" autoComplete="off" value={mass} onChange={(event) => setMass(event.target.value)} />
        </div>
        <div className="field">
          <label htmlFor="own-fineness">Проба</label>
          <select id="own-fineness" value={fineness} onChange={(event) => setFineness(Number(event.target.value))}>
            {finenesses.map((each) => (
              <option key={each} value={each}>
                {String(each).replace(".", ",")}
              </option>
            ))}
          </select>
        </div>
      </div>
      <div role="status">
        {pureMassMg > 0 ? (
          <>
            <dl className="spread">
              <div>
                <dt>
                  Металла, <span className="digits">{number(pureMassMg / 1000, 2)}</span>
                  {nbsp}г
                </dt>
                <dd>
                  <Price amount={buybackPrice(pureMassMg, rateE4, 0)} />
                </dd>
              </div>
              {buybackBp !== null && (
                <div>
                  <dt>Выкупим примерно за</dt>
                  <dd>
                    <Price amount={buybackPrice(pureMassMg, rateE4, buybackBp)} />
                  </dd>
                </div>
              )}
              {premiumBp !== null && (
                <div>
                  <dt>Столько же в наших монетах</dt>
                  <dd>
                    <Price amount={sellingPrice(pureMassMg, rateE4, premiumBp)} />
                  </dd>
                </div>
              )}
            </dl>
            <p>
              По обычным скидке и премии инвестиционных монет этого металла. Точную сумму назовём после осмотра:{" "}
              <Link to="/coin-buyback#request">оценить монету</Link>.
            </p>
          </>
        ) : (
          <p>{mass.trim() === "" ? "Введите массу монеты." : `Масса — число в граммах, не больше ${number(maxGrams)}. Например: 8,6.`}</p>
        )}
      </div>
    </details>
  );
}

const rulerLabel = ({ buyback, metalValue, price }: Record<"buyback" | "metalValue" | "price", Kopecks>): string =>
  `Шкала: выкуп ${priceText(buyback)}, металл ${priceText(metalValue)}, цена ${priceText(price)}`;
