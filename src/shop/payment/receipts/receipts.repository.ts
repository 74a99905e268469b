import { and, asc, eq, gt, gte, inArray, isNull, lte } from "drizzle-orm";
import { z } from "zod";
import { hasRow, type Db, type Expression, type Tx } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import type { ReceiptMode } from "../gateway.ts";
import { receiptKinds, type FiscalReceipt, type ReceiptKind, type ReceiptState, type Registrar } from "./receipt.ts";
import { wholeReceipt } from "../repository.ts";
import { receipts, refunds } from "../tables.ts";

const fiscal = z.object({ documentNumber: z.string(), storageNumber: z.string(), attribute: z.string(), registeredAt: z.string() });

type Row = typeof receipts.$inferSelect;
/** A receipt with the data of its provider request. */
export type StoredReceipt = FiscalReceipt & { idempotenceKey: string; requestedAt: Date | null };

export const toReceipt = (row: Row): StoredReceipt => ({
  id: row.id,
  orderId: row.orderId,
  paymentId: row.paymentId,
  refundId: row.refundId,
  kind: row.kind as ReceiptKind,
  registrar: row.registrar as Registrar,
  mode: row.mode as ReceiptMode,
  amount: kopecks(row.amountKopecks),
  receipt: wholeReceipt.parse(row.receipt),
  state: row.state as ReceiptState,
  providerId: row.providerId,
  fiscal: fiscal.nullable().parse(row.fiscal),
  createdAt: row.createdAt,
  settledAt: row.settledAt,
  idempotenceKey: row.idempotenceKey,
  requestedAt: row.requestedAt,
});

/** Inserts a receipt; an existing one with the same `about` stays unchanged. */
export async function insert(tx: Tx, about: string, receipt: FiscalReceipt, nextCheckAt: Date | null): Promise<void> {
  const { amount, receipt: body, ...rest } = receipt;
  await tx
    .insert(receipts)
    .values({ ...rest, about, amountKopecks: amount, receipt: body, idempotenceKey: `receipt:${receipt.id}`, nextCheckAt })
    .onConflictDoNothing({ target: receipts.about });
}

export async function ofOrder(db: Db, orderId: string): Promise<FiscalReceipt[]> {
  const rows = await db.select().from(receipts).where(eq(receipts.orderId, orderId)).orderBy(asc(receipts.createdAt), asc(receipts.id));
  return rows
    .map(toReceipt)
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || receiptKinds.indexOf(a.kind) - receiptKinds.indexOf(b.kind));
}

/** Whether the order has a receipt of its hand-over; `since`: one made at that moment or later. */
export async function hasHandover(tx: Tx, orderId: string, since?: Date): Promise<boolean> {
  const [row] = await tx
    .select({ id: receipts.id })
    .from(receipts)
    .where(and(eq(receipts.orderId, orderId), eq(receipts.kind, "handover"), since && gte(receipts.createdAt, since)))
    .limit(1);
  return row !== undefined;
}

/**
 * The provider's receipt of a hand-over that is still to be registered and precedes this refund: an unsent return of the same sale. Null:
 * the refund waits for none. `isLocked` locks the receipt for the rest of the transaction.
 */
export async function handoverBeforeRefund(db: Db, refundId: string, { isLocked }: { isLocked: boolean }): Promise<string | null> {
  const query = db
    .select({ id: receipts.id })
    .from(receipts)
    .innerJoin(refunds, and(eq(refunds.orderId, receipts.orderId), eq(refunds.paymentId, receipts.paymentId)))
    .where(
      and(
        eq(refunds.id, refundId),
        isUnsentReturn,
        eq(receipts.kind, "handover"),
        eq(receipts.registrar, "provider"),
        eq(receipts.state, "new"),
      ),
    );
  const [row] = await (isLocked ? query.for("update", { of: receipts }) : query);
  return row?.id ?? null;
}

/** A refund of a sale, not of a prepayment, about which the provider was not called yet. */
const isUnsentReturn = and(eq(refunds.state, "new"), isNull(refunds.requestedAt), eq(refunds.mode, "full_payment"));

/** Makes the refunds due that waited for the receipt of this payment's hand-over. */
export async function releaseRefunds(db: Db, paymentId: string, now: Date): Promise<void> {
  await db
    .update(refunds)
    .set({ nextCheckAt: now })
    .where(and(eq(refunds.paymentId, paymentId), isUnsentReturn, gt(refunds.nextCheckAt, now)));
}

export const hasDue = (now: Date): Expression => hasRow(receipts, lte(receipts.nextCheckAt, now));

export async function dueIds(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: receipts.id })
    .from(receipts)
    .where(lte(receipts.nextCheckAt, now))
    .orderBy(receipts.nextCheckAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Claims one receipt for a call to the provider until `postponed`; null when it is settled or another process has claimed it. */
export async function claim(db: Db, id: string, now: Date, postponed: Date): Promise<StoredReceipt | null> {
  const [row] = await db
    .update(receipts)
    .set({ nextCheckAt: postponed })
    .where(and(eq(receipts.id, id), inArray(receipts.state, ["new", "pending"]), lte(receipts.nextCheckAt, now)))
    .returning();
  return row ? toReceipt(row) : null;
}

export async function lock(tx: Tx, id: string): Promise<StoredReceipt | null> {
  const [row] = await tx.select().from(receipts).where(eq(receipts.id, id)).for("update");
  return row ? toReceipt(row) : null;
}

export async function markRequested(db: Db, id: string, at: Date): Promise<void> {
  await db
    .update(receipts)
    .set({ requestedAt: at })
    .where(and(eq(receipts.id, id), isNull(receipts.requestedAt)));
}

export type ReceiptChanges = Partial<Pick<FiscalReceipt, "state" | "registrar" | "providerId" | "fiscal" | "settledAt">> & {
  nextCheckAt: Date | null;
  idempotenceKey?: string;
  requestedAt?: Date | null;
};
export async function save(db: Db, id: string, changes: ReceiptChanges): Promise<void> {
  await db.update(receipts).set(changes).where(eq(receipts.id, id));
}

/** Receipts that wait for staff, to be printed at the office or refused by the provider; oldest first. */
export async function waiting(db: Db): Promise<FiscalReceipt[]> {
  const rows = await db
    .select()
    .from(receipts)
    .where(and(inArray(receipts.state, ["new", "canceled"]), isNull(receipts.nextCheckAt)))
    .orderBy(asc(receipts.createdAt));
  return rows.map(toReceipt);
}
