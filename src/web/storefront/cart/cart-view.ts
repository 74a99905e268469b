import type { Kopecks } from "#kit/money.ts";
import type { PageWords } from "#shop/content/site/parts.ts";

export type CartPageLine = {
  id: number;
  slug: string;
  title: string;
  image: string;
  metal: "gold" | "silver";
  isBullion: boolean;
  quantity: number;
  /** Pieces available now. */
  available: number;
  /** Most pieces per buyer; null: no limit. */
  limit: number | null;
  /** For one piece; each may be absent. `worth` is the value of its pure metal. */
  price: Kopecks | null;
  /** The former price, crossed out beside that of a promo; null: none. */
  oldPrice: Kopecks | null;
  buyback: Kopecks | null;
  worth: Kopecks | null;
  /** How many pieces are missing to a lower price for each of them. */
  nextStep: { missing: number; price: Kopecks } | null;
  pureMassMg: number;
  diameterMm: number | null;
};

/** One metal of the whole cart; `pieces` are the pure masses of the coins in milligrams, for the bar. */
export type MetalInCart = { metal: "gold" | "silver"; massMg: number; pieces: number[]; count: number; worth: Kopecks | null };

/** Sums of what is available: of a coin with too little stock, the available pieces only. */
export type CartPageView = {
  lines: CartPageLine[];
  count: number;
  /** Available pieces, on which the sums below are based. */
  taken: number;
  total: Kopecks;
  /** The entered code, and what it takes off; `message`: why it takes off nothing now. */
  promo: { code: string; discount: Kopecks; message: string | null } | null;
  worth: Kopecks | null;
  buyback: Kopecks | null;
  metals: MetalInCart[];
  pricedAt: string;
  isStale: boolean;
  isDead: boolean;
  /** `offer`: what can be ordered while it is closed. */
  market: { isOpen: boolean; note: string | null; until: string | null; offer: PageWords["closedMarket"] };
  /** The words of an empty cart. */
  emptyText: string;
  limits: { card: Kopecks; sbp: Kopecks };
  /** With an empty cart: the unpaid order that was made from it. */
  unpaid: { number: number; total: Kopecks; heldUntil: Date | null; href: string } | null;
  /** For how long the checkout locks prices. */
  lockMinutes: number;
  wishlistCount: number;
  /** Delivery to a pickup point is free from this sum. */
  isPickupFree: boolean;
};

export const isShort = (line: CartPageLine): boolean => line.quantity > line.available;

/** Most pieces of a line that the buyer can choose. */
export const maxQuantityOf = (line: CartPageLine): number => Math.min(line.available, line.limit ?? line.available, 999);

/** A promo code that was refused, as it was typed, and why. */
export type RefusedPromo = { typed: string; message: string };
/** What the cart's action answers; `id`: the coin that the refusal is about. */
export type CartAnswer = { refusal: string | null; id?: number; promo?: RefusedPromo };
