import type * as z from "zod";
import type * as contract from "#contract/staff/prices/prices.ts";
import { coinForms, counted, trimmed } from "#kit/format.ts";
import { fromRoubles, kopecks } from "#kit/money.ts";
import type { CoinPrices } from "#shop/catalog/prices/prices.ts";
import { summaryOf, type PriceSummary } from "#shop/pricing/changes/price-change.ts";
import { sum } from "../money/words.ts";

export type PricePreviewView = z.output<(typeof contract.previewPrices)["answer"]>;
export type Row = PricePreviewView["rows"][number];
export type WirePrices = Row["before"];
export type PriceFilters = z.output<(typeof contract.readPriceFilters)["answer"]>;
export type PriceChangeAnswer = z.output<(typeof contract.changePrices)["answer"]>;
export type Action = NonNullable<PriceChangeAnswer["action"]>;
export type ChangeOutcome = z.output<(typeof contract.readPriceChange)["answer"]>["items"][number]["outcome"];

/** Hundredths of a percent → `5,5`, with the true minus. */
export const points = (bp: number): string => trimmed(bp / 100, 2);
const signed = (bp: number): string => (bp > 0 ? `+${points(bp)}` : points(bp));
export const coinCount = (count: number): string => counted(count, coinForms);

/** `−0,5` → −50. Null: not a number with at most two digits after the comma. */
export function parsePoints(text: string): number | null {
  const plain = text
    .replaceAll(/[\s\u00A0%]/g, "")
    .replace("−", "-")
    .replace(",", ".");
  return /^[+-]?\d{1,4}(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : null;
}

/* What is typed over the table */

export const targets = [
  ["premium", "Премию"],
  ["buyback", "Скидку выкупа"],
  ["price", "Цену памятных"],
  ["price_buyback", "Выкуп памятных"],
] as const;
export type Target = (typeof targets)[number][0];
export type ChangeWay = "add" | "set" | "spread" | "percent";

export const waysOf = (target: Target): readonly (readonly [ChangeWay, string])[] =>
  target === "premium" || target === "buyback"
    ? [
        ["add", "На, п. п."],
        ["set", "До, %"],
        ["spread", "До спреда"],
      ]
    : [
        ["percent", "На, %"],
        ["set", "До, ₽"],
      ];

export type PriceActionDraft = { target: Target; way: ChangeWay; typed: string; roundTo: number };
export const emptyDraft: PriceActionDraft = { target: "premium", way: "add", typed: "", roundTo: 10 };
export const unitOf = ({ target, way }: PriceActionDraft): string => {
  if (way === "add") return "п. п.";
  return way === "set" && (target === "price" || target === "price_buyback") ? "₽" : "%";
};

/**
 * The action of what is typed; null: nothing yet; a text: what is wrong with it. A buyback discount is typed as people say it, 4,5 % below
 * the metal, and stored as −450.
 */
export function actionOf({ target, way, typed, roundTo }: PriceActionDraft): Action | null | string {
  if (typed.trim() === "") return null;
  if (target === "price" || target === "price_buyback") {
    if (way === "set") {
      const roubles = Number(typed.replaceAll(/[\s\u00A0₽]/g, ""));
      return Number.isSafeInteger(roubles) && roubles > 0 ? { field: target, mode: "set", roubles } : "Целые рубли, например 9 500";
    }
    const bp = parsePoints(typed);
    return bp === null ? wrongNumber : { field: target, mode: "percent", bp, roundTo };
  }
  const bp = parsePoints(typed);
  if (bp === null) return wrongNumber;
  const mode = way === "percent" ? "add" : way;
  return { field: target, mode, bp: target === "buyback" && mode !== "spread" ? -bp : bp };
}
const wrongNumber = "Число, например 0,5 или −0,5";

const fieldWords: Record<Action["field"], string> = {
  premium: "Премия",
  buyback: "Скидка выкупа",
  price: "Цена",
  price_buyback: "Выкуп",
};

/** «Премия −0,5 п. п.» */
export function actionText(action: Action): string {
  const name = fieldWords[action.field];
  switch (action.mode) {
    case "percent":
      return `${name} ${signed(action.bp)} %, до ${action.roundTo} ₽`;
    case "spread":
      return `${name} до спреда ${points(action.bp)} %`;
    case "add":
      return `${name} ${signed(action.field === "buyback" ? -action.bp : action.bp)} п. п.`;
    case "set":
      if ("roubles" in action) return `${name} ${sum(action.roubles)} ₽`;
      return `${name} ${points(action.field === "buyback" ? -action.bp : action.bp)} %`;
  }
}

/* Sums of the rows that are ticked */

const kopecksOrNull = (roubles: number | null) => (roubles === null ? null : fromRoubles(roubles));
const pricesOf = ({ premiumBp, buybackBp, fixedPrice, fixedBuyback }: WirePrices): CoinPrices => ({
  premiumBp,
  buybackBp,
  fixedPriceKopecks: kopecksOrNull(fixedPrice),
  fixedBuybackKopecks: kopecksOrNull(fixedBuyback),
});

/** The same sums and reason as the server's, for the rows that are ticked. */
export const summaryFor = (rows: readonly Row[], limits: PriceFilters["limits"]): PriceSummary =>
  summaryOf(
    rows.map((row) => ({
      ...row,
      ...pricesOf(row.before),
      slug: "",
      pureMassMg: 0,
      before: pricesOf(row.before),
      after: pricesOf(row.after),
      priceBefore: kopecksOrNull(row.priceBefore),
      priceAfter: kopecksOrNull(row.priceAfter),
      buybackAfter: kopecksOrNull(row.buybackAfter),
      margin: row.margin === null ? null : kopecks(Math.round(row.margin * 100)),
      perGram: kopecksOrNull(row.perGram),
      isBuybackAbovePrice: row.priceAfter !== null && row.buybackAfter !== null && row.buybackAfter >= row.priceAfter,
    })),
    { priceApprovalPremiumBp: limits.premiumBp, priceApprovalCoins: limits.coins },
  );

/* Documents */

export const stateText = ({ state, undoneBy }: Pick<PriceChangeAnswer, "state" | "undoneBy">): string => {
  if (state === "applied") return undoneBy === null ? "применено" : "возвращено";
  return { scheduled: "ждёт своего времени", refused: "не применено", cancelled: "отменено" }[state];
};
export const kindText = ({ kind, action, undoes }: Pick<PriceChangeAnswer, "kind" | "action" | "undoes">): string => {
  if (kind === "undo") return `Возврат изменения ${undoes}`;
  return action ? actionText(action) : "Цены по монетам";
};
export const outcomeTexts: Readonly<Record<ChangeOutcome, string>> = {
  waiting: "ждёт",
  changed: "изменена",
  same: "осталась прежней",
  stale: "цену изменили раньше, не тронута",
  out_of_range: "вне разумного, не тронута",
};

/** «премия 5,5 %, выкуп −4,5 %» or «9 500 ₽». */
export function pricesText(prices: WirePrices, isFixed: boolean): string {
  if (isFixed)
    return [
      prices.fixedPrice === null ? "без цены" : `${sum(prices.fixedPrice)} ₽`,
      ...(prices.fixedBuyback === null ? [] : [`выкуп ${sum(prices.fixedBuyback)} ₽`]),
    ].join(", ");
  return [`${points(prices.premiumBp)} %`, ...(prices.buybackBp === null ? [] : [`выкуп ${points(prices.buybackBp)} %`])].join(", ");
}
