import { and, eq, inArray, sql, sum } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";
import { actorText, type Actor } from "#shop/actor.ts";
import type { PaymentOrder, Refund } from "../payment.ts";
import { refunds, refundTransfers } from "../tables.ts";

/** The sum of a payment's refunds that staff paid by transfer: the provider does not know them. */
export async function sumPaidByTransfer(db: Db, paymentId: string): Promise<Kopecks> {
  const [row] = await db
    .select({ total: sum(refunds.amountKopecks) })
    .from(refunds)
    .innerJoin(refundTransfers, eq(refundTransfers.refundId, refunds.id))
    .where(eq(refunds.paymentId, paymentId));
  return kopecks(Number(row?.total ?? 0));
}

/** The payment orders by which staff paid these refunds, by the refund's id. */
export async function transfersOfRefunds(db: Db, refundIds: readonly string[]): Promise<Map<string, PaymentOrder>> {
  if (refundIds.length === 0) return new Map();
  const { refundId, number, date } = refundTransfers;
  const rows = await db
    .select({ refundId, number, date })
    .from(refundTransfers)
    .where(inArray(refundId, [...refundIds]));
  return new Map(rows.map((row) => [row.refundId, { number: row.number, date: row.date }]));
}

export async function insertRefundTransfer(
  tx: Tx,
  { refund, transfer, at, actor }: { refund: Refund; transfer: PaymentOrder; at: Date; actor: Actor },
): Promise<void> {
  const { number, date } = transfer;
  const row = { refundId: refund.id, orderId: refund.orderId, number, date, recordedAt: at, actor: actorText(actor) };
  await tx.insert(refundTransfers).values(row);
}

/** The refunds for which this payment order was recorded. */
export function refundsOfTransfer(db: Db, { number, date }: PaymentOrder): Promise<{ refundId: string; orderId: string }[]> {
  const { refundId, orderId } = refundTransfers;
  return db
    .select({ refundId, orderId })
    .from(refundTransfers)
    .where(and(eq(refundTransfers.number, number), eq(refundTransfers.date, date)));
}

/** Locks refunds by this payment order until the transaction ends. Lock the order first. */
export async function lockRefundTransfer(tx: Tx, { number, date }: PaymentOrder): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`refund-transfer:${number}:${date}`}, 0))`);
}
