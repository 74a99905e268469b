import { kopecks, type Kopecks } from "#kit/money.ts";
import type { Metal } from "#shop/catalog/coin.ts";

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

export const hedgeSides = ["sell", "buy"] as const;
export type HedgeSide = (typeof hedgeSides)[number];

export type NewHedge = {
  metal: Metal;
  side: HedgeSide;
  /** Milligrams of pure metal. */
  massMg: number;
  /** Of one gram. */
  price: Kopecks;
  counterparty: string;
  agreedOn: string;
  note: string;
};
export type Hedge = NewHedge & {
  id: number;
  createdAt: Date;
  createdBy: string;
  reversedAt: Date | null;
  reversedBy: string | null;
  reversalReason: string | null;
};
export type HedgeError = { code: "hedge.not_found" };

/** Pure metal in milligrams. Open: on hand − sold at a locked price + bought back and not in the stock yet − sold ahead. */
export type OpenMetal = {
  metal: Metal;
  onHandMg: number;
  pieces: number;
  lockedMg: number;
  /** Of deals from the lock of the offer, while it holds, to the shelf; and how many they are. */
  boughtMg: number;
  deals: number;
  /** Sold ahead minus bought ahead. */
  hedgedMg: number;
  hedges: number;
  openMg: number;
};

/** With the number of orders whose price is locked. */
export type Exposure = OpenMetal & { lockedOrders: number };

type OpenLimits = { openGoldGrams: number; openSilverGrams: number };

/** How many milligrams of a metal may be open; 0: no limit. */
export const openLimitMg = (metal: Metal, { openGoldGrams, openSilverGrams }: OpenLimits): number =>
  (metal === "gold" ? openGoldGrams : openSilverGrams) * 1_000;

/** Whether more metal is open, bought or sold ahead, than the settings allow. */
export function isBeyondLimit({ metal, openMg }: Pick<OpenMetal, "metal" | "openMg">, limits: OpenLimits): boolean {
  const limitMg = openLimitMg(metal, limits);
  return limitMg > 0 && Math.abs(openMg) > limitMg;
}

/** A price that is locked for a buyer. Orders are part of the exposure; carts become orders or end. */
export type PriceLock = {
  order: { id: string; number: number } | null;
  goldMg: number;
  silverMg: number;
  since: Date;
  until: Date;
};
