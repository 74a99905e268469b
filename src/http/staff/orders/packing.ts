import * as contract from "#contract/staff/orders/packing.ts";
import { staffProblem } from "#contract/staff/problems.ts";
import { isoMoscow } from "#kit/moscow-time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { AuditEvent } from "#shop/audit/audit.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import * as labels from "#shop/delivery/labels/label.service.ts";
import { handOverPdf } from "#shop/packing/documents/hand-over-pdf.ts";
import { pickListPdf } from "#shop/packing/documents/pick-list-pdf.ts";
import { handOverTexts } from "#shop/packing/documents/texts.ru.ts";
import type { Batch, Packer } from "#shop/packing/packing.ts";
import * as packing from "#shop/packing/service.ts";
import type { OrderToPack } from "#shop/orders/parcel/order-to-pack.ts";
import { ordersToPack } from "#shop/orders/parcel/packing.service.ts";
import type { StaffMember } from "#shop/staff/staff.ts";
import { staffChange, staffRead, type StaffEndpoint, type StaffFile, type StaffRefusal } from "../endpoint.ts";
import { slips, whyNoLabel } from "./order-documents.ts";
import { batchView, finishRefusal, handOverView, labelView, packingRefusal, waitingView } from "./packing-views.ts";

const notFound = fail({ code: "staff.not_found" as const });
const packerOf = ({ login, name }: StaffMember): Packer => ({ login, name });
const placeOf = ({ id, orderId }: { id: number; orderId: string }): packing.BatchPlace => ({ batchId: id, orderId });
const pdf = (name: string, bytes: Buffer): Result<StaffFile, StaffRefusal> =>
  done({ type: "application/pdf", name: `${name}.pdf`, bytes, isInline: true });

/**
 * Packing: batches, checked pieces, seals, labels, documents and the hand-over. No answer has sums except the declared value for
 * `orders.money`.
 */
export const packingEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readPacking, async (ctx) => {
    const { waiting, batches, toHandOver } = await packing.board(ctx);
    return done({
      waiting: waiting.map(waitingView),
      batches: batches.map((batch) => ({ ...batch, createdAt: isoMoscow(batch.createdAt) })),
      toHandOver,
      batchSize: ctx.settings.limits.packingBatchOrders,
    });
  }),
  staffChange(contract.openBatch, {
    change: async (ctx, { body, audit }) => {
      const opened = await packing.openBatch(ctx, body.orders ?? null);
      if (!opened.ok) return fail(packingRefusal(opened.error));
      audit({ subject: `batch:${opened.value.id}` });
      return opened;
    },
  }),
  staffRead(contract.readBatch, async (ctx, { params: { id }, staff }) => {
    const batch = await packing.batch(ctx, id);
    if (!batch) return notFound;
    return done(
      batchView(
        batch,
        await coinsOf(
          ctx,
          batch.orders.map(({ order }) => order),
        ),
        staff.login,
      ),
    );
  }),
  staffRead(contract.printPickList, async (ctx, { params: { id } }) => {
    const batch = await packing.batch(ctx, id);
    if (!batch) return notFound;
    const coins = await coinsOf(
      ctx,
      batch.orders.map(({ order }) => order),
    );
    return pdf(`Лист подбора ${id}`, await pickListPdf(batch, coins, ctx.settings.seller.name));
  }),
  staffRead(contract.printSlips, async (ctx, { params: { id } }) => {
    const batch = await packing.batch(ctx, id);
    const orders = batch ? ordersOfSlips(batch) : [];
    return orders.length === 0 ? notFound : pdf(`Упаковочные листы ${id}`, await slips(ctx, orders));
  }),
  staffRead(contract.printSlip, async (ctx, { params: { orderId } }) => {
    const [order] = await ordersToPack(ctx.db, [orderId]);
    return order ? pdf(`Упаковочный лист ${order.number}`, await slips(ctx, [order])) : notFound;
  }),

  staffChange(contract.takeOverOrder, {
    change: async (ctx, { params, staff, audit }) => {
      const taken = await packing.takeOver(ctx, placeOf(params), packerOf(staff));
      if (!taken.ok) return fail(packingRefusal(taken.error));
      const { from } = taken.value;
      audit({
        subject: `order:${params.orderId}`,
        before: { batch: params.id, packer: from?.login ?? null },
        after: { batch: params.id, packer: staff.login },
      });
      return done(true as const);
    },
  }),
  staffChange(contract.scanPiece, {
    change: async (ctx, { params, body, staff, audit }) => {
      const scanned = await packing.scan(ctx, placeOf(params), packerOf(staff), body.code);
      return checkedPiece(params, audit, scanned);
    },
  }),
  staffChange(contract.tickPieces, {
    change: async (ctx, { params, body, staff, audit }) => {
      const piece = { coinId: body.coin, checked: body.checked };
      return checkedPiece(params, audit, await packing.tick(ctx, placeOf(params), packerOf(staff), piece));
    },
  }),
  staffChange(contract.finishOrder, {
    change: async (ctx, { params, body, staff, audit }) => {
      const packed = await packing.pack(ctx, placeOf(params), packerOf(staff), body.seal ?? null);
      if (!packed.ok) return fail(finishRefusal(packed.error));
      const { order, label } = packed.value;
      audit({
        subject: `order:${params.orderId}`,
        before: { batch: params.id, seal: null, state: order.state },
        after: { batch: params.id, seal: body.seal ?? null, state: "assembled" },
      });
      return done({ number: order.number, label: label && labelView(label) });
    },
  }),
  staffChange(contract.postponeOrder, {
    change: async (ctx, { params, body, staff, audit }) => {
      const postponed = await packing.postpone(ctx, placeOf(params), packerOf(staff), body.reason);
      if (!postponed.ok) return fail(packingRefusal(postponed.error));
      audit({
        subject: `order:${params.orderId}`,
        before: { batch: params.id },
        after: { batch: null, reason: body.reason },
      });
      return done(true as const);
    },
  }),

  staffChange(contract.requestLabels, {
    change: async (ctx, { body, audit }) => {
      const found = new Map((await ordersToPack(ctx.db, body.orders)).map((order) => [order.id, order]));
      const asked = [...new Set(body.orders)].map((id) => {
        const order = found.get(id) ?? null;
        return { id, number: order?.number ?? null, reason: whyNoLabel(order) };
      });
      const leftOut = asked.flatMap(({ reason, ...order }) => (reason === null ? [] : [{ ...order, reason }]));
      const printed = asked.filter(({ reason }) => reason === null).map(({ id }) => id);
      const requested = await labels.request(ctx.db, ctx, printed);
      if (!requested.ok) return fail({ code: "label.no_parcel", data: { leftOut } });
      for (const orderId of printed) audit({ subject: `order:${orderId}`, after: { file: requested.value.id } });
      return done({ ...labelView(requested.value), leftOut });
    },
  }),
  staffRead(contract.readLabel, async (ctx, { params: { id } }) => {
    const found = await labels.find(ctx, id);
    return found ? done(labelView(found)) : notFound;
  }),
  staffRead(contract.printLabel, async (ctx, { params: { id } }) => {
    const bytes = await labels.pdf(ctx, id);
    return bytes ? pdf(`Этикетки ${id}`, bytes) : notFound;
  }),

  staffRead(contract.readHandOver, async (ctx, { may }) =>
    done((await packing.packedOrders(ctx)).map((order) => handOverView(order, may("orders.money") !== null))),
  ),
  staffRead(contract.printHandOver, async (ctx, { query: { type, numbers }, may }) => {
    const orders = (await packing.packedOrders(ctx)).filter(
      ({ deliveryType, number }) => deliveryType === type && (numbers?.includes(number) ?? true),
    );
    if (orders.length === 0) return notFound;
    const details = { type, author: ctx.settings.seller.name, madeAt: ctx.now(), showsValue: may("orders.money") !== null };
    return pdf(`Опись ${handOverTexts[type]}`, await handOverPdf(orders, details));
  }),
  staffChange(contract.handOver, {
    change: async (ctx, { body, audit }) => {
      const results = await packing.handOver(ctx, body.orders);
      for (const { orderId, number, before, result } of results)
        if (result.ok)
          audit({ subject: `order:${orderId}`, before: { number, state: before }, after: { number, state: result.value.state } });
      if (results.every(({ result }) => !result.ok)) audit({ subject: "orders", after: { changed: 0 } });
      return done(
        results.map(({ orderId, number, result }) => ({
          id: orderId,
          number,
          isDone: result.ok,
          reason: result.ok ? null : staffProblem(result.error.code).message,
        })),
      );
    },
  }),
];

function checkedPiece(
  params: { id: number; orderId: string },
  audit: (event: AuditEvent) => void,
  result: Awaited<ReturnType<typeof packing.scan>>,
) {
  if (!result.ok) return fail(packingRefusal(result.error));
  const { coinId, title, checked, before, quantity } = result.value;
  audit({
    subject: `order:${params.orderId}`,
    before: { batch: params.id, coin: coinId, checked: before },
    after: { batch: params.id, coin: coinId, checked },
  });
  return done({ coin: coinId, title, checked, count: quantity });
}

async function coinsOf(ctx: Ctx, orders: readonly OrderToPack[]) {
  const ids = new Set(orders.flatMap(({ lines, dropped }) => [...lines, ...dropped].map(({ coinId }) => coinId)));
  return new Map((await catalog.coinsByIds(ctx.db, [...ids])).map((coin) => [coin.id, coin]));
}

const ordersOfSlips = (batch: Batch): OrderToPack[] =>
  batch.orders.filter(({ outcome, isGone }) => outcome !== "postponed" && !isGone).map(({ order }) => order);
