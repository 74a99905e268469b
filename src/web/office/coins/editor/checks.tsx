import { massExcess, type CoinFacts, type FactField } from "#shop/catalog/coin-rules.ts";
import { DoneMark, WarnMark } from "../../ui/marks.tsx";
import { Section } from "../../ui/page-head.tsx";
import { aboveMetal, massLine, sizeLine, twinLine, vatLine, type CheckLine, type KnownMass, type TwinFound } from "./coin-checks.ts";
import type { CoinView, FirstPricesView } from "./coin-draft.ts";
import type { ShownPictures } from "./photos.tsx";
import { metalValue, pricesNow } from "./store-card.tsx";
import { decimal } from "../words.ts";

const goodAlt = 15;

/** What was compared, and what came out. */
export function Checks({
  facts,
  coin,
  pictures,
  prices,
  rates,
  masses,
  twin,
  errorOf,
}: {
  facts: CoinFacts;
  coin: CoinView | null;
  pictures: ShownPictures;
  prices: FirstPricesView;
  rates: { goldE4: number; silverE4: number };
  masses: readonly KnownMass[];
  twin: TwinFound;
  errorOf: (field: FactField) => string | undefined;
}) {
  const areMassesRead = [facts.pureMassMg, facts.totalMassMg, facts.finenessTenths].every((value) => Number.isFinite(value) && value > 0);
  const excess = areMassesRead ? massExcess(facts) : null;
  const price = pricesNow(facts, prices, rates)?.price ?? null;
  const metal = metalValue(facts, rates);
  const above = price === null || metal === null ? null : price - metal;
  const hasBoth = (pictures.obverse && pictures.reverse) !== null;
  const isShort = [pictures.obverse, pictures.reverse].some((picture) => picture !== null && picture.alt.trim().length < goodAlt);
  const mass = massLine(facts, masses);
  const lines: CheckLine[] = [
    {
      text: "Масса × проба против чистого металла",
      fact: areMassesRead
        ? excess === null
          ? "сходится"
          : `${excess > 0 ? "+" : "−"}${decimal(Math.abs(excess) / 1_000)} г`
        : "нет чисел",
      isBad: !areMassesRead || excess !== null,
    },
    {
      text: "Номинал с валютой",
      fact: facts.denominationValue === null ? "без номинала" : `${decimal(facts.denominationValue)} ${facts.denominationCurrency ?? ""}`,
      isBad: facts.denominationValue !== null && facts.denominationCurrency === null,
    },
    sizeLine(facts),
    ...(mass ? [mass] : []),
    vatLine(facts),
    { text: "Цена выше металла", ...aboveMetal(facts.kind, prices.premiumBp, above) },
    {
      text: "Обе стороны сняты",
      fact: hasBoth ? "да" : coin?.hasDrawing ? "рисунок" : "нет",
      isBad: !hasBoth && !coin?.hasDrawing,
    },
    ...(hasBoth ? [{ text: "Описания снимков", fact: isShort ? "короткие или пустые" : "есть", isBad: isShort }] : []),
    {
      text: "Адрес страницы",
      fact: errorOf("slug") ? "не годится" : facts.slug === "" ? "пусто" : "годится",
      isBad: facts.slug === "" || errorOf("slug") !== undefined,
    },
    {
      text: "Раздел своего металла",
      fact: facts.categories.includes(facts.metal) ? "выбран" : "не выбран",
      isBad: !facts.categories.includes(facts.metal),
    },
    twinLine(twin),
  ];
  const bad = lines.filter(({ isBad }) => isBad).length;
  return (
    <Section title="Проверки" aside={bad > 0 ? <span className="warn">замечаний: {bad}</span> : <span className="good">всё сходится</span>}>
      <ul className="checks">
        {lines.map(({ text, fact, isBad }) => (
          <li key={text}>
            <span className={isBad ? "warn" : "good"}>{isBad ? <WarnMark /> : <DoneMark />}</span>
            <span>{text}</span>
            <span className={isBad ? "warn number" : "muted number"}>{fact}</span>
          </li>
        ))}
      </ul>
      <p className="hint">Без снимков обеих сторон и без цены монету не показать.</p>
    </Section>
  );
}
