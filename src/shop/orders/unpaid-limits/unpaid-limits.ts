import { toRoubles, type Kopecks } from "#kit/money.ts";
import type { Limits } from "#shop/settings.ts";

/** Coins that unpaid orders hold. */
export type Held = { coinId: number; pieces: number; value: Kopecks };

type Reserve = { pieces: number; roubles: number };

/** Whether coins held so far and coins wanted now are more than unpaid orders of one person or address may hold. A limit of 0 is off. */
function isOver(held: readonly Held[], wanted: readonly Held[], limit: Reserve): boolean {
  const all = [...held, ...wanted];
  const pieces = all.reduce((sum, each) => sum + each.pieces, 0);
  const roubles = all.reduce((sum, each) => sum + toRoubles(each.value), 0);
  return (limit.pieces > 0 && pieces > limit.pieces) || (limit.roubles > 0 && roubles > limit.roubles);
}

export const isOverForPerson = (held: readonly Held[], wanted: readonly Held[], limits: Limits): boolean =>
  isOver(held, wanted, { pieces: limits.reservedPiecesPerPerson, roubles: limits.reservedRoublesPerPerson });

/**
 * An address is also held to a share of each coin, so that browsers made up one after another cannot take all pieces of it.
 * Up to `addressFreePieces` of a coin are free from the share: many buyers share the address of a mobile operator.
 */
export function isOverForAddress(
  held: readonly Held[],
  wanted: readonly Held[],
  onHand: ReadonlyMap<number, number>,
  limits: Limits,
): boolean {
  if (isOver(held, wanted, { pieces: limits.reservedPiecesPerAddress, roubles: limits.reservedRoublesPerAddress })) return true;
  if (limits.addressSharePercent <= 0) return false;
  return wanted.some(({ coinId, pieces }) => {
    const before = held.filter((each) => each.coinId === coinId).reduce((sum, each) => sum + each.pieces, 0);
    const share = Math.floor(((onHand.get(coinId) ?? 0) * limits.addressSharePercent) / 100);
    return before + pieces > Math.max(share, limits.addressFreePieces, 1);
  });
}

/** One mailbox, however it is spelled: letters of either case, and anything behind a plus. */
export function sameMailbox(email: string): string {
  const [local = "", domain = ""] = email.trim().toLowerCase().split("@");
  return `${local.split("+")[0] ?? ""}@${domain}`;
}
