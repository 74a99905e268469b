import { inTransaction, type Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { add, kopecks, subtract, type Kopecks } from "#kit/money.ts";
import { faultFields } from "#kit/outbound.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { hours, minutes, plus, seconds } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { receiptIn } from "#shop/tax.ts";
import { atOnce, judgeWebhooks, roundsPerSweep } from "../status.service.ts";
import { PaymentRefused, type ProviderRefund, type ReceiptLine } from "../gateway.ts";
import {
  byHand,
  keyLife,
  nextRefundCheckAfter,
  refundStates,
  type Payment,
  type PaymentJobs,
  type Refund,
  type RefundCause,
  type RefundError,
  type WaitingRefund,
} from "../payment.ts";
import { asLines, leftOf, takeAmount, takePieces, type PartLine } from "../receipts/receipt-part.ts";
import { oweForRefund } from "../receipts/receipts.service.ts";
import { hasHandover } from "../receipts/receipts.repository.ts";
import * as rows from "../repository.ts";

/** Longer than one call to the provider may take: until then nobody else sends the same refund. */
const sendingLease = seconds(30);

/**
 * Owes the buyer everything (or `amount`, kopecks) that was taken by this payment and is not on its way back yet; the call to
 * the provider follows the transaction. One refund per cause, never more than was taken: safe to repeat. Null: nothing was left.
 * Money of an attempt nobody had decided about becomes `returned`. Hold the order's lock when you call it.
 */
export async function returnMoney(tx: Tx, ctx: Ctx, paymentId: string, cause: RefundCause, amount?: Kopecks): Promise<Refund | null> {
  const payment = await rows.lock(tx, paymentId);
  if (payment?.state !== "succeeded") throw new Error(`no money was taken by payment ${paymentId}`);
  if (payment.isKept === "undecided") await rows.saveKept(tx, payment.id, "returned");

  const left = subtract(payment.amount, await rows.owedBack(tx, payment.id));
  const back = kopecks(Math.min(amount ?? left, left));
  if (back <= 0) return null;
  const refund = await owe(tx, ctx, payment, { cause, amount: back, lines: takeAmount((await linesOf(tx, payment.id)).left, back) });
  if (!refund) return null;

  if (payment.provider === byHand) ctx.alarm("payment.refund_by_hand", { orderId: payment.orderId, amountKopecks: back });
  if (cause === "second_money") ctx.alarm("payment.second_money", { orderId: payment.orderId, paymentId });
  if (cause === "late_money") ctx.alarm("payment.late_money", { orderId: payment.orderId, paymentId });
  return refund;
}

/** Writes the refund down and has it sent; null when this cause has one already. The payment is locked and has so much left. */
async function owe(
  tx: Tx,
  ctx: Ctx,
  payment: Payment,
  { cause, amount, lines }: Pick<Refund, "cause" | "amount" | "lines">,
): Promise<Refund | null> {
  const now = ctx.now();
  const id = randomId();
  const isOnline = payment.provider !== byHand;
  const mode =
    payment.isKept === "kept" && (payment.method === "on_collection" || (await hasHandover(tx, payment.orderId)))
      ? "full_payment"
      : "full_prepayment";
  const refund: Refund = {
    id,
    paymentId: payment.id,
    orderId: payment.orderId,
    cause,
    amount,
    lines,
    mode,
    state: isOnline ? "new" : "pending",
    createdAt: now,
    settledAt: null,
  };
  if (!(await rows.insertRefund(tx, { ...refund, idempotenceKey: `refund:${id}`, nextCheckAt: isOnline ? now : null, actor: ctx.actor })))
    return null;
  if (isOnline) await ctx.enqueue(tx, "payment.refund", { refundId: id } satisfies PaymentJobs["payment.refund"]);
  return refund;
}

/** The lines of a payment's receipt, and what of them no refund has taken. */
async function linesOf(tx: Tx, paymentId: string): Promise<{ whole: ReceiptLine[]; left: PartLine[] }> {
  const known = await rows.withAsk(tx, paymentId);
  if (!known) throw new Error(`no payment ${paymentId}`);
  const whole = known.ask.receipt.lines;
  const going = (await rows.refundsOfPayment(tx, paymentId)).filter((each) => each.state !== "canceled");
  return {
    whole,
    left: leftOf(
      whole,
      going.flatMap(({ lines, amount }) => lines ?? takeAmount(leftOf(whole, []), amount)),
    ),
  };
}

/** What staff gives back of a live order: a sum, or pieces of the receipt's lines. */
export type PartAsk = { amount: Kopecks } | { pieces: { line: number; quantity: number }[] };

/**
 * Gives a part of an order's kept money back. Each call is a new refund; together they never exceed what was kept, also when two come
 * at once. Money by hand counts as sent with this word; the provider is asked by a job. Hold the order's lock.
 *
 * Refuses with `payment.refund_too_much`.
 */
export async function refundPart(tx: Tx, ctx: Ctx, orderId: string, ask: PartAsk): Promise<Result<Refund[], RefundError>> {
  const kept = (await rows.lockOfOrder(tx, orderId)).filter((each) => each.isKept === "kept");
  const lefts: { payment: Payment; left: Kopecks; lines: Awaited<ReturnType<typeof linesOf>> }[] = [];
  for (const payment of kept) {
    const left = subtract(payment.amount, await rows.owedBack(tx, payment.id));
    lefts.push({ payment, left, lines: await linesOf(tx, payment.id) });
  }
  const left = add(...lefts.map((each) => each.left));
  const tooMuch = fail({ code: "payment.refund_too_much" as const, left });

  const [only] = lefts;
  const pieces = "pieces" in ask && only && lefts.length === 1 ? takePieces(only.lines.whole, only.lines.left, ask.pieces) : null;
  if ("pieces" in ask && pieces === null) return tooMuch;
  const amount = "pieces" in ask ? kopecks((pieces ?? []).reduce((sum, each) => sum + each.unitPrice * each.quantity, 0)) : ask.amount;
  if (amount <= 0 || amount > left) return tooMuch;

  const made: Refund[] = [];
  let rest: number = amount;
  for (const { payment, left: most, lines } of lefts.toReversed()) {
    // the newest money first
    const part = kopecks(Math.min(rest, most));
    if (part <= 0) continue;
    rest -= part;
    const refund = await owe(tx, ctx, payment, {
      cause: `staff:${(await rows.refundsOfPayment(tx, payment.id)).length + 1}`,
      amount: part,
      lines: pieces ?? takeAmount(lines.left, part),
    });
    if (!refund) throw new Error(`payment ${payment.id} has two refunds of one number`);
    if (payment.provider === byHand) await settle(tx, ctx, refund);
    made.push(refund);
  }
  return done(made);
}

/** Owes back all that was taken for an order, by whichever attempts. Safe to repeat; attempts that are still open are asked about elsewhere and come as late money. */
export async function refundAll(tx: Tx, ctx: Ctx, orderId: string, cause: RefundCause): Promise<Refund[]> {
  const owed: Refund[] = [];
  for (const payment of await rows.lockOfOrder(tx, orderId)) {
    if (payment.state !== "succeeded") continue;
    const refund = await returnMoney(tx, ctx, payment.id, cause);
    if (refund) owed.push(refund);
  }
  return owed;
}

/** Staff has sent back what was paid by transfer or at the desk: settles the order's refunds by hand. Safe to repeat. */
export async function confirmRefundsByHand(tx: Tx, ctx: Ctx, orderId: string): Promise<Refund[]> {
  await rows.lockOfOrder(tx, orderId);
  const waiting = await rows.refundsByHand(tx, orderId);
  for (const refund of waiting) {
    await rows.saveRefund(tx, refund.id, { state: refund.state, nextCheckAt: null, actor: actorText(ctx.actor) });
    await settle(tx, ctx, refund);
  }
  return waiting;
}

/**
 * Sends an order's refunds again that the provider had turned down for good (the shop's balance was short, the buyer's account closed),
 * each under a new key; returns how many. For staff: nothing of this happens by itself.
 */
export async function retryRefunds(tx: Tx, ctx: Ctx, orderId: string): Promise<number> {
  const attempts = new Map((await rows.lockOfOrder(tx, orderId)).map((each) => [each.id, each]));
  // The largest first: the refund of a whole order covers the parts that were turned down before it, and not the other way round.
  const failed = (await rows.refundsOfOrder(tx, orderId)).filter((each) => each.state === "canceled").sort((a, b) => b.amount - a.amount);
  let retried = 0;
  for (const { id, paymentId, amount } of failed) {
    const payment = attempts.get(paymentId);
    if (!payment || amount > subtract(payment.amount, await rows.owedBack(tx, paymentId))) continue; // went back another way meanwhile
    await rows.saveRefund(tx, id, {
      state: "new",
      idempotenceKey: `refund:${id}:${randomId(6)}`,
      providerId: null,
      requestedAt: null,
      settledAt: null,
      nextCheckAt: ctx.now(),
      unansweredSince: ctx.now(),
      alarmedAt: null,
      lines: takeAmount((await linesOf(tx, paymentId)).left, amount),
      actor: actorText(ctx.actor),
    });
    await ctx.enqueue(tx, "payment.refund", { refundId: id } satisfies PaymentJobs["payment.refund"]);
    retried += 1;
  }
  return retried;
}

/** Sends or asks about one refund, unless somebody is at it. For the job; an outage leaves it to the sweep. */
export async function pursueRefund(ctx: Ctx, refundId: string): Promise<void> {
  const refund = await rows.claimRefund(ctx.db, refundId, ctx.now(), plus(ctx.now(), sendingLease));
  if (!refund) return;
  const askedAt = ctx.now();
  try {
    const told = refund.state === "new" ? await send(ctx, refund) : await ctx.gateways.payment.findRefund(refund.providerId ?? "");
    if (told) await learnRefund(ctx, refund, told, askedAt);
    else await putOff(ctx, refund);
  } catch (error) {
    ctx.log.warn({ ...faultFields(error), orderId: refund.orderId, paymentId: refund.paymentId }, "a refund could not be pursued");
    await putOff(ctx, refund);
  }
}

/** Pursues every refund whose time has come. For the sweep. */
export async function pursueRefunds(ctx: Ctx): Promise<void> {
  for (let round = 0; round < roundsPerSweep; round += 1) {
    const due = await rows.dueRefundIds(ctx.db, ctx.now(), atOnce);
    await Promise.all(due.map((id) => pursueRefund(ctx, id)));
    if (due.length < atOnce) return;
  }
}

/**
 * Raises `payment.refund_stuck` for each refund that the provider has not answered about for an hour (wrong credentials, an outage), and
 * again once a day. It ends by itself with the first answer. For the sweep.
 */
export async function alarmStuckRefunds(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const stuck = await rows.takeStuckRefunds(ctx.db, {
    now,
    before: stuckBefore(ctx),
    again: plus(now, -hours(ctx.settings.limits.refundStuckAgainHours)),
    limit: mostAlarms,
  });
  for (const { id, orderId, amount, unansweredSince } of stuck) {
    ctx.alarm("payment.refund_stuck", { orderId, refundId: id, amountKopecks: amount, since: unansweredSince?.toISOString() ?? "" });
  }
}

/** At one turn of the sweep; the rest follow with the next ones. */
const mostAlarms = 50;
const stuckBefore = (ctx: Ctx): Date => plus(ctx.now(), -minutes(ctx.settings.limits.refundStuckMinutes));

/** Refunds that wait for a person: stuck, turned down for good, or to be sent by hand. */
export const refundsWaiting = (ctx: Ctx): Promise<WaitingRefund[]> => rows.waitingRefunds(ctx.db, stuckBefore(ctx));

type Outcome = { status: ProviderRefund["status"]; id: string | null; amount: Kopecks; paymentId: string };

/** The provider gave no answer that could be used: asked again by the schedule, and an alarm when that goes on. */
const putOff = (ctx: Ctx, refund: rows.DueRefund) =>
  rows.putRefundOff(ctx.db, refund.id, { nextCheckAt: nextRefundCheckAfter(refund.createdAt, ctx.now()), now: ctx.now() });

async function send(ctx: Ctx, refund: rows.DueRefund): Promise<Outcome> {
  const known = await rows.withAsk(ctx.db, refund.paymentId);
  if (!known?.payment.providerId) throw new Error(`refund ${refund.id} of a payment without the provider's id`);
  const { ask } = known;
  const providerPaymentId = known.payment.providerId;
  const isKeyForgotten = refund.requestedAt !== null && ctx.now() > plus(refund.requestedAt, keyLife);
  const made = isKeyForgotten ? await findMade(ctx, providerPaymentId, refund) : null;
  if (made) return made;

  await rows.markRefundRequested(ctx.db, refund.id, ctx.now());
  try {
    return await ctx.gateways.payment.refund({
      idempotenceKey: refund.idempotenceKey,
      providerPaymentId,
      amount: refund.amount,
      mode: refund.mode,
      receipt: receiptIn(ctx.settings.seller.tax, refund.mode, {
        ...ask.receipt,
        lines: asLines(refund.lines ?? takeAmount(leftOf(ask.receipt.lines, []), refund.amount)),
      }),
    });
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    const madeBefore = await findMade(ctx, providerPaymentId, refund);
    if (madeBefore) return madeBefore;
    ctx.log.error({ err: error, orderId: refund.orderId, paymentId: refund.paymentId }, "the provider refused a refund");
    return { status: "canceled", id: null, amount: refund.amount, paymentId: providerPaymentId };
  }
}

/**
 * Looks a refund up whose answer was lost, in the provider's own list of the payment's refunds: by our key, else, for one that was made
 * without a key (in the cabinet, or by an earlier release), by its sum among those that no refund here has. The payment's total of
 * refunds proves nothing: refunds that are still pending may already be in it. Null: it was never made.
 *
 * Throws while the total is more than the list holds: the list lags behind, and the refund is judged later.
 */
async function findMade(ctx: Ctx, providerPaymentId: string, refund: rows.DueRefund): Promise<Outcome | null> {
  const { payment: gateway } = ctx.gateways;
  const listed = await gateway.refundsOf(providerPaymentId);
  const own = listed.find((each) => each.key === refund.idempotenceKey);
  if (own) return own;
  const live = listed.filter((each) => each.status !== "canceled");
  const known = await rows.refundsByProviderIds(
    ctx.db,
    live.map((each) => each.id),
  );
  const unclaimed = live.find((each) => each.key === null && !known.has(each.id) && each.amount === refund.amount);
  if (unclaimed) return unclaimed;
  const total = (await gateway.find(providerPaymentId))?.refunded ?? kopecks(0);
  if (total > add(...live.map((each) => each.amount))) throw new Error("the provider has given back more than it lists");
  return null;
}

const events = { pending: "wait", succeeded: "succeed", canceled: "cancel" } as const;

/** Takes over what the provider said about a refund, under the payment's lock; a repeated answer changes nothing. */
async function learnRefund(ctx: Ctx, asked: rows.DueRefund, told: Outcome, askedAt: Date): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const payment = await rows.lock(tx, asked.paymentId);
    const refund = await rows.lockRefund(tx, asked.id);
    if (!payment || !refund) throw new Error(`no refund ${asked.id}`);
    if (told.paymentId !== payment.providerId || told.amount !== refund.amount) {
      ctx.alarm("payment.mismatch", { paymentId: payment.id, difference: "refund" });
      await rows.putRefundOff(tx, refund.id, { nextCheckAt: plus(ctx.now(), hours(1)), now: ctx.now() }); // people must look at it first
      return;
    }
    if (told.id !== null) await judgeWebhooks(tx, ctx, { id: told.id, status: told.status }, askedAt);
    const move = step(refundStates, refund.state, events[told.status]);
    const providerId = told.id ?? undefined;
    if (move.kind !== "moved") {
      if (refund.state === "pending")
        await rows.saveRefund(tx, refund.id, {
          state: refund.state,
          nextCheckAt: nextRefundCheckAfter(refund.createdAt, ctx.now()),
          unansweredSince: null,
        });
      return;
    }
    if (move.to === "succeeded") return settle(tx, ctx, refund, providerId);
    if (move.to === "canceled") ctx.alarm("payment.refund_failed", { orderId: payment.orderId, refundId: refund.id });
    await rows.saveRefund(tx, refund.id, {
      state: move.to,
      providerId,
      unansweredSince: null,
      ...(move.to === "canceled"
        ? { settledAt: ctx.now(), nextCheckAt: null }
        : { nextCheckAt: nextRefundCheckAfter(refund.createdAt, ctx.now()) }),
    });
  });
}

async function settle(tx: Tx, ctx: Ctx, refund: Refund, providerId?: string): Promise<void> {
  await rows.saveRefund(tx, refund.id, { state: "succeeded", providerId, settledAt: ctx.now(), nextCheckAt: null, unansweredSince: null });
  await rows.addRefunded(tx, refund.paymentId, refund.amount);
  await oweForRefund(tx, ctx, refund);
  const news = {
    orderId: refund.orderId,
    paymentId: refund.paymentId,
    amountKopecks: refund.amount,
  } satisfies PaymentJobs["payment.refunded"];
  await ctx.enqueue(tx, "payment.refunded", news);
}
