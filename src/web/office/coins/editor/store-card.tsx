import { priceText } from "#kit/format.ts";
import type { CoinFacts } from "#shop/catalog/coin-rules.ts";
import { kopecks } from "#kit/money.ts";
import { priceOf, type PricedCoin, type PriceList } from "#shop/pricing/price.ts";
import { Section } from "../../ui/page-head.tsx";
import type { CoinView, FirstPricesView } from "./coin-draft.ts";
import { CutPicture, type ShownPictures } from "./photos.tsx";
import { decimal, metalLabels } from "../words.ts";

type Rates = { goldE4: number; silverE4: number };

/** The prices that a coin has with today's rates; null where a number is missing or no number. */
export function pricesNow(facts: CoinFacts, prices: FirstPricesView, rates: Rates) {
  const { pureMassMg, metal, kind } = facts;
  const premiumBp = prices.premiumBp ?? (kind === "memorable" ? 0 : Number.NaN);
  const roubles = (value: number | null): number | null => (value === null || !(value > 0) ? null : Math.round(value * 100));
  if (!Number.isInteger(pureMassMg) || pureMassMg <= 0 || !Number.isInteger(premiumBp) || premiumBp <= -10_000) return null;
  const coin: PricedCoin = {
    metal,
    kind,
    pureMassMg,
    premiumBp,
    buybackBp: prices.buybackBp !== null && Number.isInteger(prices.buybackBp) ? prices.buybackBp : null,
    fixedPriceKopecks: roubles(prices.fixedPrice),
    fixedBuybackKopecks: roubles(prices.fixedBuyback),
  };
  const list: PriceList = { version: 0, ...rates, ratesAt: new Date(0), madeAt: new Date(0), isStale: false, isDead: false };
  return priceOf(coin, list);
}

/** The card of the coin as a listing of the shop shows it. */
export function StoreCard({
  coin,
  facts,
  prices,
  pictures,
  rates,
}: {
  coin: CoinView | null;
  facts: CoinFacts;
  prices: FirstPricesView;
  pictures: ShownPictures;
  rates: Rates;
}) {
  const now = pricesNow(facts, prices, rates);
  const [name = "", ...rest] = facts.title.split(", ");
  const isMassRead = Number.isFinite(facts.pureMassMg) && facts.pureMassMg > 0;
  const reverse = pictures.reverse;
  return (
    <Section title="На витрине" aside={<span className="muted">как увидит покупатель</span>}>
      <article className="store-card" aria-label="Карточка в каталоге">
        <p className="store-card__head">
          <span>
            {metalLabels[facts.metal]} {Number.isFinite(facts.finenessTenths) ? decimal(facts.finenessTenths / 10) : ""}
          </span>
          <span className="number">{isMassRead ? `${decimal(facts.pureMassMg / 1_000)} г` : ""}</span>
        </p>
        <div className={facts.shape === "round" ? "store-card__coin store-card__coin--round" : "store-card__coin"}>
          {reverse ? (
            <CutPicture picture={reverse} alt={reverse.alt} />
          ) : coin ? (
            <img src={coin.drawings.reverse} alt="" />
          ) : (
            <span className="store-card__empty" />
          )}
        </div>
        {facts.diameterMm ? <p className="store-card__size number">⌀ {decimal(facts.diameterMm)} мм</p> : null}
        <b>{name || "Название"}</b>
        <span className="soft">{[rest.join(", "), facts.mint].filter(Boolean).join(", ")}</span>
        <p className="store-card__price number">{now?.price == null ? "Цена по запросу" : priceText(now.price)}</p>
        {now?.premium && facts.kind === "bullion" ? (
          <p className="soft">
            премия {decimal(now.premium.bp / 100)} %{now.perGram === null ? "" : `, ${priceText(now.perGram)} за грамм`}
          </p>
        ) : null}
        {now?.buyback == null ? null : <p className="muted">выкупаем за {priceText(now.buyback)}</p>}
        <span className="store-card__button" aria-hidden="true">
          В корзину
        </span>
      </article>
    </Section>
  );
}

/** The value of the pure metal, kopecks; null without a rate. */
export function metalValue({ metal, pureMassMg }: CoinFacts, { goldE4, silverE4 }: Rates) {
  const rate = metal === "gold" ? goldE4 : silverE4;
  return rate === 0 || !Number.isFinite(pureMassMg) ? null : kopecks(Math.round((pureMassMg * rate) / 100_000));
}
