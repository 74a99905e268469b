import type { Kopecks } from "#kit/money.ts";

export type CartPageLine = {
  id: number;
  slug: string;
  title: string;
  image: string;
  metal: "gold" | "silver";
  isBullion: boolean;
  quantity: number;
  /** Pieces that may be had now. */
  available: number;
  /** Pieces that one buyer may have; null: no limit. */
  limit: number | null;
  /** Of one piece; each absent on its own. `worth` is the value of its pure metal. */
  price: Kopecks | null;
  buyback: Kopecks | null;
  worth: Kopecks | null;
  pureMassMg: number;
  diameterMm: number | null;
};

/** One metal of the whole cart; `pieces` are the pure masses of the coins, milligrams, for the bar. */
export type MetalInCart = { metal: "gold" | "silver"; massMg: number; pieces: number[]; count: number; worth: Kopecks | null };

/** Sums count what may be had: of a coin that ran short, the pieces that are there. */
export type CartPageView = {
  lines: CartPageLine[];
  count: number;
  /** Pieces that may be had: what the sums below are for. */
  taken: number;
  total: Kopecks;
  worth: Kopecks | null;
  buyback: Kopecks | null;
  metals: MetalInCart[];
  pricedAt: string;
  isStale: boolean;
  isDead: boolean;
  market: { isOpen: boolean; note: string | null; until: string | null };
  limits: { card: Kopecks; sbp: Kopecks };
  /** With nothing in the cart: the order that was made from it and still waits for its payment. */
  unpaid: { number: number; total: Kopecks; heldUntil: Date | null; href: string } | null;
  /** For how long the checkout locks prices. */
  lockMinutes: number;
  wished: number;
  /** Delivery to a pickup point costs nothing for such a sum. */
  isPickupFree: boolean;
};

export const isShort = (line: CartPageLine): boolean => line.quantity > line.available;

/** Most pieces of a line that the buyer may ask for. */
export const mostOf = (line: CartPageLine): number => Math.min(line.available, line.limit ?? line.available, 999);
