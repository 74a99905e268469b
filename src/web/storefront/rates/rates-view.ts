import { clock, day, dayOfYear, monthName } from "#kit/format.ts";
import type { Kopecks } from "#kit/money.ts";
import type { Metal } from "#shop/catalog/coin.ts";
import type { HistoryRange } from "#shop/rates/candle.ts";
import type { ShownRateCode } from "#shop/rates/rate.ts";
import { moscow } from "#kit/moscow-time.ts";

export const chartViews = ["candles", "line"] as const;
export type ChartView = (typeof chartViews)[number];
/** The choice in the page's address. */
export type RatesChoice = { code: ShownRateCode; range: HistoryRange; view: ChartView; coin: string | null };

export type CalculatorCoin = {
  slug: string;
  title: string;
  metal: Metal;
  image: string;
  mass: string;
  metalValue: Kopecks | null;
  buyback: Kopecks | null;
  price: Kopecks | null;
};
export type DayView = {
  at: number;
  open: number;
  high: number;
  low: number;
  close: number;
  percent: number | null;
  official: number | null;
};
/** The typical pricing of a metal: rate per gram in 1/10 000 ₽, premium and buyback in basis points; null when no coin has one. */
export type TypicalPricing = { rateE4: number; premiumBp: number | null; buybackBp: number | null };
/** The selling price, buyback price and spread of a product's cheapest issue in stock. */
export type SpreadRow = {
  slug: string;
  name: string;
  mass: string;
  price: Kopecks;
  buyback: Kopecks;
  spreadBp: number;
  premiumBp: number | null;
};
/** Bullion of one metal: the most popular product of each mass; `total` counts all products at the address `all`. */
export type SpreadView = { rows: SpreadRow[]; all: string; total: number };

export const rateNames: Record<ShownRateCode, { title: string; unit: string; of: string; decimals: number }> = {
  XAU_RUB: {
    title: "Золото, ₽ за грамм",
    unit: "₽",
    of: "Рублей за грамм, биржевые торги в Москве. Отсюда мы считаем каждую монету.",
    decimals: 2,
  },
  XAG_RUB: {
    title: "Серебро, ₽ за грамм",
    unit: "₽",
    of: "Рублей за грамм, биржевые торги в Москве. Отсюда мы считаем каждую монету.",
    decimals: 2,
  },
  XAU_USD: {
    title: "Золото, $ за унцию",
    unit: "$",
    of: "Долларов за тройскую унцию (31,1035 г). Пересчитано из рублёвой цены биржи по курсу Банка России.",
    decimals: 2,
  },
  XAG_USD: {
    title: "Серебро, $ за унцию",
    unit: "$",
    of: "Долларов за тройскую унцию (31,1035 г). Пересчитано из рублёвой цены биржи по курсу Банка России.",
    decimals: 2,
  },
  USD_RUB: { title: "Доллар, ₽", unit: "₽", of: "Официальный курс Банка России, меняется раз в день.", decimals: 4 },
};
export const shownRateCodes: readonly ShownRateCode[] = ["XAU_RUB", "XAG_RUB", "XAU_USD", "XAG_USD", "USD_RUB"];

/** The choice has two steps: a metal or the dollar, and for a metal its unit, which stays when the metal changes. */
export const subjectTabs = (code: ShownRateCode): { code: ShownRateCode; text: string }[] => [
  { code: inUnitOf(code, "XAU"), text: "Золото" },
  { code: inUnitOf(code, "XAG"), text: "Серебро" },
  { code: "USD_RUB", text: "Доллар" },
];
export const unitTabs = (code: ShownRateCode): { code: ShownRateCode; text: string }[] =>
  code === "USD_RUB"
    ? []
    : code.startsWith("XAU")
      ? [
          { code: "XAU_RUB", text: "₽/г" },
          { code: "XAU_USD", text: "$/унция" },
        ]
      : [
          { code: "XAG_RUB", text: "₽/г" },
          { code: "XAG_USD", text: "$/унция" },
        ];
const inUnitOf = (code: ShownRateCode, metal: "XAU" | "XAG"): ShownRateCode =>
  code === "XAU_USD" || code === "XAG_USD" ? `${metal}_USD` : `${metal}_RUB`;

export const rangeNames: Record<HistoryRange, string> = { "1d": "День", "1w": "Неделя", "1m": "Месяц", "1y": "Год", "5y": "Пять лет" };
export const viewNames: Record<ChartView, string> = { candles: "Свечи", line: "Линия" };

export const defaultChoice: RatesChoice = { code: "XAU_RUB", range: "1m", view: "candles", coin: null };

/** The address of a choice; defaults are left out, so that the default page has one address. */
export function ratesHref(choice: RatesChoice): string {
  const query = new URLSearchParams();
  for (const name of ["code", "range", "view", "coin"] as const)
    if (choice[name] !== null && choice[name] !== defaultChoice[name]) query.set(name, choice[name]);
  const search = query.toString();
  return `/quotes-online${search ? `?${search}` : ""}`;
}

/** The time of a point in full (`pointTime`) and short for the axis (`tickTime`). `isDaily`: the dollar has days in every range. */
export function pointTime(at: number, range: HistoryRange, isDaily: boolean): string {
  const time = new Date(at);
  if (range === "5y" && !isDaily) return `Неделя с ${day(time)}`;
  if (isDaily || range === "1y" || range === "5y") return day(time);
  return `${dayOfYear(time)}, ${clock(time)}`;
}
export function tickTime(at: number, range: HistoryRange, isDaily: boolean): string {
  const time = new Date(at);
  if (range === "1d" && !isDaily) return `${clock(time).slice(0, 2)}:00`;
  if (range !== "1y" && range !== "5y") return dayOfYear(time).replace(/^(\d+\s\S{3})\S*$/, "$1");
  return range === "1y" ? monthName(time) : String(moscow(time).year);
}

/** A larger mass is taken for a typing error. */
export const maxGrams = 100_000;

/** Parses a typed mass (`7,78`, `31.1 г`, `1 000 гр`) into grams; null when it is not a mass or is too large. */
export function gramsFrom(text: string): number | null {
  const figure = /^(\d{1,6}(?:\.\d{1,4})?)(?:г|гр|грамм|грамма|граммов|g)?\.?$/i.exec(text.replaceAll(/\s/g, "").replace(",", "."))?.[1];
  const grams = Number(figure ?? 0);
  return grams > 0 && grams <= maxGrams ? grams : null;
}
