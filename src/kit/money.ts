/** Money is a whole number of kopecks. Roubles exist only at the edges (contract, views, vendors' adapters). */
declare const kopecksBrand: unique symbol;
export type Kopecks = number & { readonly [kopecksBrand]: true };

/**
 * The only constructor of the type: refuses fractions, NaN and numbers too large to be exact. Negative amounts are allowed (differences).
 */
export function kopecks(n: number): Kopecks {
  if (!Number.isSafeInteger(n)) throw new RangeError(`not a whole number of kopecks: ${n}`);
  return n as Kopecks;
}

export const zero = kopecks(0);

/**
 * Whether a number of roubles is one of whole kopecks. From some 170 million roubles on, the product with 100 is off by more than the
 * tolerance for sums that were computed, so a number that is the closest one to a sum of kopecks is accepted as it is.
 */
export function isWholeKopecks(roubles: number): boolean {
  const scaled = Math.round(roubles * 100);
  return Number.isSafeInteger(scaled) && (scaled / 100 === roubles || Math.abs(roubles * 100 - scaled) <= 1e-6);
}

/** Roubles with at most two decimals → kopecks; anything finer is refused, never rounded silently. */
export function fromRoubles(roubles: number): Kopecks {
  if (!isWholeKopecks(roubles)) throw new RangeError(`no whole number of kopecks: ${roubles}`);
  return kopecks(Math.round(roubles * 100));
}

/** Kopecks → roubles of the HTTP contract: `45123` or `45123.5`. */
export const toRoubles = (amount: Kopecks): number => amount / 100;
/** The same for a sum in kopecks that may be absent; null stays null. */
export const roublesOrNull = (amount: number | null): number | null => (amount === null ? null : toRoubles(kopecks(amount)));

/** Kopecks → a vendor's decimal string, dot and two digits: `"451.23"`. */
export function toDecimalString(amount: Kopecks): string {
  const sign = amount < 0 ? "-" : "";
  const abs = Math.abs(amount);
  return `${sign}${Math.trunc(abs / 100)}.${String(abs % 100).padStart(2, "0")}`;
}

/** A vendor's `"451.23"` → kopecks; refuses exponents, commas and more than two decimals. */
export function fromDecimalString(text: string): Kopecks {
  const match = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) throw new RangeError(`not a decimal amount: ${text.slice(0, 40)}`);
  const amount = Number(match[2]) * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  return kopecks(match[1] ? -amount : amount);
}

/** The exact sum of amounts in kopecks; none give zero. Throws beyond what a number can hold exactly. */
export const add = (...amounts: Kopecks[]): Kopecks => kopecks(amounts.reduce((sum, each) => sum + each, 0));
/** The exact difference in kopecks; negative if `amount` is larger. */
export const subtract = (from: Kopecks, amount: Kopecks): Kopecks => kopecks(from - amount);
/** Rounds to the nearest whole rouble, for figures that explain a price, never for a price that is charged. */
export const nearestRouble = (amount: Kopecks): Kopecks => kopecks(Math.round(amount / 100) * 100);
/** A percentage of an amount, rounded up to a whole kopeck. */
export const percentOf = (amount: Kopecks, percent: number): Kopecks => kopecks(Math.ceil((amount * percent) / 100));
/** An amount for several pieces, exact; a fraction of a kopeck throws. */
export const times = (amount: Kopecks, quantity: number): Kopecks => kopecks(amount * quantity);

/** Spreads `total` over `weights` so that the parts sum to it exactly; the remainder goes to the largest fractions first. */
export function share(total: Kopecks, weights: readonly number[]): Kopecks[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  if (sum <= 0) throw new RangeError("weights must sum to more than zero");
  const exact = weights.map((weight) => (total * weight) / sum);
  const parts = exact.map(Math.floor);
  let rest = total - parts.reduce((a, b) => a + b, 0);
  const byFraction = exact
    .map((value, index) => ({ index, fraction: value - Math.floor(value) }))
    .sort((a, b) => b.fraction - a.fraction || a.index - b.index);
  for (const { index } of byFraction) {
    if (rest <= 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
    rest -= 1;
  }
  return parts.map(kopecks);
}
