import { inTransaction, type Db } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { stuckBefore } from "../refunds/provider-refund.service.ts";
import type {
  DifferenceRow,
  MoneyListPage,
  PaymentCard,
  PaymentFilter,
  PaymentRow,
  ReceiptFilter,
  ReceiptRow,
  RefundRow,
  TransferRow,
  WaitingCounts,
} from "./lists.ts";
import * as rows from "./lists.repository.ts";

/** Lists for staff, by keyset pages: one or two statements whatever the number of rows. They check no rights. */

/** Attempts to pay, newest first. */
export const listPayments = (db: Db, filter: PaymentFilter, page: MoneyListPage): Promise<PaymentRow[]> =>
  rows.paymentsPage(db, filter, page);

/** A payment with its webhooks, refunds and receipts; null: none. */
export const paymentCard = (db: Db, id: string): Promise<PaymentCard | null> => rows.paymentCard(db, id);

/** Receipts: those that wait for staff, oldest first; the others, newest first. */
export const listReceipts = (db: Db, filter: ReceiptFilter, page: MoneyListPage): Promise<ReceiptRow[]> =>
  rows.receiptsPage(db, filter, page);

type IdPage = { before: number | null; limit: number };

/** Bank transfers, newest entry first. */
export const listTransfers = (db: Db, filter: { number?: string | undefined }, page: IdPage): Promise<TransferRow[]> =>
  rows.transfersPage(db, filter, page);

/** Differences with the provider's ledger, newest first. */
export const listDifferences = (db: Db, isSettled: boolean, page: IdPage): Promise<DifferenceRow[]> =>
  rows.differencesPage(db, isSettled, page);

/**
 * Records what staff found out about a difference, so that it waits no longer. The first settlement stays: a repeated one refuses with
 * `difference.settled`. Refuses with `difference.not_found`.
 */
export function settleDifference(
  ctx: Ctx,
  id: number,
  note: string,
): Promise<Result<null, { code: "difference.not_found" } | { code: "difference.settled" }>> {
  return inTransaction(ctx.db, async (tx) => {
    const isSettled = await rows.settleDifference(tx, id, { settledAt: ctx.now(), settledBy: actorText(ctx.actor), note });
    if (isSettled === null) return fail({ code: "difference.not_found" });
    return isSettled ? done(null) : fail({ code: "difference.settled" });
  });
}

/** Refunds that wait for staff, oldest first. */
export const listRefunds = (ctx: Ctx, page: MoneyListPage): Promise<RefundRow[]> => rows.refundsPage(ctx.db, stuckBefore(ctx), page);

/** How much of this module waits for staff. */
export const countWaiting = (ctx: Ctx): Promise<WaitingCounts> => rows.countWaiting(ctx.db, stuckBefore(ctx));
