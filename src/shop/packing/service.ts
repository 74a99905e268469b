import { inTransaction, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { minutes, plus } from "#kit/time.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import type { LabelFile } from "#shop/delivery/labels/label.ts";
import * as labels from "#shop/delivery/labels/label.service.ts";
import type { Order, OrderError, OrderState } from "#shop/orders/order.ts";
import { coinWithCode } from "#shop/orders/parcel/coin-code.service.ts";
import { isPackable, type OrderToPack } from "#shop/orders/parcel/order-to-pack.ts";
import { lockToPack, ordersToPack, packed, toPack } from "#shop/orders/parcel/packing.service.ts";
import * as orders from "#shop/orders/service.ts";
import {
  leftToCheck,
  linesAtTable,
  readCode,
  type Batch,
  type BatchOrder,
  type Packer,
  type PackingError,
  type PostponeReason,
  type WrongPiece,
} from "./packing.ts";
import * as rows from "./repository.ts";
import type { PackingEntryRow } from "./repository.ts";

/** Lists of the packing screen stop here. */
const maxListed = 200;

/** What the packing screen begins with: orders to pack that are in no batch, open batches, and packed orders to hand over. */
export async function board(ctx: Ctx) {
  const inBatches = await rows.openOrderIds(ctx.db);
  const waiting = await toPack(ctx.db, { except: inBatches, limit: maxListed });
  const reasons = await rows.postponed(
    ctx.db,
    waiting.map(({ id }) => id),
  );
  return {
    waiting: waiting.map((order) => ({ order, postponed: reasons.get(order.id) ?? null })),
    batches: await rows.openBatches(ctx.db),
    toHandOver: (await packed(ctx.db, maxListed)).length,
  };
}

/**
 * Makes a batch of these orders, or of the oldest that wait, up to `packingBatchOrders`. Orders that cannot be packed or are in another
 * open batch are left out. Refuses with `packing.nothing` when none is left.
 */
export function openBatch(ctx: Ctx, orderIds: readonly string[] | null): Promise<Result<{ id: number }, PackingError>> {
  return inTransaction(ctx.db, async (tx) => {
    const limit = ctx.settings.limits.packingBatchOrders;
    const taken = await rows.openOrderIds(tx);
    const found = orderIds ? await ordersToPack(tx, orderIds) : await toPack(tx, { except: taken, limit });
    const free = found.filter(({ id, state }) => isPackable(state) && !taken.includes(id)).slice(0, limit);
    const ids = free.map(({ id }) => id);
    const id = ids.length > 0 ? await rows.insertBatch(tx, ctx, ids, ctx.now()) : null;
    return id === null ? fail({ code: "packing.nothing" }) : done({ id });
  });
}

/** A batch with its orders, checked pieces, packers and labels; null: unknown. */
export async function batch(ctx: Ctx, id: number): Promise<Batch | null> {
  const found = await rows.batch(ctx.db, id);
  if (!found) return null;
  const ids = found.entries.map(({ orderId }) => orderId);
  const orderOf = new Map((await ordersToPack(ctx.db, ids)).map((order) => [order.id, order]));
  const checked = await rows.checked(ctx.db, id);
  const labelOf = await labels.ofOrders(ctx, ids);
  return {
    id,
    createdAt: found.createdAt,
    closedAt: found.closedAt,
    orders: found.entries.flatMap((entry): BatchOrder[] => {
      const order = orderOf.get(entry.orderId);
      if (!order) return [];
      const { place, outcome, reason } = entry;
      return [
        {
          order,
          place,
          outcome,
          reason,
          isGone: outcome === null && !isPackable(order.state),
          packer: outcome === null ? currentPacker(ctx, entry) : null,
          checked: checked.get(order.id) ?? new Map(),
          label: labelOf.get(order.id) ?? null,
        },
      ];
    }),
  };
}

/** Who packs the order now; a packer who checked nothing for `packingClaimMinutes` has left it. */
function currentPacker(ctx: Ctx, { packer }: PackingEntryRow): Packer | null {
  if (!packer || plus(packer.seenAt, minutes(ctx.settings.limits.packingClaimMinutes)) <= ctx.now()) return null;
  return { login: packer.login, name: packer.name };
}

export type BatchPlace = { batchId: number; orderId: string };
/** `before`: how many pieces of the coin were checked before. */
type Checked = { coinId: number; title: string; checked: number; before: number; quantity: number };

/** Takes an order over from the packer who has it; `from` null: it was free. Refuses as `check` does, except for `packing.taken`. */
export function takeOver(ctx: Ctx, place: BatchPlace, packer: Packer): Promise<Result<{ from: Packer | null }, PackingError>> {
  return inTransaction(ctx.db, async (tx) => {
    const found = await lockOpen(tx, ctx, place, { packer, isTakenOver: true });
    return found.ok ? done({ from: currentPacker(ctx, found.value.entry) }) : found;
  });
}

/**
 * Counts one piece that the scanner read: `code` is the coin's catalogue number or the shop's article (its id). The first piece makes the
 * order the packer's. Refuses with `packing.wrong_piece` for a piece that does not belong into the parcel, `packing.taken` while another
 * packer has the order, `packing.gone`, `packing.ended` and `packing.not_found`.
 */
export function scan(ctx: Ctx, place: BatchPlace, packer: Packer, code: string): Promise<Result<Checked, PackingError>> {
  return inTransaction(ctx.db, async (tx) => {
    const found = await lockOpen(tx, ctx, place, { packer });
    if (!found.ok) return found;
    const { entry, order, checked } = found.value;
    const wrong = (why: WrongPiece, title: string | null) => fail({ code: "packing.wrong_piece" as const, why, title });
    const coins = await catalog.coinsByCode(tx, readCode(code));
    const [coin] = coins;
    if (!coin) return wrong("unknown", null);
    const title = `${coin.title}, ${coin.year}`;
    const inOrder = order.lines.filter(({ coinId }) => coins.some(({ id }) => id === coinId));
    if (inOrder.length === 0) return wrong("not_in_order", title);
    // Two mints share a catalogue number: the wrong mint must not pass for the right one.
    if (coins.length > 1) return wrong("shared", coin.title);
    return count(tx, entry, inOrder[0]!, checked, (checked.get(coin.id) ?? 0) + 1);
  });
}

/** Sets how many pieces of a coin are checked, for ticking by hand. Refuses as `scan` does. */
export function tick(
  ctx: Ctx,
  place: BatchPlace,
  packer: Packer,
  piece: { coinId: number; checked: number },
): Promise<Result<Checked, PackingError>> {
  return inTransaction(ctx.db, async (tx) => {
    const found = await lockOpen(tx, ctx, place, { packer });
    if (!found.ok) return found;
    const { entry, order, checked } = found.value;
    const line = linesAtTable(order, checked).find(({ coinId }) => coinId === piece.coinId);
    if (!line) return fail({ code: "packing.wrong_piece", why: "not_in_order", title: null });
    return count(tx, entry, line, checked, piece.checked);
  });
}

async function count(
  tx: Tx,
  entry: PackingEntryRow,
  line: OrderToPack["lines"][number],
  before: ReadonlyMap<number, number>,
  checked: number,
): Promise<Result<Checked, PackingError>> {
  const { coinId, title, quantity } = line;
  const known = before.get(coinId) ?? 0;
  if (checked > quantity && checked > known) return fail({ code: "packing.wrong_piece", why: "enough", title });
  await rows.saveChecked(tx, entry, coinId, checked);
  return done({ coinId, title, checked, before: known, quantity });
}

/**
 * Packs an order of which every piece was checked, in a bag with this seal, and requests the label of its parcel. Refuses with
 * `packing.incomplete` and the number of pieces left, `packing.seal_missing`, `packing.seal_not_needed`, `packing.wrong_piece` for a seal
 * that is a coin's code, as `scan` does, and as `orders.apply` does.
 */
export function pack(
  ctx: Ctx,
  place: BatchPlace,
  packer: Packer,
  sealNumber: string | null,
): Promise<Result<{ order: OrderToPack; label: LabelFile | null }, PackingError | OrderError>> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const found = await lockOpen(tx, ctx, place, { packer });
    if (!found.ok) return found;
    const { entry, order, checked } = found.value;
    const left = leftToCheck(linesAtTable(order, checked), checked).reduce((sum, each) => sum + Math.abs(each.left), 0);
    if (left > 0) return fail({ code: "packing.incomplete", left });
    if (order.needsSeal && sealNumber === null) return fail({ code: "packing.seal_missing" });
    const piece = sealNumber === null ? null : await coinWithCode(tx, sealNumber, order.lines);
    if (piece) return fail({ code: "packing.wrong_piece", why: piece.isInOrder ? "enough" : "not_in_order", title: piece.title });
    if (!order.needsSeal && sealNumber !== null) return fail({ code: "packing.seal_not_needed" });
    const assembled = await orders.apply(inside, order.id, "assemble", sealNumber === null ? {} : { sealNumber });
    if (!assembled.ok) return assembled;
    await rows.saveEntry(tx, entry, { outcome: "packed", endedAt: ctx.now() });
    await rows.closeIfEnded(tx, entry.batchId, ctx.now());
    const label = order.deliveryType === "carrier" ? await labels.request(tx, inside, [order.id]) : null;
    return done({ order, label: label?.ok ? label.value : null });
  });
}

/**
 * Takes an order out of its batch, with the reason; the order waits to be packed again. Refuses as `scan` does; a gone order is taken out
 * too.
 */
export function postpone(ctx: Ctx, place: BatchPlace, packer: Packer, reason: PostponeReason): Promise<Result<void, PackingError>> {
  return inTransaction(ctx.db, async (tx) => {
    const found = await lockOpen(tx, ctx, place, { packer, isGoneToo: true });
    if (!found.ok) return found;
    await rows.saveEntry(tx, found.value.entry, { outcome: "postponed", reason, endedAt: ctx.now() });
    await rows.closeIfEnded(tx, place.batchId, ctx.now());
    return done(undefined);
  });
}

type OpenOrder = { entry: PackingEntryRow; order: OrderToPack; checked: ReadonlyMap<number, number> };

/** Locks the place of an order that is being packed, then the order, and makes it this packer's. */
async function lockOpen(
  tx: Tx,
  ctx: Ctx,
  { batchId, orderId }: BatchPlace,
  { packer, isTakenOver = false, isGoneToo = false }: { packer: Packer; isTakenOver?: boolean; isGoneToo?: boolean },
): Promise<Result<OpenOrder, PackingError>> {
  const entry = await rows.lockEntry(tx, batchId, orderId);
  if (!entry) return fail({ code: "packing.not_found" });
  if (entry.outcome !== null) return fail({ code: "packing.ended" });
  const order = await lockToPack(tx, orderId);
  if (!order) return fail({ code: "packing.not_found" });
  if (!isPackable(order.state) && !isGoneToo) return fail({ code: "packing.gone", state: order.state });
  const other = currentPacker(ctx, entry);
  if (other && other.login !== packer.login && !isTakenOver) return fail({ code: "packing.taken", name: other.name });
  await rows.saveEntry(tx, entry, { packer: packer.login, packerName: packer.name, packerSeenAt: ctx.now() });
  return done({ entry, order, checked: (await rows.checked(tx, batchId)).get(orderId) ?? new Map() });
}

/** Packed orders that were not handed over yet, oldest first. */
export const packedOrders = (ctx: Ctx): Promise<OrderToPack[]> => packed(ctx.db, maxListed);

/** `before`: its state before the call. */
export type HandedOver = {
  orderId: string;
  number: number | null;
  before: OrderState | null;
  result: Result<Order, OrderError>;
};

/**
 * Marks packed orders as handed over to their carrier, or as ready for collection at the office. Each runs in a savepoint of its own, in
 * the order of their ids: one that is refused does not stop the others. Refuses as `orders.apply` does.
 */
export function handOver(ctx: Ctx, orderIds: readonly string[]): Promise<HandedOver[]> {
  return inTransaction(ctx.db, async (tx) => {
    const results: HandedOver[] = [];
    for (const orderId of [...new Set(orderIds)].toSorted()) results.push(await handOverOne(tx, ctx, orderId));
    return results;
  });
}

function handOverOne(db: Tx, ctx: Ctx, orderId: string): Promise<HandedOver> {
  return inTransaction(db, async (tx) => {
    const order = await lockToPack(tx, orderId);
    if (!order) return { orderId, number: null, before: null, result: fail({ code: "order.not_found" as const }) };
    const { number, state: before, deliveryType } = order;
    const event = deliveryType === "office" ? "make_ready" : "ship";
    return { orderId, number, before, result: await orders.apply({ ...ctx, db: tx }, orderId, event) };
  });
}
