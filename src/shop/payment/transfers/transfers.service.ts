import type { Db, Tx } from "#kit/db.ts";
import type { Kopecks } from "#kit/money.ts";
import type { Ctx } from "#shop/context.ts";
import type { BankReference } from "./bank-transfer.ts";
import * as rows from "./transfers.repository.ts";
import type { BankTransfer } from "./transfers.repository.ts";

/**
 * Enters a payment order of the bank's statement, once: `isNew` is false when it was entered before, for this order or another.
 * The caller has locked the order and records the money of a new entry in the same transaction.
 */
export async function enterTransfer(
  tx: Tx,
  ctx: Ctx,
  entry: { orderId: string; reference: BankReference; amount: Kopecks },
): Promise<BankTransfer & { isNew: boolean }> {
  await rows.lockReference(tx, entry.reference);
  const known = await rows.find(tx, entry.reference, entry.amount);
  if (known) return { ...known, isNew: false };
  const id = await rows.insert(tx, { ...entry, at: ctx.now(), actor: ctx.actor });
  return { id, orderId: entry.orderId, isPayerKnown: entry.reference.payerAccount !== null, isNew: true };
}

/** The stored entry of this payment order; null: none. */
export const findTransfer = (db: Db, reference: BankReference, amount: Kopecks): Promise<BankTransfer | null> =>
  rows.find(db, reference, amount);

/**
 * Adds the payer's account that the bank names to a payment order that was entered without it: from then on it matches no other payer's of
 * the same number, day and sum. False: it has another payer's account by now.
 */
export async function namePayer(db: Db, transfer: BankTransfer, { payerAccount }: BankReference): Promise<boolean> {
  return transfer.isPayerKnown || payerAccount === null || rows.namePayer(db, transfer.id, payerAccount);
}

/** Whether an earlier transfer of this order came from this account. */
export const hasTransferFrom = (db: Db, orderId: string, payerAccount: string): Promise<boolean> => rows.hasFrom(db, orderId, payerAccount);

/** Whether transfers of this order were entered without their reference; a statement might then count them twice. */
export const hasTransferWithoutReference = (db: Db, orderId: string): Promise<boolean> => rows.hasWithoutReference(db, orderId);

/** Entered payment orders with this number, the newest first. */
export const transfersByNumber = rows.byNumber;
