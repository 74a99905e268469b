import { coinForms, coinsOfForms, counted, plural, priceText, trimmed } from "#kit/format.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";
import { transitions } from "#kit/transitions.ts";
import type { CoinPrices, PricedRow } from "#shop/catalog/prices/prices.ts";
import { isSamePrices, pricesOnly } from "#shop/catalog/prices/prices.ts";
import { priceOf, type PricedCoin, type PriceList } from "../price.ts";

/** A price change: a document with the prices of its coins before and after. */

export const priceChangeStates = transitions({
  scheduled: { apply: "applied", refuse: "refused", cancel: "cancelled" },
  applied: {},
  /** Its day came, and it needed an approval that it did not have. */
  refused: {},
  cancelled: {},
});
export type PriceChangeState = keyof typeof priceChangeStates;

/**
 * What is done to the prices. Bullion: `premium` and `buyback` are set to a value, moved by one (hundredths of a percent), or set so that
 * the spread becomes `bp`. Coins with a fixed price: `price` and `price_buyback` are set (roubles) or moved by a share and rounded to
 * whole `roundTo` roubles.
 */
export type PriceAction =
  | { field: "premium" | "buyback"; mode: "set" | "add" | "spread"; bp: number }
  | { field: "price" | "price_buyback"; mode: "set"; roubles: number }
  | { field: "price" | "price_buyback"; mode: "percent"; bp: number; roundTo: number };

/**
 * `bulk`: an action on selected coins · `values`: an import or an editor gave the prices · `undo`: gives back what another change changed.
 */
export const priceChangeKinds = ["bulk", "values", "undo"] as const;
export type PriceChangeKind = (typeof priceChangeKinds)[number];

/** What became of a coin: `stale`: its prices were changed by another action meanwhile and stay as they are. */
export const itemOutcomes = ["waiting", "changed", "same", "stale", "out_of_range"] as const;
export type ItemOutcome = (typeof itemOutcomes)[number];

export type PriceChange = {
  id: number;
  kind: PriceChangeKind;
  state: PriceChangeState;
  action: PriceAction | null;
  /** The selection in words, as the clerk saw it. */
  label: string;
  undoes: number | null;
  /** The change that undid this one most recently. */
  undoneBy: number | null;
  coins: number;
  changed: number;
  stale: number;
  createdAt: Date;
  createdBy: string;
  dueAt: Date | null;
  appliedAt: Date | null;
  /** Why a second person approved it; null: no approval was needed. */
  approvalReason: string | null;
  /** Why it was not applied on its day. */
  refusal: string | null;
};

export type PriceChangeItem = { coinId: number; title: string; before: CoinPrices; after: CoinPrices; outcome: ItemOutcome };

/** The prices after the action; null: the action is not about this kind of coin, or lacks what it is computed from. */
export function pricesAfter(action: PriceAction, coin: CoinPrices & Pick<PricedRow, "kind">): CoinPrices | null {
  const isBullion = coin.kind === "bullion";
  const before = pricesOnly(coin);
  switch (action.field) {
    case "premium": {
      const premiumBp = isBullion ? premiumAfter(action, before) : null;
      return premiumBp === null ? null : { ...before, premiumBp };
    }
    case "buyback": {
      const buybackBp = isBullion ? buybackAfter(action, before) : null;
      return buybackBp === null ? null : { ...before, buybackBp };
    }
    case "price": {
      const fixedPriceKopecks = isBullion ? null : fixedAfter(action, before.fixedPriceKopecks);
      return fixedPriceKopecks === null ? null : { ...before, fixedPriceKopecks };
    }
    case "price_buyback": {
      const fixedBuybackKopecks = isBullion ? null : fixedAfter(action, before.fixedBuybackKopecks);
      return fixedBuybackKopecks === null ? null : { ...before, fixedBuybackKopecks };
    }
  }
}

const whole = 10_000;

/** The spread is (price − buyback) / price, both over the same metal: (1 + premium) × (1 − spread) = 1 + buyback. */
function premiumAfter({ mode, bp }: { mode: "set" | "add" | "spread"; bp: number }, { premiumBp, buybackBp }: CoinPrices): number | null {
  if (mode === "set") return bp;
  if (mode === "add") return premiumBp + bp;
  return buybackBp === null || bp >= whole ? null : Math.round(((whole + buybackBp) * whole) / (whole - bp)) - whole;
}

function buybackAfter({ mode, bp }: { mode: "set" | "add" | "spread"; bp: number }, { premiumBp, buybackBp }: CoinPrices): number | null {
  if (mode === "set") return bp;
  if (mode === "add") return buybackBp === null ? null : buybackBp + bp;
  return Math.round(((whole + premiumBp) * (whole - bp)) / whole) - whole;
}

function fixedAfter(
  action: { mode: "set"; roubles: number } | { mode: "percent"; bp: number; roundTo: number },
  before: number | null,
): number | null {
  if (action.mode === "set") return action.roubles * 100;
  const step = action.roundTo * 100;
  return before === null ? null : Math.max(1, Math.round((before * (whole + action.bp)) / whole / step)) * step;
}

/** Whether prices are within what a coin can have: a typo must not sell gold for nothing. */
export const isPlausible = ({ premiumBp, buybackBp, fixedPriceKopecks, fixedBuybackKopecks }: CoinPrices): boolean =>
  isWithin(premiumBp, -2_000, 100_000) &&
  isWithin(buybackBp, -9_500, 20_000) &&
  isWithin(fixedPriceKopecks, 100, 100_000_000_00) &&
  isWithin(fixedBuybackKopecks, 100, 100_000_000_00);
const isWithin = (value: number | null, from: number, till: number): boolean => value === null || (value >= from && value <= till);

/** A coin before and after, at the rates of a list. `price` and `buyback` are null without a rate or a fixed price. */
export type PriceRow = PricedRow & {
  available: number;
  before: CoinPrices;
  after: CoinPrices;
  priceBefore: Kopecks | null;
  priceAfter: Kopecks | null;
  buybackAfter: Kopecks | null;
  premiumBpBefore: number | null;
  premiumBpAfter: number | null;
  /** Price after the change above the value of the pure metal; negative below it. */
  margin: Kopecks | null;
  perGram: Kopecks | null;
  spreadBp: number | null;
  isChanged: boolean;
  isBelowMetal: boolean;
  /** The shop would pay more than its price. */
  isBuybackAbovePrice: boolean;
  isOutOfRange: boolean;
};

/** `after` null: the prices stay as they are. */
export function priceRow(coin: PricedRow, after: CoinPrices | null, list: PriceList, available: number): PriceRow {
  const target = after ?? pricesOnly(coin);
  const was = priceOf(coin, list);
  const is = priceOf({ ...coin, ...target }, list);
  return {
    ...coin,
    available,
    before: pricesOnly(coin),
    after: target,
    priceBefore: was.price,
    priceAfter: is.price,
    buybackAfter: is.buyback,
    premiumBpBefore: was.premium?.bp ?? null,
    premiumBpAfter: is.premium?.bp ?? null,
    margin: is.premium?.amount ?? null,
    perGram: is.perGram,
    spreadBp: is.spreadBp,
    isChanged: !isSamePrices(coin, target),
    isBelowMetal: is.premium !== null && is.premium.amount < 0,
    isBuybackAbovePrice: is.price !== null && is.buyback !== null && is.buyback >= is.price,
    isOutOfRange: !isPlausible(target),
  };
}

export type ApprovalLimits = { priceApprovalPremiumBp: number; priceApprovalCoins: number };

/** Why a second person must approve these changes, as a Russian sentence; null: not needed. Rows that do not change do not count. */
export function approvalReasonOf(rows: readonly PriceRow[], limits: ApprovalLimits): string | null {
  const changed = rows.filter((row) => row.isChanged && !row.isOutOfRange);
  const below = changed.filter((row) => row.isBelowMetal);
  const reversed = changed.filter((row) => row.isBuybackAbovePrice);
  const moved = changed.filter((row) => moveBp(row) > limits.priceApprovalPremiumBp);
  const points = trimmed(limits.priceApprovalPremiumBp / 100, 2);
  const reasons = [
    ...(below.length > 0 ? [`${coinsOf(below.length)} ниже металла, больше всего на ${priceText(deepest(below))}`] : []),
    ...(reversed.length > 0 ? [`${coinsOf(reversed.length)}: выкуп не ниже цены продажи`] : []),
    ...(moved.length > 0 ? [`${coinsOf(moved.length)}: премия, скидка или цена меняется больше чем на ${points} п. п.`] : []),
    ...(changed.length > limits.priceApprovalCoins ? [tooMany(changed.length, limits)] : []),
  ];
  const [first, ...others] = reasons;
  return first === undefined ? null : [first.charAt(0).toUpperCase() + first.slice(1), ...others].join("; ");
}

/** Whether a coin costs no more than its pure metal. A premium of zero counts: it is the value of a field that was left empty. */
export function isAtMetalOrBelow(coin: PricedCoin, list: PriceList): boolean {
  if (coin.kind === "bullion") return coin.premiumBp <= 0; // also before the first rates
  const { premium } = priceOf(coin, list);
  return premium !== null && premium.amount <= 0;
}

const newCoinForms = ["новая монета", "новые монеты", "новых монет"] as const;

/** Why a second person must approve the first prices of new coins, as a Russian sentence; null: not needed. */
export function approvalReasonOfNew(coins: readonly PricedCoin[], list: PriceList): string | null {
  const cheap = coins.filter((coin) => isAtMetalOrBelow(coin, list)).length;
  return cheap === 0 ? null : `Не дороже своего металла: ${counted(cheap, newCoinForms)}`;
}

/** An edit of the facts that a price is computed from. `wasShown`: the coin is on sale, or was. */
export type FactsChange = { before: PricedCoin; after: PricedCoin; wasShown: boolean };

/** Whether an edit changes the metal, the kind or the pure mass: the price follows each of them. */
export const movesPrice = ({ before, after }: FactsChange): boolean =>
  before.metal !== after.metal || before.kind !== after.kind || before.pureMassMg !== after.pureMassMg;

/** Whether the prices before the edit are no longer former prices of the coin. A fixed price depends neither on metal nor on mass. */
export const endsPriceHistory = (edit: FactsChange): boolean =>
  movesPrice(edit) && (edit.before.kind !== edit.after.kind || edit.after.kind === "bullion");

/**
 * Why a second person must approve edits of the metal, the kind or the pure mass, as a Russian sentence; null: not needed. The rule is that
 * of a price change: otherwise the price of a coin on sale could be changed without the permission for prices. A coin that was never shown
 * may get any price above its metal.
 */
export function approvalReasonOfFacts(edits: readonly FactsChange[], list: PriceList, limits: ApprovalLimits): string | null {
  const moving = edits.filter(movesPrice);
  const cheap = moving.filter(({ after }) => isAtMetalOrBelow(after, list));
  const shown = moving.filter(({ wasShown }) => wasShown);
  const reversed = shown.filter(({ after }) => {
    const { price, buyback } = priceOf(after, list);
    return price !== null && buyback !== null && buyback >= price;
  });
  const moved = shown.filter((edit) => factsMoveBp(edit, list) > limits.priceApprovalPremiumBp);
  const reasons = [
    ...(cheap.length > 0 ? [`${coinsOf(cheap.length)} не дороже металла`] : []),
    ...(reversed.length > 0 ? [`${coinsOf(reversed.length)}: выкуп не ниже цены продажи`] : []),
    ...(moved.length > 0
      ? [`${coinsOf(moved.length)}: цена меняется больше чем на ${trimmed(limits.priceApprovalPremiumBp / 100, 2)} %`]
      : []),
    ...(shown.length > limits.priceApprovalCoins ? [tooMany(shown.length, limits)] : []),
  ];
  return reasons.length === 0 ? null : `Металл, вид или чистая масса: ${reasons.join("; ")}`;
}

/** The larger of the shares by which price and buyback price move; a price that appears or is unknown counts as a whole. */
function factsMoveBp({ before, after }: FactsChange, list: PriceList): number {
  const [was, is] = [priceOf(before, list), priceOf(after, list)];
  const share = (a: number | null, b: number | null): number =>
    a === null || b === null ? whole : Math.round((Math.abs(b - a) / a) * whole);
  const isSame = was.price === is.price && was.buyback === is.buyback;
  // Without a rate both prices of a bullion coin are unknown, and equal only by that.
  if (isSame && (is.price !== null || after.kind === "memorable")) return 0;
  return Math.max(share(was.price, is.price), was.buyback === is.buyback ? 0 : share(was.buyback, is.buyback));
}

/** How far a change moves a coin: the premium and the buyback discount in points, fixed prices by their share; the largest of them. */
function moveBp({ before, after }: Pick<PriceRow, "before" | "after">): number {
  const points = (a: number | null, b: number | null): number => (a === null || b === null ? 0 : Math.abs(b - a));
  const share = (a: number | null, b: number | null): number => (a === null || b === null ? 0 : Math.round((Math.abs(b - a) / a) * whole));
  return Math.max(
    points(before.premiumBp, after.premiumBp),
    points(before.buybackBp, after.buybackBp),
    share(before.fixedPriceKopecks, after.fixedPriceKopecks),
    share(before.fixedBuybackKopecks, after.fixedBuybackKopecks),
  );
}

const deepest = (rows: readonly PriceRow[]): Kopecks => kopecks(Math.max(...rows.map(({ margin }) => 0 - (margin ?? 0))));
const coinsOf = (count: number): string => counted(count, coinForms);
const tooMany = (count: number, { priceApprovalCoins }: Pick<ApprovalLimits, "priceApprovalCoins">): string =>
  `меняются цены ${count} ${plural(count, coinsOfForms)}, без согласования — не больше ${priceApprovalCoins}`;

/** The sums under a preview, over the rows that change. */
export type PriceSummary = {
  coins: number;
  changed: number;
  outOfRange: number;
  belowMetal: number;
  premiumBpBefore: number | null;
  premiumBpAfter: number | null;
  /** How much the selling price of all available pieces changes, kopecks; negative: they get cheaper. */
  shelf: Kopecks;
  reason: string | null;
};

/** Sums of a preview; the means of premiums are in hundredths of a percent, over rows with a known premium. */
export function summaryOf(rows: readonly PriceRow[], limits: ApprovalLimits): PriceSummary {
  const changed = rows.filter((row) => row.isChanged && !row.isOutOfRange);
  const mean = (values: readonly (number | null)[]): number | null => {
    const known = values.flatMap((value) => value ?? []);
    return known.length === 0 ? null : Math.round(known.reduce((sum, value) => sum + value, 0) / known.length);
  };
  return {
    coins: rows.length,
    changed: changed.length,
    outOfRange: rows.filter(({ isOutOfRange }) => isOutOfRange).length,
    belowMetal: changed.filter(({ isBelowMetal }) => isBelowMetal).length,
    premiumBpBefore: mean(changed.map((row) => row.premiumBpBefore)),
    premiumBpAfter: mean(changed.map((row) => row.premiumBpAfter)),
    shelf: kopecks(changed.reduce((sum, row) => sum + ((row.priceAfter ?? 0) - (row.priceBefore ?? 0)) * row.available, 0)),
    reason: approvalReasonOf(rows, limits),
  };
}
