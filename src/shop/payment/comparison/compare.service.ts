import { inTransaction, type Db } from "#kit/db.ts";
import { subtract } from "#kit/money.ts";
import { fromMoscow, moscow } from "#kit/moscow-time.ts";
import { faultFields } from "#kit/network/outbound.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, hours, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { fetchPaymentState, isSettled } from "../status.service.ts";
import type { ProviderPayment, ProviderRefund } from "../gateway.ts";
import type { Payment, Refund } from "../payment.ts";
import * as rows from "../repository.ts";
import * as refundRows from "../refunds/refunds.repository.ts";
import * as transferRows from "../refunds/refund-transfers.repository.ts";
import * as comparisonRows from "./comparison.repository.ts";

/** The hour in Moscow from which yesterday is compared: by then every link of that day has expired. */
const compareFromHour = 4;

/**
 * Once a day compares the provider's payments and refunds of the last three days with our own, stores every difference and raises an alarm
 * for each new one. Refunds are compared by their own day, whatever the age of the payment. The state of open payments is fetched first.
 * Does nothing when called again on the same day.
 */
export async function compareDaily(ctx: Ctx): Promise<void> {
  const { date, hour } = moscow(ctx.now());
  if (hour < compareFromHour || (await comparisonRows.isCompared(ctx.db, date))) return;
  const midnight = fromMoscow(date);
  const found = await compare(ctx, { from: plus(midnight, -days(3)), till: midnight });
  await inTransaction(ctx.db, (tx) => comparisonRows.saveComparison(tx, { day: date, at: ctx.now(), differences: found }));
}

/**
 * Compares the last three days and today up to now, for staff who do not wait for the morning; `storeFound` stores the result. Calls the
 * provider, so it must not run inside a transaction. Refuses with `payment.unavailable` when the provider does not answer.
 */
export async function compareForStaff(ctx: Ctx): Promise<Result<comparisonRows.Difference[], { code: "payment.unavailable" }>> {
  const span = { from: plus(fromMoscow(moscow(ctx.now()).date), -days(3)), till: ctx.now() };
  try {
    await refreshOpen(ctx, await ctx.gateways.payment.list(span));
    return done(await compareNow(ctx, span));
  } catch (error) {
    ctx.log.warn(faultFields(error), "the payment provider gave no list to compare with");
    return fail({ code: "payment.unavailable" });
  }
}

/** Compares both sides for a span of creation times; returns the number of new differences. Throws when the provider does not answer. */
async function compare(ctx: Ctx, span: Span): Promise<number> {
  const theirs = await ctx.gateways.payment.list(span);
  await refreshOpen(ctx, theirs);
  return storeFound(ctx, await findDifferences(ctx, span, theirs));
}

type Span = { from: Date; till: Date };
/** The part of the context that a comparison without changes needs. */
export type CompareCtx = Pick<Ctx, "db" | "now"> & { gateways: Pick<Ctx["gateways"], "payment"> };

/** Payments normally settle within minutes. A payment that is open for longer counts as a difference. */
const inFlight = hours(3);

/**
 * Returns the differences between the provider's payments and refunds of a span and our own, for the ledger check. Changes nothing.
 * Tolerates money in transit: open payments of the last hours, unsettled refunds, and what settles between two readings.
 * Throws when the provider does not answer.
 */
export async function compareNow(ctx: CompareCtx, span: Span): Promise<comparisonRows.Difference[]> {
  const found = await settledDifferences(ctx, span);
  if (found.length === 0) return [];
  const again = new Set((await settledDifferences(ctx, span)).map((each) => JSON.stringify(each)));
  return found.filter((each) => again.has(JSON.stringify(each)));
}

async function settledDifferences(ctx: CompareCtx, span: Span): Promise<comparisonRows.Difference[]> {
  const found = await findDifferences(ctx, span, await ctx.gateways.payment.list(span));
  const open = new Set<string>();
  for (const { paymentId } of found) {
    const payment = paymentId === null ? null : await rows.byId(ctx.db, paymentId);
    if (payment && !isSettled(payment) && payment.createdAt > plus(ctx.now(), -inFlight)) open.add(payment.id);
  }
  return found.filter(({ paymentId }) => paymentId === null || !open.has(paymentId));
}

async function findDifferences(ctx: CompareCtx, span: Span, theirs: ProviderPayment[]): Promise<comparisonRows.Difference[]> {
  const { provider } = ctx.gateways.payment;
  const known = await rows.byProviderIds(
    ctx.db,
    provider,
    theirs.map((each) => each.id),
  );
  const ours = new Map(known.map((each) => [each.providerId, each]));
  const differences: comparisonRows.Difference[] = [];
  for (const each of theirs) differences.push(...(await differencesOf(ctx, ours.get(each.id) ?? null, each)));

  // The clocks of both sides differ a little: a payment missing from the list is fetched by its id before it counts as missing.
  const listed = new Set(theirs.map((each) => each.id));
  for (const payment of await rows.createdBetween(ctx.db, provider, span)) {
    if (payment.providerId === null || listed.has(payment.providerId)) continue;
    if ((await ctx.gateways.payment.find(payment.providerId)) === null) differences.push(missingAtProvider(provider, payment));
  }
  return [...differences, ...(await compareRefunds(ctx, span))];
}

/** The differences found so far, newest first, for staff. */
export const differences = (db: Db, limit = 100): Promise<(comparisonRows.Difference & { foundAt: Date })[]> =>
  comparisonRows.differences(db, limit);

async function refreshOpen(ctx: Ctx, theirs: ProviderPayment[]): Promise<void> {
  for (const each of theirs) {
    const payment = each.attemptId === null ? null : await rows.byId(ctx.db, each.attemptId);
    if (payment && !isSettled(payment)) await fetchPaymentState(ctx, payment.id);
  }
}

async function differencesOf(ctx: CompareCtx, ours: Payment | null, theirs: ProviderPayment): Promise<comparisonRows.Difference[]> {
  const base = {
    provider: ctx.gateways.payment.provider,
    providerId: theirs.id,
    paymentId: ours?.id ?? theirs.attemptId,
    orderId: ours?.orderId ?? theirs.orderId,
  };
  if (!ours) {
    // A cancelled payment moved no money.
    if (theirs.status === "canceled") return [];
    return [{ ...base, kind: "unknown_here", ours: "", theirs: `${theirs.status} ${theirs.amount}` }];
  }
  const found: comparisonRows.Difference[] = [];
  if (theirs.status !== ours.state) found.push({ ...base, kind: "state", ours: ours.state, theirs: theirs.status });
  if (theirs.amount !== ours.amount) found.push({ ...base, kind: "amount", ours: String(ours.amount), theirs: String(theirs.amount) });
  const refundedThere = subtract(ours.refunded, await transferRows.sumPaidByTransfer(ctx.db, ours.id));
  // A refund in progress may have succeeded at the provider and not be stored here yet.
  if (theirs.refunded !== refundedThere && !(await refundRows.hasOpenRefund(ctx.db, ours.id)))
    found.push({ ...base, kind: "refunded", ours: String(refundedThere), theirs: String(theirs.refunded) });
  return found;
}

/** Compares refunds made or settled in the span, of payments of any age: first the provider's, then ours that are not in its list. */
async function compareRefunds(ctx: CompareCtx, span: Span): Promise<comparisonRows.Difference[]> {
  const { provider } = ctx.gateways.payment;
  const theirs = await ctx.gateways.payment.listRefunds(span);
  const ours = await refundRows.refundsByProviderIds(
    ctx.db,
    theirs.map((each) => each.id),
  );
  const between = await refundRows.refundsBetween(ctx.db, provider, span);
  const transfers = await transferRows.transfersOfRefunds(
    ctx.db,
    [...ours.values(), ...between].map((each) => each.id),
  );
  /** As the provider should have it: a refund that staff paid by transfer was refused there. */
  const atProvider = <R extends Refund>(refund: R): R => (transfers.has(refund.id) ? { ...refund, state: "canceled" } : refund);
  const found: comparisonRows.Difference[] = [];
  for (const each of theirs) {
    const known = ours.get(each.id);
    found.push(...(await refundDifferences(ctx, known ? atProvider(known) : null, each)));
  }

  const listed = new Set(theirs.map((each) => each.id));
  for (const refund of between.map(atProvider)) {
    const isOver = refund.state === "succeeded" || refund.state === "canceled";
    if (!isOver || (refund.providerId !== null && listed.has(refund.providerId))) continue;
    if (refund.providerId === null && refund.state === "canceled") continue; // refused outright: there is nothing to compare
    const there = refund.providerId === null ? null : await ctx.gateways.payment.findRefund(refund.providerId);
    if (there) found.push(...(await refundDifferences(ctx, refund, there)));
    else
      found.push({
        kind: "refund_unknown_there",
        provider,
        providerId: refund.providerId ?? refund.id,
        paymentId: refund.paymentId,
        orderId: refund.orderId,
        ours: `${refund.state} ${refund.amount}`,
        theirs: "",
      });
  }
  return found;
}

async function refundDifferences(ctx: CompareCtx, ours: Refund | null, theirs: ProviderRefund): Promise<comparisonRows.Difference[]> {
  const { provider } = ctx.gateways.payment;
  const payment = ours ? null : await rows.byProviderId(ctx.db, provider, theirs.paymentId);
  const base = {
    provider,
    providerId: theirs.id,
    paymentId: ours?.paymentId ?? payment?.id ?? null,
    orderId: ours?.orderId ?? payment?.orderId ?? null,
  };
  if (!ours) {
    const own = theirs.key === null ? null : await refundRows.refundByKey(ctx.db, theirs.key);
    // A cancelled refund moved no money; a refund of ours whose answer was lost is checked by its own schedule.
    if (theirs.status === "canceled" || own?.state === "new") return [];
    return [
      {
        ...base,
        kind: "refund_unknown_here",
        ours: own ? `${own.state} ${own.amount}` : "",
        theirs: `${theirs.status} ${theirs.amount}`,
      },
    ];
  }
  const found: comparisonRows.Difference[] = [];
  const isOpen = ours.state === "new" || ours.state === "pending"; // its next check applies the provider's state
  if (theirs.status !== ours.state && !isOpen) found.push({ ...base, kind: "refund_state", ours: ours.state, theirs: theirs.status });
  // What staff pays of a refused refund may be less than what was refused.
  if (theirs.amount !== ours.amount && !(theirs.status === "canceled" && ours.state === "canceled"))
    found.push({ ...base, kind: "refund_amount", ours: String(ours.amount), theirs: String(theirs.amount) });
  return found;
}

const missingAtProvider = (provider: string, payment: Payment): comparisonRows.Difference => ({
  kind: "unknown_there",
  provider,
  providerId: payment.providerId ?? "",
  paymentId: payment.id,
  orderId: payment.orderId,
  ours: `${payment.state} ${payment.amount}`,
  theirs: "",
});

/** Stores the differences that are not stored yet, with an alarm for each; returns their number. */
export async function storeFound(ctx: Ctx, found: readonly comparisonRows.Difference[]): Promise<number> {
  let fresh = 0;
  for (const each of found) {
    if (!(await inTransaction(ctx.db, (tx) => comparisonRows.insertDifference(tx, each, ctx.now())))) continue;
    fresh += 1;
    ctx.alarm("payment.difference", { kind: each.kind, providerId: each.providerId, orderId: each.orderId ?? "" });
  }
  return fresh;
}
