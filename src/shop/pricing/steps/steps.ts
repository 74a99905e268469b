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

export const mostSteps = 6;

/** What is wrong with steps, as a Russian sentence; null: nothing. Quantities and discounts must both rise. */
export function faultOf(steps: readonly PriceStep[]): string | null {
  const isRising = steps.every(({ quantity, discountBp }, index) => {
    const before = steps[index - 1];
    return !before || (quantity > before.quantity && discountBp > before.discountBp);
  });
  return isRising ? null : "Каждая следующая ступень — больше штук и больше скидка";
}

type Stored = Pick<StepSet, "metal" | "coinId" | "steps">;

export function quantitySteps(sets: readonly Stored[]): QuantitySteps {
  const ofMetal = (metal: Metal) => sets.find((set) => set.metal === metal)?.steps ?? [];
  return {
    byMetal: { gold: ofMetal("gold"), silver: ofMetal("silver") },
    byCoin: new Map(sets.flatMap(({ coinId, steps }) => (coinId === null ? [] : [[coinId, steps]]))),
  };
}
