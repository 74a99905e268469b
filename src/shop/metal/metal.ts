import { kopecks, type Kopecks } from "#kit/money.ts";

export const metals = ["gold", "silver"] as const;
export type Metal = (typeof metals)[number];

/** 1/10 000 ₽ × milligrams (1/1000 g) in a kopeck. */
const perKopeck = 100_000n;

/**
 * What milligrams of pure metal are worth at a rate of 1/10 000 ₽ per gram, to the nearest kopeck, half up; negative for negative grams.
 * Null: the rate is not known.
 */
export function metalValue(pureMassMg: number, rateE4: number): Kopecks | null {
  if (rateE4 === 0) return null;
  const exact = BigInt(Math.abs(pureMassMg)) * BigInt(rateE4);
  const rounded = Number((2n * exact + perKopeck) / (2n * perKopeck));
  return kopecks(pureMassMg < 0 ? 0 - rounded : rounded);
}
