import { toRoubles, type Kopecks } from "#kit/money.ts";
import type { Limits } from "#shop/settings.ts";

/** Coins that unpaid orders reserve. */
export type ReservedCoins = { coinId: number; pieces: number; value: Kopecks };

type Reserve = { pieces: number; roubles: number };

/** Whether the coins reserved so far and those wanted now exceed the limits of one person or address. A limit of 0 is off. */
function isOver(reserved: readonly ReservedCoins[], wanted: readonly ReservedCoins[], limit: Reserve): boolean {
  const all = [...reserved, ...wanted];
  const pieces = all.reduce((sum, each) => sum + each.pieces, 0);
  const roubles = all.reduce((sum, each) => sum + toRoubles(each.value), 0);
  return (limit.pieces > 0 && pieces > limit.pieces) || (limit.roubles > 0 && roubles > limit.roubles);
}

/** Whether one person would reserve more than `limits` allow with the coins wanted now. */
export const isOverForPerson = (reserved: readonly ReservedCoins[], wanted: readonly ReservedCoins[], limits: Limits): boolean =>
  isOver(reserved, wanted, { pieces: limits.reservedPiecesPerPerson, roubles: limits.reservedRoublesPerPerson });

/**
 * The same for one address, which is also limited to a share of each coin, so that one client with many new browsers cannot reserve all
 * pieces. Up to `addressFreePieces` of a coin are always allowed: many buyers share the address of a mobile operator.
 */
export function isOverForAddress(
  reserved: readonly ReservedCoins[],
  wanted: readonly ReservedCoins[],
  onHand: ReadonlyMap<number, number>,
  limits: Limits,
): boolean {
  if (isOver(reserved, wanted, { pieces: limits.reservedPiecesPerAddress, roubles: limits.reservedRoublesPerAddress })) return true;
  if (limits.addressSharePercent <= 0) return false;
  return wanted.some(({ coinId, pieces }) => {
    const before = reserved.filter((each) => each.coinId === coinId).reduce((sum, each) => sum + each.pieces, 0);
    const share = Math.floor(((onHand.get(coinId) ?? 0) * limits.addressSharePercent) / 100);
    return before + pieces > Math.max(share, limits.addressFreePieces, 1);
  });
}

/** Normalises an e-mail to its mailbox: lower case, without the part after a plus. */
export function normaliseMailbox(email: string): string {
  const [local = "", domain = ""] = email.trim().toLowerCase().split("@");
  return `${local.split("+")[0] ?? ""}@${domain}`;
}
