import { grams } from "#kit/format.ts";
import { days } from "#kit/time.ts";
import { nearestRouble, subtract, type Kopecks } from "#kit/money.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import type { Ctx } from "#shop/context.ts";
import * as pricing from "#shop/pricing/service.ts";
import { stepStart, historyRanges, type DayRow, type HistoryRange } from "#shop/rates/candle.ts";
import * as history from "#shop/rates/history.service.ts";
import type { ShownRate, ShownRateCode } from "#shop/rates/rate.ts";
import * as rates from "#shop/rates/service.ts";
import type { Card } from "#shop/search/card.ts";
import { moscow } from "#kit/moscow-time.ts";
import { allPages } from "../catalog/listing/all-pages.server.ts";
import { cardView } from "../catalog/cards/card-view.ts";
import { coinName } from "../catalog/cards/coin-name.ts";
import { liveHref } from "../shared/live-href.server.ts";
import { percentOf } from "../frame/frame-data.ts";
import {
  shownRateCodes,
  chartViews,
  defaultChoice,
  type CalculatorCoin,
  type DayView,
  type RatesChoice,
  type SpreadRow,
  type SpreadView,
  type TypicalPricing,
} from "./rates-view.ts";

/** The choice of an address; invalid values become the default. */
export function choiceOf(query: URLSearchParams): RatesChoice {
  const pick = <T extends string>(name: string, allowed: readonly T[], otherwise: T): T =>
    allowed.find((each) => each === query.get(name)) ?? otherwise;
  return {
    code: pick("code", shownRateCodes, defaultChoice.code),
    range: pick("range", historyRanges, defaultChoice.range),
    view: pick("view", chartViews, defaultChoice.view),
    coin: query.get("coin"),
  };
}

const historyDays: Record<HistoryRange, number> = { "1d": 2, "1w": 8, "1m": 32, "1y": 367, "5y": 1828 };
const shownDays = 20;

/** The data of the rates page. */
export async function ratesView(ctx: Ctx, choice: RatesChoice) {
  const { code, range } = choice;
  const metal = code.startsWith("XAG") ? "silver" : "gold";
  const [shownRates, list, drawn, recent, around, { items: bullion }, spread] = await Promise.all([
    rates.shown(ctx),
    pricing.current(ctx),
    history.history(ctx, code, range),
    history.daily(ctx, code, shownDays * 2),
    history.daily(ctx, code, historyDays[range]),
    allPages(ctx, { kind: ["bullion"] }),
    spreadsOf(ctx, metal),
  ]);
  const now = shownRates?.rates[code] ?? null;
  const points = drawn.candles.map(({ at, openE4, highE4, lowE4, closeE4 }) => ({
    at: at.getTime(),
    open: openE4 / 10_000,
    high: highE4 / 10_000,
    low: lowE4 / 10_000,
    close: closeE4 / 10_000,
  }));
  const last = points.at(-1);
  // The history is cached for some seconds; the chart ends with the present rate.
  if (last && now) Object.assign(last, { close: now.value, high: Math.max(last.high, now.value), low: Math.min(last.low, now.value) });
  const official = new Map(around.map((row) => [row.candle.at.getTime(), row.official]));
  const table = upToNow(recent.map(dayView), now).slice(0, shownDays);
  const options = newestOfEach(bullion);
  const chosen = bullion.find(({ slug }) => slug === choice.coin) ?? options.find((card) => card.metal === metal) ?? options[0] ?? null;
  const [today] = recent;
  return {
    choice,
    isGenerated: drawn.isGenerated,
    at: shownRates?.time.toISOString() ?? null,
    now,
    rates: shownRateCodes.map((each) => ({ code: each, shown: shownRates?.rates[each] ?? null })),
    points,
    beside: points.map(({ at }) => officialAt(official, at, range === "5y" ? 7 : 1)),
    officialNow:
      today?.official === null || today?.official === undefined ? null : { value: today.official / 10_000, at: today.candle.at.getTime() },
    days: table,
    metal: metal as "gold" | "silver",
    spread: code === "USD_RUB" ? null : spread,
    coins: options.map(({ slug, title, pureMassMg }) => ({ slug, title: `${title}, ${grams(pureMassMg)}` })),
    coin: chosen && calculatorCoin(chosen),
    perGram: {
      gold: typicalPricing(
        list.goldE4,
        bullion.filter((card) => card.metal === "gold"),
      ),
      silver: typicalPricing(
        list.silverE4,
        bullion.filter((card) => card.metal === "silver"),
      ),
    },
  };
}
export type RatesView = Awaited<ReturnType<typeof ratesView>>;

/** The official price on the day of a point; for a week (`length` 7), that of its last day. */
function officialAt(official: ReadonlyMap<number, number | null>, at: number, length: number): number | null {
  const day = stepStart("day", new Date(at)).getTime();
  for (let ahead = length - 1; ahead >= 0; ahead -= 1) {
    const value = official.get(day + days(ahead)) ?? null;
    if (value !== null) return value / 10_000;
  }
  return null;
}

/** The history is cached for some seconds, so the newest day gets the rate and the change that the page shows. */
function upToNow([newest, ...before]: DayView[], now: ShownRate | null): DayView[] {
  if (!newest) return [];
  if (!now) return [newest, ...before];
  return [
    {
      ...newest,
      close: now.value,
      high: Math.max(newest.high, now.value),
      low: Math.min(newest.low, now.value),
      percent: percentOf(now.value, now.diff),
    },
    ...before,
  ];
}

function dayView({ candle, official }: DayRow, index: number, all: readonly DayRow[]): DayView {
  const before = all[index + 1]?.candle.closeE4;
  return {
    at: candle.at.getTime(),
    open: candle.openE4 / 10_000,
    high: candle.highE4 / 10_000,
    low: candle.lowE4 / 10_000,
    close: candle.closeE4 / 10_000,
    percent: before === undefined ? null : ((candle.closeE4 - before) / before) * 100,
    official: official === null ? null : official / 10_000,
  };
}

/** All trading days of five years as CSV for Russian spreadsheet programs: a byte order mark, semicolons, decimal commas. */
export async function ratesCsv(ctx: Ctx, code: ShownRateCode): Promise<string> {
  const [found, shownRates] = await Promise.all([history.daily(ctx, code, historyDays["5y"]), rates.shown(ctx)]);
  const rows = upToNow(found.map(dayView), shownRates?.rates[code] ?? null);
  const figure = (value: number | null): string => (value === null ? "" : String(value).replace(".", ","));
  const lines = rows.map((row) =>
    [moscow(new Date(row.at)).date, row.open, row.high, row.low, row.close, row.official]
      .map((cell) => (typeof cell === "string" ? cell : figure(cell)))
      .join(";"),
  );
  return `\uFEFF${["День;Открытие;Максимум;Минимум;Закрытие;Банк России", ...lines].join("\r\n")}\r\n`;
}

/** The newest issue of each coin: issues of one design have nearly the same value. */
function newestOfEach(cards: readonly Card[]): Card[] {
  const newest = new Map<string, Card>();
  for (const card of cards) {
    const key = `${card.metal} ${cardView(card).name} ${card.pureMassMg}`;
    if ((newest.get(key)?.year ?? 0) < card.year) newest.set(key, card);
  }
  return [...newest.values()];
}

const metalValueOf = ({ price, premium }: Card): Kopecks | null =>
  price === null || premium === null ? null : nearestRouble(subtract(price, premium.amount));

const calculatorCoin = (card: Card): CalculatorCoin => ({
  slug: card.slug,
  title: card.title,
  metal: card.metal,
  image: card.image,
  mass: grams(card.pureMassMg),
  metalValue: metalValueOf(card),
  buyback: card.buyback,
  price: card.price,
});

/** The denominations that the page shows; a link leads to the others. */
const maxSpreadRows = 8;

/** The spread of the most popular bullion product in stock for each mass. Null when no coin is bought back. */
async function spreadsOf(ctx: Ctx, metal: "gold" | "silver"): Promise<SpreadView | null> {
  const { items, total } = await allPages(ctx, { metal: [metal], kind: ["bullion"], inStock: true, group: "product" });
  const masses = new Set<string>();
  const rows = items.flatMap((card): (SpreadRow & { pureMassMg: number })[] => {
    const mass = grams(card.pureMassMg);
    if (card.price === null || card.buyback === null || card.spreadBp === null || masses.has(mass)) return [];
    masses.add(mass);
    const { name, face } = coinName(card.title);
    return [
      {
        slug: card.slug,
        name: [name, face].filter(Boolean).join(", "),
        mass,
        price: card.price,
        buyback: card.buyback,
        spreadBp: card.spreadBp,
        premiumBp: card.premium?.bp ?? null,
        pureMassMg: card.pureMassMg,
      },
    ];
  });
  if (rows.length === 0) return null;
  const shown = rows
    .slice(0, maxSpreadRows)
    .toSorted((one, other) => one.pureMassMg - other.pureMassMg)
    .map(({ pureMassMg: _pureMassMg, ...row }) => row);
  const { goldSpreads, silverSpreads } = await siteParts.pageWords(ctx);
  return { rows: shown, all: await liveHref(ctx, metal === "gold" ? goldSpreads : silverSpreads), total };
}

/** The median premium and buyback discount of a metal's coins, for a coin that is not in the list. */
function typicalPricing(rateE4: number, cards: readonly Card[]): TypicalPricing {
  const middle = (shares: readonly number[]): number | null => shares.toSorted((a, b) => a - b)[Math.floor(shares.length / 2)] ?? null;
  const metal = (card: Card): number => (card.pureMassMg * rateE4) / 100_000; // kopecks
  return {
    rateE4,
    premiumBp: middle(cards.flatMap(({ premium }) => premium?.bp ?? [])),
    buybackBp:
      rateE4 === 0
        ? null
        : middle(cards.flatMap((card) => (card.buyback === null ? [] : Math.round((card.buyback / metal(card) - 1) * 10_000)))),
  };
}
