import { countLimit } from "#kit/count-limit.ts";
import { and, asc, desc, eq, gte, isNotNull, isNull, lt, or, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Db, Tx } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import { byHand, type PaymentMethodName } from "../payment.ts";
import { toReceipt } from "../receipts/receipts.repository.ts";
import { toPayment } from "../repository.ts";
import { isRefused, isStuck, leftOfPayment, toRefund, toWaitingRefund } from "../refunds/refunds.repository.ts";
import { bankTransfers, paymentDifferences, paymentEvents, payments, receipts, refunds, refundTransfers } from "../tables.ts";
import {
  type DifferenceRow,
  type MoneyListPage,
  type ListPlace,
  type PaymentCard,
  type PaymentFilter,
  type PaymentRow,
  type ReceiptFilter,
  type ReceiptPart,
  type ReceiptRow,
  type RefundRow,
  type TransferRow,
  type WaitingCounts,
} from "./lists.ts";

/** The order's number as the payment's request has it. */
const orderNumber = sql<string>`coalesce(${payments.ask} ->> 'orderNumber', '')`;

const before = (place: ListPlace | null, at: AnyPgColumn, id: AnyPgColumn): SQL | undefined =>
  place ? sql`(${at}, ${id}) < (${place.at.toISOString()}::timestamptz, ${place.id})` : undefined;
const behind = (place: ListPlace | null, at: AnyPgColumn, id: AnyPgColumn): SQL | undefined =>
  place ? sql`(${at}, ${id}) > (${place.at.toISOString()}::timestamptz, ${place.id})` : undefined;

/** Payments, newest first. */
export async function paymentsPage(
  db: Db,
  { state, method, from, till, named }: PaymentFilter,
  { after, limit }: MoneyListPage,
): Promise<PaymentRow[]> {
  const rows = await db
    .select({ payment: payments, orderNumber })
    .from(payments)
    .where(
      and(
        state ? eq(payments.state, state) : undefined,
        method ? eq(payments.method, method) : undefined,
        from ? gte(payments.createdAt, from) : undefined,
        till ? lt(payments.createdAt, till) : undefined,
        named && or(eq(payments.orderId, named.orderId), eq(payments.providerId, named.providerId)),
        before(after, payments.createdAt, payments.id),
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(limit);
  return rows.map((row) => ({ ...toPayment(row.payment), orderNumber: row.orderNumber }));
}

/** How much of a payment's history the card shows. */
const maxCardRows = 100;

export async function paymentCard(db: Db, id: string): Promise<PaymentCard | null> {
  const [row] = await db
    .select({ payment: payments, orderNumber, transfer: bankTransfers })
    .from(payments)
    .leftJoin(bankTransfers, eq(bankTransfers.id, payments.transferId))
    .where(eq(payments.id, id));
  if (!row) return null;
  const events = await db
    .select()
    .from(paymentEvents)
    .where(eq(paymentEvents.paymentId, id))
    .orderBy(asc(paymentEvents.id))
    .limit(maxCardRows);
  const back = await db
    .select({ refund: refunds, transfer: { number: refundTransfers.number, date: refundTransfers.date } })
    .from(refunds)
    .leftJoin(refundTransfers, eq(refundTransfers.refundId, refunds.id))
    .where(eq(refunds.paymentId, id))
    .orderBy(asc(refunds.createdAt))
    .limit(maxCardRows);
  const printed = await db
    .select({ id: receipts.id, kind: receipts.kind, state: receipts.state, createdAt: receipts.createdAt })
    .from(receipts)
    .where(and(eq(receipts.orderId, row.payment.orderId), eq(receipts.paymentId, id)))
    .orderBy(asc(receipts.createdAt))
    .limit(maxCardRows);
  return {
    ...toPayment(row.payment),
    orderNumber: row.orderNumber,
    actor: row.payment.actor,
    transfer: row.transfer && { number: row.transfer.number, date: row.transfer.date },
    events: events.map(({ event, status, receivedAt, verdict }) => ({
      event,
      status,
      receivedAt,
      isConfirmed: verdict === null ? null : verdict === "confirmed",
    })),
    refunds: back.map(({ refund, transfer }) => ({ ...toRefund(refund), transfer })),
    receipts: printed,
  };
}

const receiptsIn: Readonly<Record<ReceiptPart, SQL | undefined>> = {
  to_print: and(eq(receipts.state, "new"), eq(receipts.registrar, "office")),
  failed: eq(receipts.state, "canceled"),
  registering: or(eq(receipts.state, "pending"), and(eq(receipts.state, "new"), eq(receipts.registrar, "provider"))),
  printed: eq(receipts.state, "succeeded"),
};

/** Receipts: those that wait, oldest first; the others, newest first. */
export async function receiptsPage(db: Db, { part, orderId }: ReceiptFilter, { after, limit }: MoneyListPage): Promise<ReceiptRow[]> {
  const isWaiting = part === "to_print" || part === "failed";
  const rows = await db
    .select({ receipt: receipts, orderNumber })
    .from(receipts)
    .innerJoin(payments, eq(payments.id, receipts.paymentId))
    .where(
      and(
        part === null ? undefined : receiptsIn[part],
        orderId === undefined ? undefined : eq(receipts.orderId, orderId),
        (isWaiting ? behind : before)(after, receipts.createdAt, receipts.id),
      ),
    )
    .orderBy(...[receipts.createdAt, receipts.id].map((column) => (isWaiting ? asc(column) : desc(column))))
    .limit(limit);
  return rows.map((row) => ({ ...toReceipt(row.receipt), orderNumber: row.orderNumber }));
}

/** Transfers, newest entry first; `number`: of the payment order. */
export async function transfersPage(
  db: Db,
  { number }: { number?: string | undefined },
  { before: last, limit }: { before: number | null; limit: number },
): Promise<TransferRow[]> {
  const rows = await db
    .select({
      transfer: bankTransfers,
      orderNumber: sql<string>`coalesce((select p.ask ->> 'orderNumber' from payments p
        where p.order_id = bank_transfers.order_id limit 1), '')`,
    })
    .from(bankTransfers)
    .where(and(last === null ? undefined : lt(bankTransfers.id, last), number ? eq(bankTransfers.number, number) : undefined))
    .orderBy(desc(bankTransfers.id))
    .limit(limit);
  return rows.map(({ transfer, orderNumber: of }) => ({ ...transfer, amount: kopecks(transfer.amountKopecks), orderNumber: of }));
}

/** Differences, newest first. */
export async function differencesPage(
  db: Db,
  isSettled: boolean,
  { before: last, limit }: { before: number | null; limit: number },
): Promise<DifferenceRow[]> {
  return db
    .select()
    .from(paymentDifferences)
    .where(
      and(
        isSettled ? isNotNull(paymentDifferences.settledAt) : isNull(paymentDifferences.settledAt),
        last === null ? undefined : lt(paymentDifferences.id, last),
      ),
    )
    .orderBy(desc(paymentDifferences.id))
    .limit(limit);
}

/** Settles a difference that waits; null: there is none with this id; false: it was settled before. */
export async function settleDifference(
  tx: Tx,
  id: number,
  settled: { settledAt: Date; settledBy: string; note: string },
): Promise<boolean | null> {
  const [row] = await tx
    .select({ settledAt: paymentDifferences.settledAt })
    .from(paymentDifferences)
    .where(eq(paymentDifferences.id, id))
    .for("update");
  if (!row) return null;
  if (row.settledAt !== null) return false;
  await tx.update(paymentDifferences).set(settled).where(eq(paymentDifferences.id, id));
  return true;
}

const isByHand = and(eq(refunds.state, "pending"), eq(payments.provider, byHand));

/** Refunds that wait for staff, oldest first. */
export async function refundsPage(db: Db, stuckBefore: Date, { after, limit }: MoneyListPage): Promise<RefundRow[]> {
  const rows = await db
    .select({
      refund: refunds,
      provider: payments.provider,
      left: leftOfPayment,
      method: payments.method,
      orderNumber,
      transfer: bankTransfers,
    })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .leftJoin(bankTransfers, eq(bankTransfers.id, payments.transferId))
    .where(and(or(isStuck(stuckBefore), isRefused, isByHand), behind(after, refunds.createdAt, refunds.id)))
    .orderBy(asc(refunds.createdAt), asc(refunds.id))
    .limit(limit);
  return rows.map((row) => ({
    ...toWaitingRefund(row),
    orderNumber: row.orderNumber,
    method: row.method as PaymentMethodName,
    transfer: row.transfer,
  }));
}

/** One statement; each count stops at `countLimit`. */
export async function countWaiting(db: Db, stuckBefore: Date): Promise<WaitingCounts> {
  const counted = (rows: SQL): SQL => sql`(select count(*)::int from (${rows} limit ${countLimit}) as counted)`;
  const refundsWhere = (where: SQL | undefined): SQL =>
    sql`select 1 from ${refunds} join ${payments} on ${payments.id} = ${refunds.paymentId} where ${where}`;
  const answer = (await db.execute(sql`select
    ${counted(sql`select 1 from ${receipts} where ${receiptsIn.to_print}`)} as "receiptsToPrint",
    ${counted(sql`select 1 from ${receipts} where ${receiptsIn.failed}`)} as "receiptsFailed",
    ${counted(refundsWhere(isByHand))} as "refundsByHand",
    ${counted(sql`select 1 from ${refunds} where ${isRefused}`)} as "refundsRefused",
    ${counted(sql`select 1 from ${refunds} where ${isStuck(stuckBefore)}`)} as "refundsStuck",
    ${counted(sql`select 1 from ${paymentDifferences} where ${isNull(paymentDifferences.settledAt)}`)} as "differences"`)) as unknown as {
    rows: WaitingCounts[];
  };
  const [counts] = answer.rows;
  if (!counts) throw new Error("nothing was counted");
  return counts;
}
