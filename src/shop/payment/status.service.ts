import { createCoalescer } from "#kit/concurrency/coalesce.ts";
import { shareWait, shareRun } from "#kit/concurrency/deadline.ts";
import { inPipelinedTransaction, inTransaction, type Expression, type QueryBatch, type Tx } from "#kit/db.ts";
import { faultFields } from "#kit/network/outbound.ts";
import { hours, minutes, plus } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import type { ProviderPayment } from "./gateway.ts";
import {
  statusCheckInterval,
  byHand,
  idempotenceKeyLifetime,
  nextCheckAfter,
  nextCheckAfterFailure,
  nextSearchAfter,
  paymentStates,
  type Payment,
  type PaymentJobs,
} from "./payment.ts";
import { createPaymentReceipt } from "./receipts/receipts.service.ts";
import * as rows from "./repository.ts";

/** A payment with the newest state known here; `isCertain`: the provider has just confirmed it. */
export type FetchedPayment = { payment: Payment; isCertain: boolean };

/**
 * Fetches the provider's state of one payment and applies it; enqueues `payment.settled` when it succeeded.
 * May be called at any rate: the provider is called at most once in two seconds, and never about settled payments.
 * In an outage it returns the stored payment, and the sweep tries again. Null: no such payment.
 */
export async function check(ctx: Ctx, paymentId: string): Promise<Payment | null> {
  return (await fetchPaymentState(ctx, paymentId))?.payment ?? null;
}

/**
 * Fetches the state of every unsettled attempt of an order, for the return page and before an order expires.
 * `isCertain` is false when the provider did not answer about one of them.
 */
export async function checkOrder(ctx: Ctx, orderId: string): Promise<{ isCertain: boolean }> {
  const open = (await rows.ofOrders(ctx.db, [orderId])).filter((each) => !isSettled(each) && each.provider !== byHand);
  const checked = await Promise.all(open.map((each) => fetchPaymentState(ctx, each.id)));
  return { isCertain: checked.every((each) => each === null || each.isCertain) };
}

/**
 * Fetches the state of every payment that is due, so that a lost webhook costs a minute at most, and enqueues `payment.settled` again for
 * succeeded payments that orders have not decided about. For the sweep.
 */
export async function reconcile(ctx: Ctx): Promise<void> {
  for (let round = 0; round < roundsPerSweep; round += 1) {
    const leaseEnd = plus(ctx.now(), minutes(1));
    const due = await rows.claimDue(ctx.db, ctx.now(), batchSize, leaseEnd);
    const settle = (each: Payment) =>
      each.state === "succeeded" ? announceAgain(ctx, each.id) : fetchPaymentState(ctx, each.id, leaseEnd);
    await Promise.all(due.map(settle));
    if (due.length < batchSize) return;
  }
}

/** Whether `reconcile` has something to do. */
export const hasDue = (ctx: Ctx): Expression => rows.hasDue(ctx.now());

/** How many requests a sweep sends at once, and how many batches: after an outage the backlog shrinks fast and buyers are still served. */
export const batchSize = 10;
export const roundsPerSweep = 10;

/** Whether an attempt can no longer change at the provider. */
export const isSettled = (payment: Payment): boolean => payment.state === "succeeded" || payment.state === "canceled";

/**
 * Does what `check` does and also returns whether the state is certain. Concurrent calls in one process share one request.
 * `leaseEnd`: until when the caller's sweep has claimed the payment.
 */
export async function fetchPaymentState(ctx: Ctx, paymentId: string, leaseEnd: Date | null = null): Promise<FetchedPayment | null> {
  const requests = ctx.singleton("payment.status_requests", () => new Map<string, Promise<FetchedPayment | null>>());
  const running = requests.get(paymentId);
  if (running) return shareWait(running);
  const request = shareRun(() => fetchOnce(ctx, paymentId, leaseEnd).finally(() => requests.delete(paymentId)));
  requests.set(paymentId, request);
  return shareWait(request);
}

/** A status request about an open payment; `askedAt`: when it was claimed; `leaseEnd`: until when a sweep has claimed the payment. */
export type StatusCheck = { payment: Payment; askedAt: Date; leaseEnd: Date | null };

/**
 * Claims a status request in the caller's transaction, regardless of the interval, by the statements of `write`; `fetchNow` sends it after
 * the commit.
 */
export function claimStatusCheck(tx: Tx, ctx: Ctx, payment: Payment): { check: StatusCheck; write: QueryBatch<void> } {
  const askedAt = ctx.now();
  return { check: { payment, askedAt, leaseEnd: null }, write: rows.claimStatusCheckBatch(tx, payment.id, askedAt) };
}

/** Fetches the state at once, for a buyer who must not be sent to a closed payment page. Concurrent calls share the next request. */
export function fetchNow(ctx: Ctx, statusCheck: StatusCheck): Promise<FetchedPayment> {
  const coalesce = ctx.singleton("payment.status_requests_now", createCoalescer);
  return coalesce(statusCheck.payment.id, () => fetchAndApply(ctx, statusCheck));
}

async function fetchOnce(ctx: Ctx, paymentId: string, leaseEnd: Date | null): Promise<FetchedPayment | null> {
  const askedAt = ctx.now();
  const payment = await rows.claimStatusCheck(ctx.db, paymentId, askedAt, statusCheckInterval);
  if (!payment) {
    const known = await rows.byId(ctx.db, paymentId);
    if (!known || isSettled(known) || known.provider === byHand) return known && { payment: known, isCertain: true };
    await rows.checkSoon(ctx.db, known.id, askedAt); // a request was sent a moment ago; changes since then must not be missed
    return { payment: known, isCertain: false };
  }
  return fetchAndApply(ctx, { payment, askedAt, leaseEnd });
}

async function fetchAndApply(ctx: Ctx, question: StatusCheck): Promise<FetchedPayment> {
  const { payment } = question;
  try {
    const answer = payment.providerId === null ? await findByAttempt(ctx, payment) : await ctx.gateways.payment.find(payment.providerId);
    return { payment: await applyAnswer(ctx, question, answer), isCertain: true };
  } catch (error) {
    // After any error the state stays unknown: the schedule repeats the request for eight days.
    ctx.log.warn({ ...faultFields(error), paymentId: payment.id }, "a payment could not be checked");
    await rows.saveNextCheck(ctx.db, payment.id, nextCheckAfterFailure(payment.requestedAt, ctx.now()), question);
    return { payment, isCertain: false };
  }
}

/**
 * Searches the provider's list for a payment whose creation got no answer, by the attempt's id. Repeating the creation with its key could
 * make a link that no buyer waits for any more.
 */
async function findByAttempt(ctx: Ctx, payment: Payment): Promise<ProviderPayment | null> {
  const near = await ctx.gateways.payment.list({
    from: plus(payment.createdAt, -minutes(5)),
    till: plus(payment.requestedAt, minutes(10)),
  });
  return near.find((each) => each.attemptId === payment.id) ?? null;
}

async function applyAnswer(ctx: Ctx, { payment, ...question }: StatusCheck, answer: ProviderPayment | null): Promise<Payment> {
  if (answer) return applyProviderState(ctx, payment.id, answer, question);
  if (payment.providerId !== null) {
    ctx.alarm("payment.mismatch", { paymentId: payment.id, difference: "unknown_there" });
    await rows.save(ctx.db, payment.id, { nextCheckAt: plus(ctx.now(), hours(1)) });
    return payment;
  }
  return inTransaction(ctx.db, async (tx) => {
    const locked = await rows.lock(tx, payment.id);
    if (!locked || locked.state !== "new") return locked ?? payment;
    const isForgotten = ctx.now() > plus(locked.requestedAt, idempotenceKeyLifetime);
    if (!isForgotten) {
      await rows.save(tx, locked.id, { nextCheckAt: nextSearchAfter(locked.requestedAt, ctx.now()) });
      return locked;
    }
    const changes: rows.PaymentChanges = {
      state: "canceled",
      cancellationReason: "never_created",
      settledAt: ctx.now(),
      nextCheckAt: null,
    };
    await rows.save(tx, locked.id, changes);
    return { ...locked, state: "canceled", cancellationReason: "never_created" };
  });
}

const events = { pending: "create", waiting_for_capture: "hold", succeeded: "succeed", canceled: "cancel" } as const;

/**
 * Applies the provider's state of a payment, in a transaction under the payment's lock. A state that contradicts our record (order,
 * attempt, amount, currency, account, test mode) changes nothing and raises an alarm; an older state than the stored one changes nothing.
 * `askedAt`: when the request was sent; webhooks received before it are judged by the answer.
 */
export const applyProviderState = (
  ctx: Ctx,
  paymentId: string,
  answer: ProviderPayment,
  question: Omit<StatusCheck, "payment">,
): Promise<Payment> => inPipelinedTransaction(ctx.db, (tx) => applyLocked(tx, ctx, paymentId, answer, question));

async function applyLocked(
  tx: Tx,
  ctx: Ctx,
  paymentId: string,
  answer: ProviderPayment,
  question: Omit<StatusCheck, "payment">,
): Promise<Payment> {
  const { payment, claims } = await rows.lockWithEvents(tx, paymentId, answer.id, question.askedAt);
  if (!payment) throw new Error(`no payment ${paymentId}`);
  await saveVerdicts(tx, ctx, answer, claims);

  const now = ctx.now();
  const difference = differenceOf(ctx, payment, answer);
  const move = step(paymentStates, payment.state, events[answer.status]);
  const isContradiction = move.kind === "refused" && (answer.status === "succeeded" || answer.status === "canceled");
  if (difference !== null || isContradiction) {
    ctx.alarm("payment.mismatch", { paymentId, difference: difference ?? "state" });
    if (!isSettled(payment)) await rows.save(tx, paymentId, { nextCheckAt: plus(now, hours(1)) }); // staff must examine it first
    return payment;
  }
  if (move.kind !== "moved") {
    if (isSettled(payment)) return payment;
    const confirmationUrl = payment.confirmationUrl ?? answer.confirmationUrl; // a list may have left it out
    await rows.saveNextCheckAndCommit(tx, paymentId, nextCheckAfter(payment.requestedAt, now), question, { confirmationUrl });
    return { ...payment, confirmationUrl };
  }

  const moved: Payment = {
    ...payment,
    state: move.to,
    providerId: answer.id,
    confirmationUrl: answer.confirmationUrl ?? payment.confirmationUrl,
    cancellationReason: answer.cancellationReason,
    settledAt: move.to === "succeeded" || move.to === "canceled" ? now : null,
  };
  const { state, providerId, confirmationUrl, cancellationReason, settledAt } = moved;
  const changes = { state, providerId, confirmationUrl, cancellationReason, settledAt, nextCheckAt: nextCheckOf(moved, now) };
  // Every payment is requested without a hold. Only staff can capture or void one, in the provider's account.
  if (state === "waiting_for_capture") ctx.alarm("payment.mismatch", { paymentId, difference: "hold" });
  if (state !== "succeeded") {
    await rows.saveAndCommit(tx, paymentId, changes);
    return moved;
  }
  await rows.save(tx, paymentId, changes);
  await createPaymentReceipt(tx, ctx, moved);
  await announceSettled(tx, ctx, moved);
  return moved;
}

/** A succeeded payment is announced again until orders have decided about it; a cancelled one needs no check. */
function nextCheckOf(payment: Payment, now: Date): Date | null {
  if (payment.state === "canceled") return null;
  if (payment.state === "succeeded") return plus(now, minutes(5));
  return nextCheckAfter(payment.requestedAt, now);
}

async function announceSettled(tx: Tx, ctx: Ctx, payment: Payment): Promise<void> {
  await ctx.enqueue(tx, "payment.settled", {
    orderId: payment.orderId,
    paymentId: payment.id,
    amountKopecks: payment.amount,
  } satisfies PaymentJobs["payment.settled"]);
}

async function announceAgain(ctx: Ctx, paymentId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const payment = await rows.lock(tx, paymentId);
    if (payment?.state !== "succeeded" || payment.isKept !== "undecided") return rows.save(tx, paymentId, { nextCheckAt: null });
    await rows.save(tx, paymentId, { nextCheckAt: plus(ctx.now(), minutes(5)) });
    await announceSettled(tx, ctx, payment);
  });
}

/** The field in which the provider's state contradicts our record; null: there is none. */
function differenceOf(ctx: Ctx, payment: Payment, answer: ProviderPayment): string | null {
  if (payment.providerId !== null && answer.id !== payment.providerId) return "id";
  if (answer.orderId !== payment.orderId) return "order";
  if (answer.attemptId !== payment.id) return "attempt";
  if (answer.amount !== payment.amount) return "amount";
  if (answer.currency !== "RUB") return "currency";
  if (answer.shopAccount !== ctx.gateways.payment.shopAccount) return "account";
  if (answer.isTest && !ctx.gateways.payment.acceptsTestPayments) return "test";
  return null;
}

const rank: Record<string, number> = { pending: 0, waiting_for_capture: 1, succeeded: 2, canceled: 2 };

/** A webhook is confirmed when the provider's status is the claimed one or a later one. */
const isConfirmed = (claimed: string, answer: string): boolean => claimed === answer || (rank[claimed] ?? 3) < (rank[answer] ?? 0);

/**
 * Compares earlier webhooks about a payment or a refund with the provider's answer. A webhook that claimed more is forged and raises an
 * alarm.
 */
export async function judgeWebhooks(tx: Tx, ctx: Ctx, answer: { id: string; status: string }, askedAt: Date): Promise<void> {
  await saveVerdicts(tx, ctx, answer, await rows.unjudgedEvents(tx, answer.id, askedAt));
}

/** `claims`: webhooks about the object of the answer, each with the status that it claims. */
async function saveVerdicts(
  tx: Tx,
  ctx: Ctx,
  answer: { id: string; status: string },
  claims: readonly { id: number; status: string }[],
): Promise<void> {
  for (const { id, status } of claims) {
    const isTrue = isConfirmed(status, answer.status);
    if (!isTrue) ctx.alarm("payment.forged", { object: answer.id, claimed: status, answer: answer.status });
    await rows.saveVerdict(tx, id, isTrue ? "confirmed" : "denied");
  }
}
