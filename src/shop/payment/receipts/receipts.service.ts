import { inTransaction, type Expression, type Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { add, subtract } from "#kit/money.ts";
import { faultFields } from "#kit/network/outbound.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, plus, seconds } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import { withReceiptMode } from "#shop/tax.ts";
import { PaymentRefused, type ProviderReceipt, type Receipt, type ReceiptLine } from "../gateway.ts";
import { byHand, idempotenceKeyLifetime, nextRefundCheckAfter, receiptTotal, type Payment, type Refund } from "../payment.ts";
import { asLines, leftOf, linesInWhole, takeAmount, type PartLine } from "./receipt-part.ts";
import {
  receiptStates,
  type FiscalReceipt,
  type FiscalNumbers,
  type ReceiptError,
  type ReceiptEvent,
  type ReceiptKind,
} from "./receipt.ts";
import * as rows from "./receipts.repository.ts";
import type { StoredReceipt } from "./receipts.repository.ts";
import * as payments from "../repository.ts";
import * as refundRows from "../refunds/refunds.repository.ts";

/** The provider prints the receipt of a payment or refund without a request; after this delay its number is fetched. */
const firstCheckDelay = seconds(10);
/** A receipt that is not registered by then has failed (the register may be out of order or unpaid) and raises an alarm. */
const registrationDeadline = days(1);
/** How long a claimed receipt belongs to one process; longer than one call to the provider may take. */
const claimLease = seconds(30);
const batchSize = 10;

type NewReceipt = Pick<FiscalReceipt, "orderId" | "paymentId" | "kind" | "registrar" | "mode" | "receipt"> & {
  refundId?: string | null;
  about: string;
  isRequested?: boolean;
};

/** Inserts a receipt, once per `about`. `isRequested`: the sweep requests it from the provider; other receipts need no request. */
async function createReceipt(tx: Tx, ctx: Ctx, { about, refundId = null, isRequested = false, ...rest }: NewReceipt): Promise<void> {
  const now = ctx.now();
  const isOffice = rest.registrar === "office";
  await rows.insert(
    tx,
    about,
    {
      ...rest,
      id: randomId(),
      refundId,
      amount: receiptTotal(rest.receipt),
      state: isOffice || isRequested ? "new" : "pending",
      providerId: null,
      fiscal: null,
      createdAt: now,
      settledAt: null,
    },
    isOffice ? null : isRequested ? now : plus(now, firstCheckDelay),
  );
}

/** Creates the receipt of a payment by the provider, whose register prints it from the data sent with the payment. */
export async function createPaymentReceipt(tx: Tx, ctx: Ctx, payment: Payment): Promise<void> {
  const known = await payments.byIdWithRequest(tx, payment.id);
  if (!known) throw new Error(`no payment ${payment.id}`);
  await createReceipt(tx, ctx, {
    about: `payment:${payment.id}`,
    orderId: payment.orderId,
    paymentId: payment.id,
    kind: "payment",
    registrar: "provider",
    mode: "full_prepayment",
    receipt: known.request.receipt,
  });
}

/** Creates the receipt of a payment that staff recorded; the office's register prints it. */
export async function createOfficeReceipt(
  tx: Tx,
  ctx: Ctx,
  payment: Payment,
  receipt: Receipt,
  mode: FiscalReceipt["mode"],
): Promise<void> {
  await createReceipt(tx, ctx, {
    about: `payment:${payment.id}`,
    orderId: payment.orderId,
    paymentId: payment.id,
    kind: "payment",
    registrar: "office",
    mode,
    receipt,
  });
}

/**
 * Creates the receipt of a refund, with the refunded lines. A transfer that paid for nothing had no receipt and gets none now. The register
 * of the office prints what the provider does not know: money that staff recorded, and a refund that staff paid by transfer.
 */
export async function createRefundReceipt(tx: Tx, ctx: Ctx, refund: Refund, { isByTransfer }: { isByTransfer: boolean }): Promise<void> {
  const known = await payments.byIdWithRequest(tx, refund.paymentId);
  if (!known) throw new Error(`no payment ${refund.paymentId}`);
  const { payment, request } = known;
  const isByHand = payment.provider === byHand;
  if (isByHand && payment.isKept !== "kept") return;
  const lines = asLines(refund.lines ?? takeAmount(leftOf(request.receipt.lines, []), refund.amount));
  await createReceipt(tx, ctx, {
    about: `refund:${refund.id}`,
    orderId: refund.orderId,
    paymentId: refund.paymentId,
    refundId: refund.id,
    kind: "refund",
    registrar: isByHand || isByTransfer ? "office" : "provider",
    mode: refund.mode,
    receipt: withReceiptMode(ctx.settings.seller.tax, refund.mode, { ...request.receipt, lines }),
  });
}

/**
 * Creates the receipt of a hand-over, which offsets the prepayment (54-FZ, articles 1.1 and 4.7), over what was kept and not refunded.
 * Pieces that left the order are not handed over, also when the provider has refused their refund: their money stays a prepayment that is
 * still to be returned. `whole` is the order's own receipt. An order paid at hand-over needs none: its one receipt covers both.
 * Once per order; the sweep requests it from the provider.
 */
export async function createHandoverReceipt(tx: Tx, ctx: Ctx, orderId: string, whole: Receipt): Promise<void> {
  const kept = (await payments.lockOfOrder(tx, orderId)).filter((each) => each.isKept === "kept");
  const last = kept.at(-1);
  if (!last) return;
  const refunds = (await refundRows.refundsOfOrder(tx, orderId)).filter((each) => kept.some(({ id }) => id === each.paymentId));
  const going = refunds.filter((each) => each.state !== "canceled");
  let left = subtract(add(...kept.map((each) => each.amount)), add(...going.map((each) => each.amount)));
  for (const refused of refunds.filter((each) => each.state === "canceled" && each.isDropped)) {
    if (refused.amount > left) continue; // its money went back another way
    going.push(refused);
    left = subtract(left, refused.amount);
  }
  if (left <= 0) return;
  const pieces = leftOf(whole.lines, await takenOf(tx, whole, kept, going));
  const isByHand = last.provider === byHand;
  await createReceipt(tx, ctx, {
    about: `handover:${orderId}`,
    orderId,
    paymentId: last.id,
    kind: "handover",
    registrar: isByHand ? "office" : "provider",
    mode: "full_payment",
    receipt: { ...whole, lines: asLines(takeAmount(pieces, left)) },
    isRequested: !isByHand,
  });
}

/**
 * What refunds took of the lines of the order's receipt. With several payments refunds name lines of the receipts of those, which are
 * shares of it. Nothing when they are not: the hand-over then has a share of each line.
 */
async function takenOf(tx: Tx, whole: Receipt, kept: readonly Payment[], refunds: readonly Refund[]): Promise<PartLine[]> {
  const receipts: ReceiptLine[][] = [];
  for (const { id } of kept) receipts.push((await payments.byIdWithRequest(tx, id))?.request.receipt.lines ?? []);
  const inWhole = kept.length === 1 ? [whole.lines.map((_, line) => line)] : linesInWhole(whole.lines, receipts);
  if (!inWhole) return [];
  return refunds.flatMap(({ paymentId, lines, amount }) => {
    const index = kept.findIndex(({ id }) => id === paymentId);
    const refunded = lines ?? takeAmount(leftOf(kept.length === 1 ? whole.lines : (receipts[index] ?? []), []), amount);
    return refunded.flatMap((part) => {
      const line = inWhole[index]?.[part.line];
      return line === undefined ? [] : [{ ...part, line }];
    });
  });
}

/** The receipts of an order, oldest first. */
export const receiptsOfOrder = rows.ofOrder;
/** Receipts that wait for staff: to be printed at the office, or refused by the provider. */
export const receiptsWaiting = rows.waiting;

/** Requests every receipt that is due, or fetches its status. For the sweep. */
export async function processDueReceipts(ctx: Ctx): Promise<void> {
  const due = await rows.dueIds(ctx.db, ctx.now(), batchSize);
  await Promise.all(due.map((id) => processReceipt(ctx, id)));
}

/** Whether `processDueReceipts` has something to do. */
export const hasDueReceipt = (ctx: Ctx): Expression => rows.hasDue(ctx.now());

/**
 * Requests the receipt of a hand-over that must precede this refund: a sale is returned after it is registered, and the register accepts no
 * hand-over of money that went back. Does nothing when there is none, or its next check is later.
 */
export async function processHandoverBefore(ctx: Ctx, refundId: string): Promise<void> {
  const id = await rows.handoverBeforeRefund(ctx.db, refundId, { isLocked: false });
  if (id !== null) await processReceipt(ctx, id);
}

/**
 * Whether this refund waits for the receipt of its hand-over. It does until the register has accepted the receipt, refused it, or not
 * known it for a day; then it is made due. Locks the receipt, so that this does not happen before the caller's next check is stored.
 */
export const waitsForHandover = async (tx: Tx, refundId: string): Promise<boolean> =>
  (await rows.handoverBeforeRefund(tx, refundId, { isLocked: true })) !== null;

async function processReceipt(ctx: Ctx, id: string): Promise<void> {
  const receipt = await rows.claim(ctx.db, id, ctx.now(), plus(ctx.now(), claimLease));
  if (!receipt) return;
  try {
    const answer = receipt.state === "new" ? await send(ctx, receipt) : await find(ctx, receipt);
    await applyProviderReceipt(ctx, receipt, answer);
  } catch (error) {
    if (error instanceof PaymentRefused) return markFailed(ctx, receipt, error.message);
    ctx.log.warn({ ...faultFields(error), orderId: receipt.orderId, receiptId: id }, "a receipt could not be pursued");
    await applyProviderReceipt(ctx, receipt, null);
  }
}

async function send(ctx: Ctx, receipt: StoredReceipt): Promise<ProviderReceipt | null> {
  const providerPaymentId = (await payments.byId(ctx.db, receipt.paymentId))?.providerId;
  if (!providerPaymentId) throw new Error(`receipt ${receipt.id} of a payment without the provider's id`);
  const isKeyForgotten = receipt.requestedAt !== null && ctx.now() > plus(receipt.requestedAt, idempotenceKeyLifetime);
  if (isKeyForgotten) {
    const known = effectiveReceipt(await ctx.gateways.payment.receiptsOf({ providerPaymentId }), "handover");
    if (known) return known; // it was registered, and the answer was lost
  }
  await rows.markRequested(ctx.db, receipt.id, ctx.now());
  return ctx.gateways.payment.registerHandover({ idempotenceKey: receipt.idempotenceKey, providerPaymentId, receipt: receipt.receipt });
}

/** The provider's state of the receipt; null while the provider has none. */
async function find(ctx: Ctx, receipt: StoredReceipt): Promise<ProviderReceipt | null> {
  const { payment } = ctx.gateways;
  if (receipt.providerId) return payment.findReceipt(receipt.providerId);
  if (receipt.kind === "refund") {
    const refund = receipt.refundId ? await refundRows.refundById(ctx.db, receipt.refundId) : null;
    return refund?.providerId ? effectiveReceipt(await payment.receiptsOf({ providerRefundId: refund.providerId }), "refund") : null;
  }
  const providerPaymentId = (await payments.byId(ctx.db, receipt.paymentId))?.providerId;
  return providerPaymentId ? effectiveReceipt(await payment.receiptsOf({ providerPaymentId }), receipt.kind) : null;
}

/**
 * The receipt of a kind that counts when the register has tried several times: a registered one, else one in progress. A failed one stays
 * in the list after it was corrected in the provider's account.
 */
function effectiveReceipt(listed: readonly ProviderReceipt[], kind: ReceiptKind): ProviderReceipt | null {
  const tries = listed.filter((each) => each.kind === kind);
  return tries.find(({ status }) => status === "succeeded") ?? tries.find(({ status }) => status === "pending") ?? tries[0] ?? null;
}

const events = { pending: "wait", succeeded: "succeed", canceled: "cancel" } as const;

async function applyProviderReceipt(ctx: Ctx, claimed: StoredReceipt, answer: ProviderReceipt | null): Promise<void> {
  if (answer?.status === "canceled") return markFailed(ctx, claimed, "the register refused it", answer.id);
  const isLate = await inTransaction(ctx.db, async (tx) => {
    const receipt = await rows.lock(tx, claimed.id);
    if (!receipt) throw new Error(`no receipt ${claimed.id}`);
    const now = ctx.now();
    // Of the stored request, which is newer than the claim: a receipt that is sent again has a day from then.
    const since = receipt.requestedAt ?? receipt.createdAt;
    if (answer?.status !== "succeeded" && now >= plus(since, registrationDeadline)) return true;
    const move = answer ? step(receiptStates, receipt.state, events[answer.status]) : null;
    const state = move?.kind === "moved" ? move.to : receipt.state;
    await rows.save(
      tx,
      receipt.id,
      state === "succeeded"
        ? { state, providerId: answer?.id, fiscal: answer?.fiscal, settledAt: now, nextCheckAt: null }
        : { state, ...(answer ? { providerId: answer.id } : {}), nextCheckAt: nextRefundCheckAfter(since, now) },
    );
    if (receipt.kind === "handover" && state !== "new") await rows.releaseRefunds(tx, receipt.paymentId, now);
    return false;
  });
  if (isLate) await markFailed(ctx, claimed, "it is not registered after a day");
}

async function markFailed(ctx: Ctx, receipt: StoredReceipt, reason: string, providerId?: string): Promise<void> {
  ctx.log.error({ orderId: receipt.orderId, receiptId: receipt.id, reason }, "a receipt will not come by itself");
  ctx.alarm("payment.receipt_failed", { orderId: receipt.orderId, receiptId: receipt.id, kind: receipt.kind });
  await rows.save(ctx.db, receipt.id, { state: "canceled", ...(providerId ? { providerId } : {}), nextCheckAt: null });
  if (receipt.kind === "handover") await rows.releaseRefunds(ctx.db, receipt.paymentId, ctx.now());
}

/** A receipt before a change, locked for the rest of the transaction of `ctx.db`; null: there is none. */
export const lockReceipt = (ctx: Ctx, id: string): Promise<FiscalReceipt | null> => inTransaction(ctx.db, (tx) => rows.lock(tx, id));

/**
 * Applies what staff did: `print` records that the office's register has printed the receipt, `retry` requests a failed one from the
 * provider again, under a new key. `fiscalNumbers`: those of the printed receipt, shown to the buyer; they may be added or corrected later.
 * `print` is idempotent. Refuses with `receipt.not_found` and `receipt.event_refused`.
 */
export async function applyReceiptEvent(
  ctx: Ctx,
  id: string,
  event: ReceiptEvent,
  fiscalNumbers?: FiscalNumbers,
): Promise<Result<FiscalReceipt, ReceiptError>> {
  return inTransaction(ctx.db, async (tx) => {
    const receipt = await rows.lock(tx, id);
    if (!receipt) return fail({ code: "receipt.not_found" });
    if (event === "print") return printLocked(tx, ctx, receipt, fiscalNumbers);
    const refused = fail({ code: "receipt.event_refused" as const, state: receipt.state });
    const now = ctx.now();
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

async function printLocked(
  tx: Tx,
  ctx: Ctx,
  receipt: FiscalReceipt,
  fiscalNumbers?: FiscalNumbers,
): Promise<Result<FiscalReceipt, ReceiptError>> {
  const now = ctx.now();
  // A receipt that failed at the provider may be printed at the office, and belongs to the office from then on.
  if (receipt.registrar === "provider" && receipt.state !== "canceled")
    return receipt.state === "succeeded" && !fiscalNumbers ? done(receipt) : fail({ code: "receipt.event_refused", state: receipt.state });
  const fiscal = fiscalNumbers ? { ...fiscalNumbers, registeredAt: now.toISOString() } : receipt.fiscal;
  const printed = { state: "succeeded" as const, registrar: "office" as const, fiscal, settledAt: receipt.settledAt ?? now };
  await rows.save(tx, receipt.id, { ...printed, nextCheckAt: null });
  return done({ ...receipt, ...printed });
}

/**
 * Records the fiscal numbers of a receipt that the office printed, or corrects them. `earlier` are the numbers that the member of staff
 * saw, null for none; other ones that were entered meanwhile are not overwritten. The same numbers again change nothing.
 *
 * Refuses with `staff.stale` and the receipt as it is, with `receipt.not_found` and with `receipt.event_refused`.
 */
export function enterFiscalNumbers(
  ctx: Ctx,
  id: string,
  fiscalNumbers: FiscalNumbers,
  earlier: FiscalNumbers | null | undefined,
): Promise<Result<FiscalReceipt, ReceiptError | { code: "staff.stale"; current: FiscalReceipt }>> {
  return inTransaction(
    ctx.db,
    async (tx): Promise<Result<FiscalReceipt, ReceiptError | { code: "staff.stale"; current: FiscalReceipt }>> => {
      const receipt = await rows.lock(tx, id);
      if (!receipt) return fail({ code: "receipt.not_found" });
      const isSeen = earlier === undefined || areSame(receipt.fiscal, earlier) || areSame(receipt.fiscal, fiscalNumbers);
      return isSeen ? printLocked(tx, ctx, receipt, fiscalNumbers) : fail({ code: "staff.stale", current: receipt });
    },
  );
}

const areSame = (a: FiscalNumbers | null, b: FiscalNumbers | null): boolean =>
  a?.storageNumber === b?.storageNumber && a?.documentNumber === b?.documentNumber && a?.attribute === b?.attribute;
