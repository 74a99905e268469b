import type { Db, Expression, Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { sha256 } from "#kit/security/secrets.ts";
import { minutes, plus, seconds } from "#kit/time.ts";
import { step } from "#kit/transitions.ts";
import type { Ctx } from "#shop/context.ts";
import { maxLabelsPerTask } from "../gateway.ts";
import { shipmentsOf, type ShipmentRow } from "../shipments.repository.ts";
import type { ShipmentState } from "../shipment.ts";
import { labelStates, type LabelError, type LabelFile } from "./label.ts";
import * as rows from "./repository.ts";
import type { LabelRow } from "./repository.ts";

/** Identifies the labels of these parcels. A parcel that was packed again has another registration, so another key. */
const keyOf = (parcels: readonly ShipmentRow[]): string =>
  sha256(parcels.map(({ orderId, registration }) => `${orderId}:${registration}`).join(","));

const toFile = (ctx: Ctx, { id, orderIds, state, fault, readyAt }: LabelRow): LabelFile => ({
  id,
  orderIds,
  state,
  fault,
  readyAt,
  expiresAt: readyAt && plus(readyAt, minutes(ctx.settings.limits.labelMinutes)),
});

/** The parcels in the order of the ids; null when one of them is missing. */
async function parcelsOf(db: Db, orderIds: readonly string[]): Promise<ShipmentRow[] | null> {
  const found = new Map((await shipmentsOf(db, orderIds)).map((parcel) => [parcel.orderId, parcel]));
  const parcels = orderIds.flatMap((id) => found.get(id) ?? []);
  return parcels.length === orderIds.length && parcels.length > 0 ? parcels : null;
}

/**
 * Requests the labels of these orders' parcels in one PDF, in this order; the next sweep sends the request to the carrier. Idempotent: a
 * file of the same parcels that is waiting or ready is returned instead.
 * Refuses with `label.no_parcel` when an order has no parcel, and `label.too_many`.
 */
export async function request(tx: Tx, ctx: Ctx, orderIds: readonly string[]): Promise<Result<LabelFile, LabelError>> {
  if (orderIds.length > maxLabelsPerTask) return fail({ code: "label.too_many", limit: maxLabelsPerTask });
  const parcels = await parcelsOf(tx, orderIds);
  if (!parcels) return fail({ code: "label.no_parcel" });
  return done(toFile(ctx, await rows.insertOrFind(tx, { key: keyOf(parcels), orderIds }, ctx.now())));
}

/** The newest file of the label of each order's present parcel; orders without one are left out. */
export async function ofOrders(ctx: Ctx, orderIds: readonly string[]): Promise<Map<string, LabelFile>> {
  const parcels = await shipmentsOf(ctx.db, orderIds);
  const files = await rows.newestByKey(
    ctx.db,
    parcels.map((parcel) => keyOf([parcel])),
  );
  return new Map(
    parcels.flatMap((parcel) => {
      const file = files.get(keyOf([parcel]));
      return file ? [[parcel.orderId, toFile(ctx, file)] as const] : [];
    }),
  );
}

/** A label file with its state; null: there is none. */
export async function find(ctx: Ctx, id: number): Promise<LabelFile | null> {
  const row = await rows.byId(ctx.db, id);
  return row && toFile(ctx, row);
}

/** The bytes of a ready file; null when it is not ready, or no longer. */
export const pdf = (ctx: Ctx, id: number): Promise<Buffer | null> => rows.pdfOf(ctx.db, id);

/** How long a claimed file belongs to one process; longer than the calls to the carrier for one file. */
const lease = seconds(30);
const filesPerSweep = 20;
const pollEvery = seconds(2);
/** A task that takes longer is requested again. */
const maxTaskMs = minutes(10);

/**
 * Requests the labels that are due from the carrier, fetches those that are ready and deletes those whose time is over. No lock is held
 * during a call to the carrier. While the carrier is unavailable, files are retried with growing pauses up to fifteen minutes, with one
 * alarm.
 */
export async function sweep(ctx: Ctx): Promise<void> {
  for (let turn = 0; turn < filesPerSweep; turn += 1) {
    const file = await rows.claimDue(ctx.db, ctx.now(), plus(ctx.now(), lease));
    if (!file) return;
    try {
      await advance(ctx, file);
    } catch (error) {
      await postpone(ctx, file, error instanceof Error ? error.message : String(error));
    }
  }
}

/** Whether `sweep` has something to do. */
export const hasDue = (ctx: Ctx): Expression => rows.hasDue(ctx.now());

function advance(ctx: Ctx, file: LabelRow): Promise<void> {
  if (file.state === "waiting") return send(ctx, file);
  if (file.state === "asked" && file.taskId !== null) return receive(ctx, file, file.taskId);
  return rows.save(ctx.db, file, { ...moved(file, "expire"), pdf: null, nextCheckAt: null });
}

/** The change of a file's state by an event; empty when the state table does not allow it. */
function moved({ state }: LabelRow, event: "ask" | "receive" | "lose" | "refuse" | "expire") {
  const move = step(labelStates, state, event);
  return move.kind === "moved" ? { state: move.to } : {};
}

/** Whether the carrier can print a label of a parcel in this state: it has it, and it is not on its way back. */
const hasLabel = (state: ShipmentState): boolean => state === "registered" || state === "in_transit" || state === "at_point";
const isRegistering = (state: ShipmentState): boolean => state === "new" || state === "accepted";

/** Requests a file from the carrier, once it has registered every parcel of it. */
async function send(ctx: Ctx, file: LabelRow): Promise<void> {
  const parcels = await parcelsOf(ctx.db, file.orderIds);
  if (!parcels || keyOf(parcels) !== file.key) return refuse(ctx, file, "repacked");
  const refused = parcels.find(({ state }) => !hasLabel(state) && !isRegistering(state));
  if (refused) return refuse(ctx, file, refused.state);
  const carrierIds = parcels.flatMap(({ state, carrierId }) => (hasLabel(state) && carrierId !== null ? [carrierId] : []));
  // The sweep of parcels registers them, retries and raises the alarms about them.
  if (carrierIds.length < parcels.length) return rows.save(ctx.db, file, { nextCheckAt: plus(ctx.now(), pollEvery) });
  const task = await ctx.gateways.delivery.requestLabels(carrierIds);
  if ("refused" in task) return refuse(ctx, file, task.refused);
  await rows.save(ctx.db, file, {
    ...moved(file, "ask"),
    taskId: task.taskId,
    askedAt: ctx.now(),
    nextCheckAt: plus(ctx.now(), pollEvery),
  });
}

async function receive(ctx: Ctx, file: LabelRow, taskId: string): Promise<void> {
  const answer = await ctx.gateways.delivery.fetchLabels(taskId);
  switch (answer.state) {
    case "ready":
      return rows.save(ctx.db, file, {
        ...moved(file, "receive"),
        pdf: answer.pdf,
        readyAt: ctx.now(),
        attempts: 0,
        nextCheckAt: plus(ctx.now(), minutes(ctx.settings.limits.labelMinutes)),
      });
    case "refused":
      return refuse(ctx, file, answer.reason);
    case "gone":
      return requestAgain(ctx, file, "the carrier no longer has the file");
    case "pending":
      if (file.askedAt && plus(file.askedAt, maxTaskMs) <= ctx.now()) return requestAgain(ctx, file, "the carrier did not finish the file");
      return rows.save(ctx.db, file, { nextCheckAt: plus(ctx.now(), pollEvery) });
  }
}

/** A file that can no longer be printed: the screen offers to request it again. */
const refuse = (ctx: Ctx, file: LabelRow, fault: string): Promise<void> =>
  rows.save(ctx.db, file, { ...moved(file, "refuse"), fault: fault.slice(0, 200), nextCheckAt: null });

async function requestAgain(ctx: Ctx, file: LabelRow, reason: string): Promise<void> {
  await postpone(ctx, file, reason, { ...moved(file, "lose"), taskId: null });
}

const pauses = [seconds(5), seconds(15), seconds(30), minutes(1), minutes(5)];
/** Failures in a row before an alarm: about seven minutes. */
const alarmAfter = pauses.length;

async function postpone(ctx: Ctx, file: LabelRow, reason: string, change: Parameters<typeof rows.save>[2] = {}): Promise<void> {
  const attempts = file.attempts + 1;
  ctx.log.warn({ labelFile: file.id, attempt: attempts, reason }, "labels postponed");
  if (attempts === alarmAfter) ctx.alarm("delivery.labels_failed", { orders: file.orderIds.length, reason });
  await rows.save(ctx.db, file, { ...change, attempts, nextCheckAt: plus(ctx.now(), pauses[attempts - 1] ?? minutes(15)) });
}
