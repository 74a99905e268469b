import { inTransaction, type Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { add, kopecks, subtract, type Kopecks } from "#kit/money.ts";
import { faultFields } from "#kit/outbound.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus, seconds } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import { receiptIn } from "#shop/tax.ts";
import { PaymentRefused, type ProviderReceipt, type Receipt } from "../gateway.ts";
import { byHand, keyLife, nextRefundCheckAfter, type Payment, type Refund } from "../payment.ts";
import { asLines, leftOf, takeAmount } from "./receipt-part.ts";
import { receiptStates, type OwedReceipt, type PrintedSigns, type ReceiptError, type ReceiptEvent } from "./receipt.ts";
import * as rows from "./receipts.repository.ts";
import type { DueReceipt } from "./receipts.repository.ts";
import * as payments from "../repository.ts";

/** The provider prints by itself with a payment or a refund; a moment later its number is known. */
const printedAfter = seconds(10);
/** A receipt that is not registered by then will not be (the register may be out of order or unpaid): somebody must look. */
const patience = days(1);
/** Longer than one call to the provider may take: until then nobody else asks about the same receipt. */
const askingLease = seconds(30);
const atOnce = 10;

type New = Pick<OwedReceipt, "orderId" | "paymentId" | "kind" | "registrar" | "mode" | "receipt"> & {
  refundId?: string | null;
  about: string;
  isAsked?: boolean;
};

/** Writes a receipt down, once. `isAsked`: we have to ask the provider for it, otherwise it comes by itself, or from the office's register. */
async function owe(tx: Tx, ctx: Ctx, { about, refundId = null, isAsked = false, ...rest }: New): Promise<void> {
  const now = ctx.now();
  const isOffice = rest.registrar === "office";
  await rows.insert(
    tx,
    about,
    {
      ...rest,
      id: randomId(),
      refundId,
      amount: sumOf(rest.receipt),
      state: isOffice || isAsked ? "new" : "pending",
      providerId: null,
      fiscal: null,
      createdAt: now,
      settledAt: null,
    },
    isOffice ? null : isAsked ? now : plus(now, printedAfter),
  );
}

const sumOf = (receipt: Receipt): Kopecks => kopecks(receipt.lines.reduce((sum, each) => sum + each.unitPrice * each.quantity, 0));

/** The aggregator took money: its register prints the receipt that went along with the payment. */
export async function oweForPayment(tx: Tx, ctx: Ctx, payment: Payment): Promise<void> {
  const known = await payments.withAsk(tx, payment.id);
  if (!known) throw new Error(`no payment ${payment.id}`);
  await owe(tx, ctx, {
    about: `payment:${payment.id}`,
    orderId: payment.orderId,
    paymentId: payment.id,
    kind: "payment",
    registrar: "provider",
    mode: "full_prepayment",
    receipt: known.ask.receipt,
  });
}

/** Staff counted money: the office's register prints the receipt, which says what it paid. */
export async function oweAtOffice(tx: Tx, ctx: Ctx, payment: Payment, receipt: Receipt, mode: OwedReceipt["mode"]): Promise<void> {
  await owe(tx, ctx, {
    about: `payment:${payment.id}`,
    orderId: payment.orderId,
    paymentId: payment.id,
    kind: "payment",
    registrar: "office",
    mode,
    receipt,
  });
}

/** Money has gone back: a receipt of the same lines. For transfers that bought nothing there was no receipt and is none now. */
export async function oweForRefund(tx: Tx, ctx: Ctx, refund: Refund): Promise<void> {
  const known = await payments.withAsk(tx, refund.paymentId);
  if (!known) throw new Error(`no payment ${refund.paymentId}`);
  const { payment, ask } = known;
  const isByHand = payment.provider === byHand;
  if (isByHand && payment.isKept !== "kept") return;
  const lines = asLines(refund.lines ?? takeAmount(leftOf(ask.receipt.lines, []), refund.amount));
  await owe(tx, ctx, {
    about: `refund:${refund.id}`,
    orderId: refund.orderId,
    paymentId: refund.paymentId,
    refundId: refund.id,
    kind: "refund",
    registrar: isByHand ? "office" : "provider",
    mode: refund.mode,
    receipt: receiptIn(ctx.settings.seller.tax, refund.mode, { ...ask.receipt, lines }),
  });
}

/**
 * What was paid before has been handed over: a second receipt sets the prepayment off (54-FZ, article 1.1 and 4.7), over what was kept
 * and not given back. `whole` is the order's own receipt. Nothing for an order that is paid at hand-over: its one receipt says both.
 * Once per order; the provider is asked by the sweep.
 */
export async function oweForHandover(tx: Tx, ctx: Ctx, orderId: string, whole: Receipt): Promise<void> {
  const kept = (await payments.lockOfOrder(tx, orderId)).filter((each) => each.isKept === "kept");
  const last = kept.at(-1);
  if (!last) return;
  const going = (await payments.refundsOfOrder(tx, orderId)).filter(
    (each) => each.state !== "canceled" && kept.some(({ id }) => id === each.paymentId),
  );
  const left = subtract(add(...kept.map((each) => each.amount)), add(...going.map((each) => each.amount)));
  if (left <= 0) return;
  // Lines of parts of a transfer are shares; only of one payment the refunds name lines of the whole.
  const pieces =
    kept.length === 1
      ? leftOf(
          whole.lines,
          going.flatMap(({ lines, amount }) => lines ?? takeAmount(leftOf(whole.lines, []), amount)),
        )
      : leftOf(whole.lines, []);
  const isByHand = last.provider === byHand;
  await owe(tx, ctx, {
    about: `handover:${orderId}`,
    orderId,
    paymentId: last.id,
    kind: "handover",
    registrar: isByHand ? "office" : "provider",
    mode: "full_payment",
    receipt: { ...whole, lines: asLines(takeAmount(pieces, left)) },
    isAsked: !isByHand,
  });
}

/** The receipts of an order, oldest first. */
export const receiptsOfOrder = rows.ofOrder;
/** What waits for a person: receipts to print at the office, and those that the provider refused. */
export const receiptsWaiting = rows.waiting;

/** Asks for every receipt whose time has come, or about it. For the sweep. */
export async function pursueReceipts(ctx: Ctx): Promise<void> {
  const due = await rows.dueIds(ctx.db, ctx.now(), atOnce);
  await Promise.all(due.map((id) => pursue(ctx, id)));
}

async function pursue(ctx: Ctx, id: string): Promise<void> {
  const receipt = await rows.claim(ctx.db, id, ctx.now(), plus(ctx.now(), askingLease));
  if (!receipt) return;
  try {
    const told = receipt.state === "new" ? await send(ctx, receipt) : await find(ctx, receipt);
    await learn(ctx, receipt, told);
  } catch (error) {
    if (error instanceof PaymentRefused) return giveUp(ctx, receipt, error.message);
    ctx.log.warn({ ...faultFields(error), orderId: receipt.orderId, receiptId: id }, "a receipt could not be pursued");
    await learn(ctx, receipt, null);
  }
}

async function send(ctx: Ctx, receipt: DueReceipt): Promise<ProviderReceipt | null> {
  const providerPaymentId = (await payments.byId(ctx.db, receipt.paymentId))?.providerId;
  if (!providerPaymentId) throw new Error(`receipt ${receipt.id} of a payment without the provider's id`);
  const isKeyForgotten = receipt.requestedAt !== null && ctx.now() > plus(receipt.requestedAt, keyLife);
  if (isKeyForgotten) {
    const known = (await ctx.gateways.payment.receiptsOf({ providerPaymentId })).find((each) => each.kind === "handover");
    if (known) return known; // it was made, and the answer was lost
  }
  await rows.markRequested(ctx.db, receipt.id, ctx.now());
  return ctx.gateways.payment.registerHandover({ idempotenceKey: receipt.idempotenceKey, providerPaymentId, receipt: receipt.receipt });
}

/** How the receipt stands at the provider's; null while it does not know of one. */
async function find(ctx: Ctx, receipt: DueReceipt): Promise<ProviderReceipt | null> {
  const { payment } = ctx.gateways;
  if (receipt.providerId) return payment.findReceipt(receipt.providerId);
  if (receipt.kind === "refund") {
    const refund = receipt.refundId ? await payments.refundById(ctx.db, receipt.refundId) : null;
    return refund?.providerId ? ((await payment.receiptsOf({ providerRefundId: refund.providerId }))[0] ?? null) : null;
  }
  const providerPaymentId = (await payments.byId(ctx.db, receipt.paymentId))?.providerId;
  return providerPaymentId ? ((await payment.receiptsOf({ providerPaymentId })).find((each) => each.kind === receipt.kind) ?? null) : null;
}

const events = { pending: "wait", succeeded: "succeed", canceled: "cancel" } as const;

async function learn(ctx: Ctx, asked: DueReceipt, told: ProviderReceipt | null): Promise<void> {
  if (told?.status === "canceled") return giveUp(ctx, asked, "the register refused it", told.id);
  const isLate = told?.status !== "succeeded" && ctx.now() >= plus(asked.requestedAt ?? asked.createdAt, patience);
  if (isLate) return giveUp(ctx, asked, "it is not registered after a day");
  await inTransaction(ctx.db, async (tx) => {
    const receipt = await rows.lock(tx, asked.id);
    if (!receipt) throw new Error(`no receipt ${asked.id}`);
    const now = ctx.now();
    const move = told ? step(receiptStates, receipt.state, events[told.status]) : null;
    const state = move?.kind === "moved" ? move.to : receipt.state;
    if (state === "succeeded")
      return rows.save(tx, receipt.id, { state, providerId: told?.id, fiscal: told?.fiscal, settledAt: now, nextCheckAt: null });
    await rows.save(tx, receipt.id, {
      state,
      ...(told ? { providerId: told.id } : {}),
      nextCheckAt: nextRefundCheckAfter(receipt.createdAt, now),
    });
  });
}

async function giveUp(ctx: Ctx, receipt: DueReceipt, reason: string, providerId?: string): Promise<void> {
  ctx.log.error({ orderId: receipt.orderId, receiptId: receipt.id, reason }, "a receipt will not come by itself");
  ctx.alarm("payment.receipt_failed", { orderId: receipt.orderId, receiptId: receipt.id, kind: receipt.kind });
  await rows.save(ctx.db, receipt.id, { state: "canceled", ...(providerId ? { providerId } : {}), nextCheckAt: null });
}

/**
 * Staff says that the office's register has printed a receipt, or has the aggregator asked again for one that failed (under a new key).
 * `signs`: by which numbers the tax office knows the printed one; the buyer sees them, and they may be told later or mended.
 * Repeating `print` is calm. Refuses with `receipt.not_found` and `receipt.event_refused`.
 */
export async function workReceipt(
  ctx: Ctx,
  id: string,
  event: ReceiptEvent,
  signs?: PrintedSigns,
): Promise<Result<OwedReceipt, ReceiptError>> {
  return inTransaction(ctx.db, async (tx) => {
    const receipt = await rows.lock(tx, id);
    if (!receipt) return fail({ code: "receipt.not_found" });
    const refused = fail({ code: "receipt.event_refused" as const, state: receipt.state });
    const now = ctx.now();
    if (event === "print") {
      // A failed one of the aggregator's is made good at the office too, and is the office's from then on.
      if (receipt.registrar === "provider" && receipt.state !== "canceled")
        return receipt.state === "succeeded" && !signs ? done(receipt) : refused;
      const fiscal = signs ? { ...signs, registeredAt: now.toISOString() } : receipt.fiscal;
      const printed = { state: "succeeded" as const, registrar: "office" as const, fiscal, settledAt: receipt.settledAt ?? now };
      await rows.save(tx, id, { ...printed, nextCheckAt: null });
      return done({ ...receipt, ...printed });
    }
    if (receipt.registrar !== "provider" || receipt.state !== "canceled") return refused;
    const state = receipt.kind === "handover" ? ("new" as const) : ("pending" as const);
    await rows.save(tx, id, {
      state,
      providerId: null,
      idempotenceKey: `receipt:${id}:${randomId(6)}`,
      requestedAt: state === "new" ? null : now,
      nextCheckAt: now,
    });
    return done({ ...receipt, state });
  });
}
