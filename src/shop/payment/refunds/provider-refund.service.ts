import { inTransaction, type Expression, type Tx } from "#kit/db.ts";
import { add, kopecks, type Kopecks } from "#kit/money.ts";
import { faultFields } from "#kit/network/outbound.ts";
import { hours, minutes, plus, seconds } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import { withReceiptMode } from "#shop/tax.ts";
import { batchSize, judgeWebhooks, roundsPerSweep } from "../status.service.ts";
import { PaymentRefused, type ProviderRefund } from "../gateway.ts";
import { idempotenceKeyLifetime, nextRefundCheckAfter, refundStates, type Refund, type WaitingRefund } from "../payment.ts";
import { asLines, leftOf, takeAmount } from "../receipts/receipt-part.ts";
import { processHandoverBefore, waitsForHandover } from "../receipts/receipts.service.ts";
import * as rows from "../repository.ts";
import * as refundRows from "./refunds.repository.ts";
import { refundIdOfKey, settleRefund } from "./refund.service.ts";
import { isRefusedThere } from "./refused-refund.service.ts";

/** How long a claimed refund belongs to one process; longer than one call to the provider may take. */
const claimLease = seconds(30);

/**
 * Sends one due refund or fetches its status, unless another process has claimed it. The return of a sale is sent after the receipt of its
 * hand-over. For the job; after an outage the sweep continues.
 */
export async function processRefund(ctx: Ctx, refundId: string): Promise<void> {
  await processHandoverBefore(ctx, refundId);
  const refund = await refundRows.claimRefund(ctx.db, refundId, ctx.now(), plus(ctx.now(), claimLease));
  if (!refund) return checkLateWebhook(ctx, refundId);
  if (refund.state === "new" && (await postponeBehindHandover(ctx, refund))) return;
  const askedAt = ctx.now();
  try {
    const answer = refund.state === "new" ? await send(ctx, refund) : await ctx.gateways.payment.findRefund(refund.providerId ?? "");
    if (answer) await applyProviderRefund(ctx, refund, answer, askedAt);
    else await postpone(ctx, refund);
  } catch (error) {
    ctx.log.warn({ ...faultFields(error), orderId: refund.orderId, paymentId: refund.paymentId }, "a refund could not be pursued");
    await postpone(ctx, refund);
  }
}

/** Schedules the next check of a refund that waits for the receipt of its hand-over; false: it does not wait. */
const postponeBehindHandover = (ctx: Ctx, refund: refundRows.StoredRefund): Promise<boolean> =>
  inTransaction(ctx.db, async (tx) => {
    const isWaiting = await waitsForHandover(tx, refund.id);
    if (isWaiting) await refundRows.postponeRefund(tx, refund.id, { nextCheckAt: nextCheckOf(ctx, refund), now: ctx.now() });
    return isWaiting;
  });

/** Fetches the state of a refund that is settled here, when a webhook about it has no verdict yet. */
async function checkLateWebhook(ctx: Ctx, refundId: string): Promise<void> {
  const refund = await refundRows.refundById(ctx.db, refundId);
  if (!refund || refund.providerId === null || !isSettled(refund)) return;
  const askedAt = ctx.now();
  if ((await rows.unjudgedEvents(ctx.db, refund.providerId, askedAt)).length === 0) return;
  const answer = await ctx.gateways.payment.findRefund(refund.providerId);
  if (answer) await applyProviderRefund(ctx, refund, answer, askedAt);
}

const isSettled = ({ state }: Refund): boolean => state === "succeeded" || state === "canceled";

/** Processes every refund that is due. For the sweep. */
export async function processDueRefunds(ctx: Ctx): Promise<void> {
  for (let round = 0; round < roundsPerSweep; round += 1) {
    const due = await refundRows.dueRefundIds(ctx.db, ctx.now(), batchSize);
    await Promise.all(due.map((id) => processRefund(ctx, id)));
    if (due.length < batchSize) return;
  }
}

/** Whether `processDueRefunds` has something to do. */
export const hasDueRefund = (ctx: Ctx): Expression => refundRows.hasDueRefund(ctx.now());

/** Makes a refund due at once about which the provider has not answered; false: it is not stuck. Only staff starts it. */
export const checkStuckRefund = (tx: Tx, ctx: Ctx, refundId: string): Promise<boolean> =>
  refundRows.checkStuckRefund(tx, refundId, { now: ctx.now(), before: stuckBefore(ctx) });

/**
 * Raises `payment.refund_stuck` for each refund about which the provider has not answered for an hour (wrong credentials, an outage), and
 * again once a day until it answers. For the sweep.
 */
export async function alarmStuckRefunds(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const stuck = await refundRows.claimStuckRefunds(ctx.db, {
    now,
    before: stuckBefore(ctx),
    again: plus(now, -hours(ctx.settings.limits.refundStuckAgainHours)),
    limit: alarmsPerSweep,
  });
  for (const { id, orderId, amount, unansweredSince } of stuck) {
    ctx.alarm("payment.refund_stuck", { orderId, refundId: id, amountKopecks: amount, since: unansweredSince?.toISOString() ?? "" });
  }
}

/** Per run of the sweep; the next run raises the rest. */
const alarmsPerSweep = 50;
/** A refund that has had no answer since before this moment is stuck. */
export const stuckBefore = (ctx: Ctx): Date => plus(ctx.now(), -minutes(ctx.settings.limits.refundStuckMinutes));

/** Refunds that wait for staff: stuck, refused finally, or to be paid by hand. */
export const refundsWaiting = (ctx: Ctx): Promise<WaitingRefund[]> => refundRows.waitingRefunds(ctx.db, stuckBefore(ctx));

/** `id` null: the provider refused the request outright. */
type Outcome = { status: ProviderRefund["status"]; id: string | null; amount: Kopecks; paymentId: string };

/** Schedules the next check after a call without a usable answer; `alarmStuckRefunds` reports a refund for which this goes on. */
const postpone = (ctx: Ctx, refund: refundRows.StoredRefund) =>
  refundRows.postponeRefund(ctx.db, refund.id, { nextCheckAt: nextCheckOf(ctx, refund), now: ctx.now() });

/** By the time since the first request, or since the refund waits for one: it may have been decided long before. */
const nextCheckOf = (ctx: Ctx, { requestedAt, unansweredSince, createdAt }: refundRows.StoredRefund): Date =>
  nextRefundCheckAfter(requestedAt ?? unansweredSince ?? createdAt, ctx.now());

async function send(ctx: Ctx, refund: refundRows.StoredRefund): Promise<Outcome> {
  const known = await rows.byIdWithRequest(ctx.db, refund.paymentId);
  if (!known?.payment.providerId) throw new Error(`refund ${refund.id} of a payment without the provider's id`);
  const { request } = known;
  const providerPaymentId = known.payment.providerId;
  const isKeyForgotten = refund.requestedAt !== null && ctx.now() > plus(refund.requestedAt, idempotenceKeyLifetime);
  const made = isKeyForgotten ? await findExisting(ctx, providerPaymentId, refund) : null;
  if (made) return made;

  await refundRows.markRefundRequested(ctx.db, refund.id, ctx.now());
  try {
    return await ctx.gateways.payment.refund({
      idempotenceKey: refund.idempotenceKey,
      providerPaymentId,
      amount: refund.amount,
      mode: refund.mode,
      receipt: withReceiptMode(ctx.settings.seller.tax, refund.mode, {
        ...request.receipt,
        lines: asLines(refund.lines ?? takeAmount(leftOf(request.receipt.lines, []), refund.amount)),
      }),
    });
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    const madeBefore = await findExisting(ctx, providerPaymentId, refund);
    if (madeBefore) return madeBefore;
    ctx.log.error({ err: error, orderId: refund.orderId, paymentId: refund.paymentId }, "the provider refused a refund");
    return { status: "canceled", id: null, amount: refund.amount, paymentId: providerPaymentId };
  }
}

/**
 * Finds a refund in the provider's list of the payment's refunds when its answer, or our record of it, was lost: by our key, or by its sum
 * among those that no refund stored here made. These are refunds without a key (made in the provider's back office or by an earlier
 * release), and those whose key names a refund that this database does not have: it was restored to a moment before they were made.
 * The payment's refunded total proves nothing, because it may include pending refunds. Null: the refund was never made.
 *
 * Throws while the total is more than the list contains: the list lags behind, and the refund is checked later.
 */
async function findExisting(ctx: Ctx, providerPaymentId: string, refund: refundRows.StoredRefund): Promise<Outcome | null> {
  const { payment: gateway } = ctx.gateways;
  const listed = await gateway.refundsOf(providerPaymentId);
  const own = listed.find((each) => each.key === refund.idempotenceKey);
  if (own) return own;
  const live = listed.filter((each) => each.status !== "canceled");
  const known = await refundRows.refundsByProviderIds(
    ctx.db,
    live.map((each) => each.id),
  );
  const stored = new Set((await refundRows.refundsOfPayment(ctx.db, refund.paymentId)).map((each) => each.id));
  const unclaimed = live.find(({ id, key, amount }) => !known.has(id) && !stored.has(refundIdOfKey(key)) && amount === refund.amount);
  if (unclaimed) return unclaimed;
  const total = (await gateway.find(providerPaymentId))?.refunded ?? kopecks(0);
  if (total > add(...live.map((each) => each.amount))) throw new Error("the provider has given back more than it lists");
  return null;
}

const events = { pending: "wait", succeeded: "succeed", canceled: "cancel" } as const;

/**
 * Applies the provider's state of a refund, under the payment's lock. A repeated answer changes nothing. Nor does an answer to a request
 * whose refund is settled here, or was sent again under a new key: its success means that the money goes back twice, and raises an alarm.
 */
async function applyProviderRefund(ctx: Ctx, claimed: refundRows.StoredRefund, answer: Outcome, askedAt: Date): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const payment = await rows.lock(tx, claimed.paymentId);
    const refund = await refundRows.lockRefund(tx, claimed.id);
    if (!payment || !refund) throw new Error(`no refund ${claimed.id}`);
    if (isSettled(refund) || refund.idempotenceKey !== claimed.idempotenceKey) {
      if (answer.id !== null) await judgeWebhooks(tx, ctx, { id: answer.id, status: answer.status }, askedAt);
      const isUnexpected = refund.idempotenceKey !== claimed.idempotenceKey || (await isRefusedThere(tx, refund));
      if (answer.status === "succeeded" && isUnexpected)
        ctx.alarm("payment.mismatch", { paymentId: payment.id, refundId: refund.id, difference: "late_refund" });
      return;
    }
    if (answer.paymentId !== payment.providerId || answer.amount !== refund.amount) {
      ctx.alarm("payment.mismatch", { paymentId: payment.id, difference: "refund" });
      // Staff must examine it first.
      await refundRows.postponeRefund(tx, refund.id, { nextCheckAt: plus(ctx.now(), hours(1)), now: ctx.now() });
      return;
    }
    if (answer.id !== null) await judgeWebhooks(tx, ctx, { id: answer.id, status: answer.status }, askedAt);
    // An outright refusal says nothing about a refund that the provider has accepted since.
    if (answer.id === null && refund.state !== "new") return;
    const move = step(refundStates, refund.state, events[answer.status]);
    const providerId = answer.id ?? undefined;
    if (move.kind !== "moved") {
      if (refund.state === "pending")
        await refundRows.saveRefund(tx, refund.id, {
          state: refund.state,
          nextCheckAt: checkAfterAnswer(claimed, refund, nextCheckOf(ctx, refund)),
          unansweredSince: null,
        });
      return;
    }
    if (move.to === "succeeded") return settleRefund(tx, ctx, refund, { changes: { providerId } });
    if (move.to === "canceled") ctx.alarm("payment.refund_failed", { orderId: payment.orderId, refundId: refund.id });
    await refundRows.saveRefund(tx, refund.id, {
      state: move.to,
      providerId,
      unansweredSince: null,
      ...(move.to === "canceled" ? { settledAt: ctx.now(), nextCheckAt: null } : { nextCheckAt: nextCheckOf(ctx, refund) }),
    });
  });
}

/** The scheduled check, or the earlier one that a webhook has set since the refund was claimed: the answer may be older than it. */
function checkAfterAnswer(
  { nextCheckAt: leaseEnd }: refundRows.StoredRefund,
  { nextCheckAt }: refundRows.StoredRefund,
  scheduled: Date,
): Date {
  const isWantedSooner = nextCheckAt !== null && leaseEnd !== null && nextCheckAt < leaseEnd && nextCheckAt < scheduled;
  return isWantedSooner ? nextCheckAt : scheduled;
}
