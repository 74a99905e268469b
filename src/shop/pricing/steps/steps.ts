import type { Metal } from "#shop/catalog/coin.ts";
import type { PriceStep, QuantitySteps } from "../price.ts";

/** Whose steps: all bullion coins of a metal without own ones, or one coin. */
export type StepScope = { metal: Metal } | { coinId: number };

/** The steps of a metal or of a coin. `title`: the coin's, null for a metal. */
export type StepSet = {
  metal: Metal | null;
  coinId: number | null;
  title: string | null;
  steps: PriceStep[];
  revision: number;
  updatedAt: Date;
  updatedBy: string;
};

export const maxSteps = 6;

/** The first step that does not fit the one before it: its place from 0, the wrong field, and a Russian sentence. */
export type StepFault = { index: number; field: keyof PriceStep; message: string };

/** What is wrong with steps; null: nothing. Quantities and discounts must both rise. Browser-safe. */
export function faultOf(steps: readonly PriceStep[]): StepFault | null {
  for (const [index, { quantity, discountBp }] of steps.entries()) {
    const before = steps[index - 1];
    if (before && quantity <= before.quantity)
      return { index, field: "quantity", message: `Больше ${before.quantity}: так начинается ступень выше` };
    if (before && discountBp <= before.discountBp) return { index, field: "discountBp", message: "Больше, чем в ступени выше" };
  }
  return null;
}

type Stored = Pick<StepSet, "metal" | "coinId" | "steps">;

/** Stored steps by metal and by coin, as the price list has them. */
export function quantitySteps(sets: readonly Stored[]): QuantitySteps {
  const ofMetal = (metal: Metal) => sets.find((set) => set.metal === metal)?.steps ?? [];
  return {
    byMetal: { gold: ofMetal("gold"), silver: ofMetal("silver") },
    byCoin: new Map(sets.flatMap(({ coinId, steps }) => (coinId === null ? [] : [[coinId, steps]]))),
  };
}
