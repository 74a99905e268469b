import { priceText } from "#kit/format.ts";
import { kopecks } from "#kit/money.ts";
import type { CoinFacts } from "#shop/catalog/coin-rules.ts";
import { decimal, vatLabels } from "../words.ts";

/** One line of the checks beside the editor of a coin: what was compared, and what came out. A bad one is a warning, no refusal. */
export type CheckLine = { text: string; fact: string; isBad: boolean };

/**
 * Whether the price is above the value of the metal; `above` in kopecks, null without a price or a rate. A premium of zero is bad, although
 * the rounded price may be some roubles above the metal.
 */
export function aboveMetal(kind: CoinFacts["kind"], premiumBp: number | null, above: number | null): Omit<CheckLine, "text"> {
  if (kind === "bullion" && premiumBp === null) return { fact: "премии нет", isBad: true };
  if (kind === "bullion" && premiumBp === 0) return { fact: "премия 0 %", isBad: true };
  if (above === null) return { fact: "курса или цены нет", isBad: true };
  return { fact: `${above < 0 ? "−" : "+"}${priceText(kopecks(Math.abs(above)))}`, isBad: above <= 0 };
}

/** «Без НДС» of receipts. */
const vatExempt = 1;

/**
 * The VAT of the coin. Coins of precious metals that are money of Russia or of another state are exempt (Tax Code, art. 149, para 2,
 * subpara 11), medals are not. Money has a face value, or at least the currency of a foreign state: a Krugerrand names no sum. Every coin
 * in roubles names one.
 */
export function vatLine(coin: Pick<CoinFacts, "denominationValue" | "denominationCurrency" | "vatCode">): CheckLine {
  const { denominationValue: value, denominationCurrency: currency, vatCode } = coin;
  const label = vatLabels.find(([code]) => code === String(vatCode))?.[1] ?? "не выбран";
  const isMoney = value !== null && value > 0;
  if (isMoney && vatCode !== vatExempt) return { text: "НДС", fact: `${label}, а монета с номиналом — без НДС`, isBad: true };
  const mayBeMedal = value === null && (currency === null || currency === "RUB");
  if (mayBeMedal && vatCode === vatExempt) return { text: "НДС", fact: `${label}, а номинала нет: проверьте льготу`, isBad: true };
  return { text: "НДС", fact: label, isBad: false };
}

/** Grams in a cubic centimetre: of the pure metals, and of copper, which their alloys are made with. */
const densities = { gold: 19.3, silver: 10.5, copper: 8.96 } as const;
/** Mean thickness as a share of the diameter: of the coins of the shop it is 0.034 to 0.083 and 0.056 to 0.181. */
const flatness = { gold: [0.02, 0.12], silver: [0.035, 0.22] } as const;
/** Mean thickness as a share of the stated one, which is that of the rim: of the coins of the shop it is 0.57 to 0.90. */
const reliefs = [0.45, 1.02] as const;

type Sizes = Pick<CoinFacts, "metal" | "finenessTenths" | "totalMassMg" | "shape" | "diameterMm" | "thicknessMm" | "lengthMm" | "widthMm">;

/** The thickness in millimetres that follows from mass, fineness and size; null: one of them is missing or no number. */
export function meanThickness(coin: Sizes): number | null {
  const { metal, finenessTenths, totalMassMg, diameterMm, lengthMm, widthMm } = coin;
  const area = coin.shape === "rectangle" ? (lengthMm ?? 0) * (widthMm ?? 0) : Math.PI * ((diameterMm ?? 0) / 2) ** 2;
  const share = finenessTenths / 10_000;
  if (!(area > 0 && totalMassMg > 0 && share > 0 && share <= 1)) return null;
  const density = 1 / (share / densities[metal] + (1 - share) / densities.copper);
  return totalMassMg / density / area; // mg = mm³ × g/cm³
}

/** The size, and whether a piece of this metal and mass can have it: a typo in mass, diameter or metal gives an impossible thickness. */
export function sizeLine(coin: Sizes): CheckLine {
  const { shape, diameterMm, lengthMm, widthMm } = coin;
  const isRectangle = shape === "rectangle";
  const thickness = meanThickness(coin);
  if (thickness === null) {
    const isGiven = isRectangle ? lengthMm !== null && widthMm !== null : diameterMm !== null;
    return { text: "Размер и масса", fact: isGiven ? "нет чисел" : "не указан", isBad: shape === "round" };
  }
  const size = isRectangle ? `${decimal(lengthMm ?? 0)} × ${decimal(widthMm ?? 0)} мм` : `⌀ ${decimal(diameterMm ?? 0)} мм`;
  const across = isRectangle ? Math.sqrt((lengthMm ?? 0) * (widthMm ?? 0)) : (diameterMm ?? 0);
  const [flattest, thickest] = flatness[coin.metal];
  const isPossible = thickness / across >= flattest && thickness / across <= thickest;
  const relief = coin.thicknessMm !== null && coin.thicknessMm > 0 ? thickness / coin.thicknessMm : null;
  const isAsStated = relief === null || (relief >= reliefs[0] && relief <= reliefs[1]);
  if (isPossible && isAsStated) return { text: "Размер и масса", fact: size, isBad: false };
  const stated = isPossible ? `, а указана ${decimal(coin.thicknessMm ?? 0)} мм` : "";
  return {
    text: "Размер и масса",
    fact: `${size}: по массе толщина ${decimal(Math.round(thickness * 100) / 100)} мм${stated}`,
    isBad: true,
  };
}

/** Pure masses, in milligrams, of the stored coins of each metal and face value. */
export type KnownMass = { metal: CoinFacts["metal"]; currency: string; value: number; pureMassMg: number };
const sameMassShare = 0.02;

/** Whether a coin of this metal and face value has this pure mass elsewhere; null: there is no other to compare with. */
export function massLine(
  coin: Pick<CoinFacts, "metal" | "denominationValue" | "denominationCurrency" | "pureMassMg">,
  known: readonly KnownMass[],
) {
  const { metal, denominationValue: value, denominationCurrency: currency, pureMassMg } = coin;
  const others = known.filter((each) => each.metal === metal && each.value === value && each.currency === currency);
  if (others.length === 0 || !(pureMassMg > 0)) return null;
  const isUsual = others.some((each) => Math.abs(each.pureMassMg - pureMassMg) <= each.pureMassMg * sameMassShare);
  const usual = others.slice(0, 3).map((each) => decimal(each.pureMassMg / 1_000));
  const fact = isUsual ? "как у других" : `у других ${usual.join(", ")} г`;
  return { text: "Чистая масса при этом номинале", fact, isBad: !isUsual } satisfies CheckLine;
}

/** A coin of the shop that this one seems to be. */
export type Twin = { why: "number" | "issue"; id: number; title: string };

/** What is known of a twin; undefined: not compared yet. */
export type TwinFound = Twin | "unknown" | null | undefined;

export function twinLine(twin: TwinFound): CheckLine {
  if (twin === undefined) return { text: "Дубликат", fact: "проверяем", isBad: false };
  if (twin === "unknown") return { text: "Дубликат", fact: "проверим при сохранении", isBad: false };
  if (twin === null) return { text: "Дубликат", fact: "нет", isBad: false };
  const same = twin.why === "number" ? "тот же номер и двор" : "тот же выпуск";
  return { text: "Дубликат", fact: `${same}: ${twin.title}, артикул ${twin.id}`, isBad: true };
}
