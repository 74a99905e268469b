import { inTransaction, type Db, type Tx } from "#kit/db.ts";
import { subtract } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import type { BankReference } from "#shop/payment/transfers/bank-transfer.ts";
import * as payment from "#shop/payment/service.ts";
import type { OrderError } from "../order.ts";
import * as rows from "../repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";
import { payLocked } from "../staff.service.ts";
import { isPayer, findOrderNumbers, type EntryOutcome, type PayableOrder, type UnmatchedReason, type StatementEntry } from "./statement.ts";

/**
 * Processes one entry of the bank's statement: money that arrived on the shop's account and names one order in its purpose is recorded
 * as staff would record it (a part, the whole, too much, too late). Idempotent, also after staff has entered the same payment order.
 * An ambiguous entry changes nothing and is left to staff.
 */
export async function processEntry(ctx: Ctx, entry: StatementEntry): Promise<EntryOutcome> {
  const { account } = ctx.settings.seller;
  if (!entry.payeeAccounts.includes(account) || entry.payerAccount === account) return { kind: "foreign" };
  if (entry.arrivedOn === null) return left("not_arrived");
  const reference: BankReference = { number: entry.number, date: entry.date, payerAccount: entry.payerAccount };
  const { numbers, bare } = findOrderNumbers(entry.purpose);
  const ids = await rows.idsByNumbers(ctx.db, numbers);
  const known = await payment.findTransfer(ctx.db, reference, entry.amount);
  const isNamed = known !== null && ids.includes(known.orderId);
  // An entry without the payer's account may belong to another payer with the same number, day and sum.
  if (known && !known.isPayerKnown && ids.length > 0 && !isNamed) return left("entered_for_another_order");
  if (known && (!isNamed || (await payment.namePayer(ctx.db, known, reference))))
    return { kind: "known", orderNumber: await numberOf(ctx.db, known.orderId) };
  const [id] = ids;
  if (numbers.length === 0) return left("no_order_number");
  if (id === undefined) return left("no_such_order");
  if (ids.length > 1) return left("several_orders");

  return inTransaction(ctx.db, async (tx): Promise<EntryOutcome> => {
    const order = await rows.lock(tx, id);
    if (!order) return left("no_such_order");
    if (await payment.hasTransferWithoutReference(tx, id)) return left("entered_without_reference");
    if (bare.includes(order.number) && !(await isMatching(tx, order, entry))) return left("number_without_match");
    const paid = await payLocked(tx, ctx, order, { amount: entry.amount, reference });
    if (paid.ok) return { kind: "counted", orderNumber: order.number, state: paid.value.state };
    return paid.error.code === "order.transfer_known"
      ? { kind: "known", orderNumber: paid.error.orderNumber }
      : left("not_payable_by_transfer");
  });
}

/**
 * Records an entry for the order that staff chose, as `processEntry` does for the order that its purpose names. `known`: the same payment
 * order was recorded for this order before.
 *
 * Refuses with `order.not_found`; `order.entered_before` when the order has money without the bank's reference, which may be this money,
 * unless `evenIfEntered`; `order.event_refused` for an order that is paid at the desk; `order.transfer_known` when the same payment order
 * was recorded for another order.
 */
export function recordEntryFor(
  ctx: Ctx,
  orderId: string,
  entry: Pick<StatementEntry, "number" | "date" | "payerAccount" | "amount">,
  { evenIfEntered }: { evenIfEntered: boolean },
): Promise<Result<{ kind: "counted" | "known"; orderNumber: number }, OrderError | { code: "order.entered_before" }>> {
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, orderId);
    if (!order) return fail({ code: "order.not_found" });
    if (!evenIfEntered && (await payment.hasTransferWithoutReference(tx, orderId))) return fail({ code: "order.entered_before" });
    const reference: BankReference = { number: entry.number, date: entry.date, payerAccount: entry.payerAccount };
    const paid = await payLocked(tx, ctx, order, { amount: entry.amount, reference });
    if (paid.ok) return done({ kind: "counted", orderNumber: order.number });
    if (paid.error.code !== "order.transfer_known" || paid.error.orderNumber !== order.number) return paid;
    const known = await payment.findTransfer(tx, reference, entry.amount);
    if (known) await payment.namePayer(tx, known, reference);
    return done({ kind: "known", orderNumber: order.number });
  });
}

/** Orders that wait for money, newest first, and the orders with these numbers in any state: where a transfer may belong. */
export const payableOrders = (db: Db, numbers: readonly number[]): Promise<PayableOrder[]> => rows.payable(db, numbers, maxOpenOrders);
/** No more unpaid orders than this are checked. */
const maxOpenOrders = 2_000;

/** Whether more than the number matches this order: the sum, the recipient's name, or the account of an earlier transfer. */
async function isMatching(tx: Tx, order: StoredOrder, { amount, payer, payerAccount }: StatementEntry): Promise<boolean> {
  if (amount === order.total || amount === subtract(order.total, order.paid) || isPayer(payer, order.user)) return true;
  return payerAccount !== null && (await payment.hasTransferFrom(tx, order.id, payerAccount));
}

const left = (why: UnmatchedReason): EntryOutcome => ({ kind: "left", why });

const numberOf = async (db: Db, orderId: string): Promise<number> => (await rows.numberById(db, orderId)) ?? 0;
