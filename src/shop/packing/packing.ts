import type { LabelFile } from "#shop/delivery/labels/label.ts";
import type { OrderState } from "#shop/orders/order.ts";
import { deliveryTitle } from "#shop/orders/snapshot.ts";
import type { OrderToPack } from "#shop/orders/parcel/order-to-pack.ts";

/** How the packing of an order in a batch ended. */
export const outcomes = ["packed", "postponed"] as const;
export type PackingOutcome = (typeof outcomes)[number];

/** Why an order is taken out of a batch. */
export const postponeReasons = ["missing", "defect", "other"] as const;
export type PostponeReason = (typeof postponeReasons)[number];

/** Who packs. */
export type Packer = { login: string; name: string };

/** One order of a batch. */
export type BatchOrder = {
  order: OrderToPack;
  /** Its place on the table, from 1. */
  place: number;
  outcome: PackingOutcome | null;
  reason: PostponeReason | null;
  /** The order left the states in which it can be packed: it was cancelled, or packed elsewhere. */
  isGone: boolean;
  /** Who packs it now; null: free. */
  packer: Packer | null;
  /** Checked pieces by coin. */
  checked: ReadonlyMap<number, number>;
  label: LabelFile | null;
};

export type Batch = { id: number; createdAt: Date; closedAt: Date | null; orders: BatchOrder[] };

/** One coin of a pick list: the pieces to take, those checked so far, and the places on the table they go to. */
export type PickLine = {
  coinId: number;
  slug: string;
  title: string;
  pieces: number;
  checked: number;
  places: { place: number; pieces: number }[];
};

/** What to take from the shelves for a batch, summed by coin. Orders that were taken out or cancelled need nothing. */
export function pickList(orders: readonly BatchOrder[]): PickLine[] {
  const picks = new Map<number, PickLine>();
  for (const { order, place, outcome, isGone, checked } of orders) {
    if (outcome === "postponed" || isGone) continue;
    for (const { coinId, slug, title, quantity } of order.lines) {
      const pick = picks.get(coinId) ?? { coinId, slug, title, pieces: 0, checked: 0, places: [] };
      pick.pieces += quantity;
      pick.checked += outcome === "packed" ? quantity : Math.min(quantity, checked.get(coinId) ?? 0);
      pick.places.push({ place, pieces: quantity });
      picks.set(coinId, pick);
    }
  }
  return [...picks.values()].toSorted((a, b) => a.title.localeCompare(b.title, "ru") || a.coinId - b.coinId);
}

/** The lines of an order at the table: also coins that were checked before every piece of them was dropped, which have to be put back. */
export const linesAtTable = (
  { lines, dropped }: Pick<OrderToPack, "lines" | "dropped">,
  checked: ReadonlyMap<number, number>,
): OrderToPack["lines"] => [
  ...lines,
  ...dropped.filter(({ coinId }) => (checked.get(coinId) ?? 0) > 0).map((line) => ({ ...line, quantity: 0 })),
];

/** Pieces of an order that are still to be checked. Negative pieces were taken by mistake and have to be put back. */
export const leftToCheck = (
  lines: readonly { coinId: number; quantity: number }[],
  checked: ReadonlyMap<number, number>,
): { coinId: number; left: number }[] =>
  lines.flatMap(({ coinId, quantity }) => {
    const left = quantity - (checked.get(coinId) ?? 0);
    return left === 0 ? [] : [{ coinId, left }];
  });

/** A scanned text as codes are compared: without spaces, in upper case. */
export const readCode = (text: string): string => text.replaceAll(/\s/g, "").toUpperCase();

/**
 * Why a scanned or ticked piece, or a piece scanned as the seal, is refused. `shared`: two coins have this number, so it does not tell
 * which one it is.
 */
export const wrongPieces = ["unknown", "not_in_order", "enough", "shared"] as const;
export type WrongPiece = (typeof wrongPieces)[number];

export type PackingError =
  /** Nothing waits to be packed, or others took it meanwhile. */
  | { code: "packing.nothing" }
  | { code: "packing.not_found" }
  /** The order was packed or taken out of the batch. */
  | { code: "packing.ended" }
  /** The order can no longer be packed: it was cancelled, or packed elsewhere. */
  | { code: "packing.gone"; state: OrderState }
  /** Another packer has it on the table. */
  | { code: "packing.taken"; name: string }
  | { code: "packing.wrong_piece"; why: WrongPiece; title: string | null }
  | { code: "packing.incomplete"; left: number }
  | { code: "packing.seal_missing" }
  /** The order is collected at the office, in no sealed bag. */
  | { code: "packing.seal_not_needed" };

/** «Пункт выдачи СДЭК, Пермь, ПВЗ на Ленина»: where a parcel goes, without street and phone of the recipient. */
export const destinationOf = ({ deliveryName, city, point }: Pick<OrderToPack, "deliveryName" | "city" | "point">): string =>
  [deliveryTitle(deliveryName), city, point?.name].filter(Boolean).join(", ");
