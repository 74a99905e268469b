import { createCoalescer } from "#kit/coalesce.ts";
import { inTransaction, type Tx } from "#kit/db.ts";
import { faultFields } from "#kit/outbound.ts";
import { hours, minutes, plus } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import type { ProviderPayment } from "./gateway.ts";
import { askPause, byHand, keyLife, nextCheckAfter, nextSearchAfter, paymentStates, type Payment, type PaymentJobs } from "./payment.ts";
import { oweForPayment } from "./receipts/receipts.service.ts";
import * as rows from "./repository.ts";

/** A payment as far as we know, and whether the provider has just confirmed that nothing newer is known. */
export type Checked = { payment: Payment; isCertain: boolean };

/**
 * Asks the provider about one payment and takes over what it says; `payment.settled` goes out with the change.
 * Safe to call as often as you like: the provider is asked at most once in two seconds, and settled payments not at all.
 * An outage is no error here: the payment comes back as it stood, and the reconciler asks again. Null: no such payment.
 */
export async function check(ctx: Ctx, paymentId: string): Promise<Payment | null> {
  return (await ask(ctx, paymentId))?.payment ?? null;
}

/**
 * Asks about every attempt of an order that could still bring money, for the return page and before an order expires.
 * `isCertain` is false when the provider could not be asked about one of them.
 */
export async function checkOrder(ctx: Ctx, orderId: string): Promise<{ isCertain: boolean }> {
  const open = (await rows.ofOrders(ctx.db, [orderId])).filter((each) => !isSettled(each) && each.provider !== byHand);
  const checked = await Promise.all(open.map((each) => ask(ctx, each.id)));
  return { isCertain: checked.every((each) => each === null || each.isCertain) };
}

/**
 * Asks about everything whose time has come, so that a lost webhook costs a minute at most; and announces again what was
 * taken but not yet decided upon by the orders, in case that news was lost. For the sweep.
 */
export async function reconcile(ctx: Ctx): Promise<void> {
  for (let round = 0; round < roundsPerSweep; round += 1) {
    const due = await rows.takeDue(ctx.db, ctx.now(), atOnce, plus(ctx.now(), minutes(1)));
    await Promise.all(due.map((each) => (each.state === "succeeded" ? announceAgain(ctx, each.id) : ask(ctx, each.id))));
    if (due.length < atOnce) return;
  }
}

/** How many questions a sweep puts at once and one after another: after an outage the backlog goes down fast, and buyers still get through. */
export const atOnce = 10;
export const roundsPerSweep = 10;

export const isSettled = (payment: Payment): boolean => payment.state === "succeeded" || payment.state === "canceled";

/** `check` that also tells how sure it is. Callers in one process share one question. */
export async function ask(ctx: Ctx, paymentId: string): Promise<Checked | null> {
  const asking = ctx.singleton("payment.asking", () => new Map<string, Promise<Checked | null>>());
  const running = asking.get(paymentId);
  if (running) return running;
  const question = askOnce(ctx, paymentId).finally(() => asking.delete(paymentId));
  asking.set(paymentId, question);
  return question;
}

/** A question to the provider about a payment that is open, put at this moment. */
export type Question = { payment: Payment; askedAt: Date };

/** Notes the question in the caller's transaction, whether or not somebody has asked a moment ago; `askNow` puts it after the commit. */
export async function claimQuestion(tx: Tx, ctx: Ctx, payment: Payment): Promise<Question> {
  const askedAt = ctx.now();
  await rows.claimAsking(tx, payment.id, askedAt, 0);
  return { payment, askedAt };
}

/** For a buyer who stands at the till and must not be sent to a page that is closed. Those who come at the same time share the next question. */
export function askNow(ctx: Ctx, question: Question): Promise<Checked> {
  const coalesce = ctx.singleton("payment.asking_now", createCoalescer);
  return coalesce(question.payment.id, () => put(ctx, question));
}

async function askOnce(ctx: Ctx, paymentId: string): Promise<Checked | null> {
  const askedAt = ctx.now();
  const payment = await rows.claimAsking(ctx.db, paymentId, askedAt, askPause);
  if (!payment) {
    const known = await rows.byId(ctx.db, paymentId);
    if (!known || isSettled(known) || known.provider === byHand) return known && { payment: known, isCertain: true };
    await rows.hurry(ctx.db, known.id, askedAt); // somebody has just asked; what happened since then must not be missed
    return { payment: known, isCertain: false };
  }
  return put(ctx, { payment, askedAt });
}

async function put(ctx: Ctx, { payment, askedAt }: Question): Promise<Checked> {
  try {
    const told = payment.providerId === null ? await search(ctx, payment) : await ctx.gateways.payment.find(payment.providerId);
    return { payment: await takeOver(ctx, payment, told, askedAt), isCertain: true };
  } catch (error) {
    // Whatever it was, the question stays open: the schedule repeats it for two days and the daily comparison after that.
    ctx.log.warn({ ...faultFields(error), paymentId: payment.id }, "a payment could not be checked");
    await rows.saveNextCheck(ctx.db, payment.id, nextCheckAfter(payment.createdAt, ctx.now()), askedAt);
    return { payment, isCertain: false };
  }
}

/** The call that should have made this payment got no answer: looks for it by the attempt's id. Asking again with the key could make a link that nobody awaits any more. */
async function search(ctx: Ctx, payment: Payment): Promise<ProviderPayment | null> {
  const near = await ctx.gateways.payment.list({
    from: plus(payment.createdAt, -minutes(5)),
    till: plus(payment.requestedAt, minutes(10)),
  });
  return near.find((each) => each.attemptId === payment.id) ?? null;
}

async function takeOver(ctx: Ctx, payment: Payment, told: ProviderPayment | null, askedAt: Date): Promise<Payment> {
  if (told) return inTransaction(ctx.db, (tx) => learn(tx, ctx, payment.id, told, askedAt));
  if (payment.providerId !== null) {
    ctx.alarm("payment.mismatch", { paymentId: payment.id, difference: "unknown_there" });
    await rows.save(ctx.db, payment.id, { nextCheckAt: plus(ctx.now(), hours(1)) });
    return payment;
  }
  return inTransaction(ctx.db, async (tx) => {
    const held = await rows.lock(tx, payment.id);
    if (!held || held.state !== "new") return held ?? payment;
    const isForgotten = ctx.now() > plus(held.requestedAt, keyLife);
    if (!isForgotten) {
      await rows.save(tx, held.id, { nextCheckAt: nextSearchAfter(held.requestedAt, ctx.now()) });
      return held;
    }
    const told: rows.Told = { state: "canceled", cancellationReason: "never_created", settledAt: ctx.now(), nextCheckAt: null };
    await rows.save(tx, held.id, told);
    return { ...held, state: "canceled", cancellationReason: "never_created" };
  });
}

const events = { pending: "create", waiting_for_capture: "hold", succeeded: "succeed", canceled: "cancel" } as const;

/**
 * Takes over what the provider itself said about a payment, under the payment's lock. What does not match our own record
 * (order, attempt, amount, currency, account) changes nothing and raises an alarm; an older answer than we know changes nothing.
 * `askedAt`: when the question was put, to judge the webhooks that came before it.
 */
export async function learn(tx: Tx, ctx: Ctx, paymentId: string, told: ProviderPayment, askedAt: Date): Promise<Payment> {
  const { payment, claims } = await rows.lockWithEvents(tx, paymentId, told.id, askedAt);
  if (!payment) throw new Error(`no payment ${paymentId}`);
  for (const { id, isTrue } of judged(ctx, told, claims)) await rows.judgeEvent(tx, id, isTrue ? "confirmed" : "denied");

  const now = ctx.now();
  const difference = differenceOf(ctx, payment, told);
  const move = step(paymentStates, payment.state, events[told.status]);
  const isContradiction = move.kind === "refused" && (told.status === "succeeded" || told.status === "canceled");
  if (difference !== null || isContradiction) {
    ctx.alarm("payment.mismatch", { paymentId, difference: difference ?? "state" });
    if (!isSettled(payment)) await rows.save(tx, paymentId, { nextCheckAt: plus(now, hours(1)) }); // people must look at it first
    return payment;
  }
  if (move.kind !== "moved") {
    if (isSettled(payment)) return payment;
    const confirmationUrl = payment.confirmationUrl ?? told.confirmationUrl; // a list may have left it out
    await rows.saveNextCheck(tx, paymentId, nextCheckAfter(payment.createdAt, now), askedAt, { confirmationUrl });
    return { ...payment, confirmationUrl };
  }

  const moved: Payment = {
    ...payment,
    state: move.to,
    providerId: told.id,
    confirmationUrl: told.confirmationUrl ?? payment.confirmationUrl,
    cancellationReason: told.cancellationReason,
    settledAt: move.to === "succeeded" || move.to === "canceled" ? now : null,
  };
  const { state, providerId, confirmationUrl, cancellationReason, settledAt } = moved;
  const nextCheckAt = nextCheckOf(moved, now);
  await rows.save(tx, paymentId, { state, providerId, confirmationUrl, cancellationReason, settledAt, nextCheckAt });
  if (state === "succeeded") {
    await oweForPayment(tx, ctx, moved);
    await announce(tx, ctx, moved);
  }
  return moved;
}

/** Settled money is announced again until the orders have decided about it; a refused attempt is over. */
function nextCheckOf(payment: Payment, now: Date): Date | null {
  if (payment.state === "canceled") return null;
  if (payment.state === "succeeded") return plus(now, minutes(5));
  return nextCheckAfter(payment.createdAt, now);
}

async function announce(tx: Tx, ctx: Ctx, payment: Payment): Promise<void> {
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
    await announce(tx, ctx, payment);
  });
}

/** What of the provider's answer contradicts our own record; null: all is in order. */
function differenceOf(ctx: Ctx, payment: Payment, told: ProviderPayment): string | null {
  if (payment.providerId !== null && told.id !== payment.providerId) return "id";
  if (told.orderId !== payment.orderId) return "order";
  if (told.attemptId !== payment.id) return "attempt";
  if (told.amount !== payment.amount) return "amount";
  if (told.currency !== "RUB") return "currency";
  if (told.shopAccount !== ctx.gateways.payment.shopAccount) return "account";
  return null;
}

const rank: Record<string, number> = { pending: 0, waiting_for_capture: 1, succeeded: 2, canceled: 2 };

/** A webhook told the truth when the provider is as far as it said, or farther on that way. */
const isConfirmed = (claimed: string, told: string): boolean => claimed === told || (rank[claimed] ?? 3) < (rank[told] ?? 0);

/** Compares the webhooks about a payment or a refund that came before the question with the answer: one that claimed more is forged, and somebody should know. */
export async function judgeWebhooks(tx: Tx, ctx: Ctx, told: { id: string; status: string }, askedAt: Date): Promise<void> {
  for (const { id, isTrue } of judged(ctx, told, await rows.openEvents(tx, told.id, askedAt)))
    await rows.judgeEvent(tx, id, isTrue ? "confirmed" : "denied");
}

function judged(
  ctx: Ctx,
  told: { id: string; status: string },
  claims: readonly { id: number; status: string }[],
): { id: number; isTrue: boolean }[] {
  return claims.map(({ id, status }) => {
    const isTrue = isConfirmed(status, told.status);
    if (!isTrue) ctx.alarm("payment.forged", { object: told.id, claimed: status, told: told.status });
    return { id, isTrue };
  });
}
