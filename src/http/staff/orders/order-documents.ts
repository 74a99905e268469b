import * as contract from "#contract/staff/orders/orders.ts";
import { orderStatusTexts } from "#contract/texts.ru.ts";
import { done, fail } from "#kit/result.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import * as labels from "#shop/delivery/labels/label.service.ts";
import { isRefusedByCarrier } from "#shop/delivery/shipment.ts";
import type { OrderToPack } from "#shop/orders/parcel/order-to-pack.ts";
import { ordersToPack } from "#shop/orders/parcel/packing.service.ts";
import { slipsPdf } from "#shop/packing/documents/slip-pdf.ts";
import { staffChange, staffRead, type StaffEndpoint } from "../endpoint.ts";

/** Slips and labels of chosen orders, each in one PDF. */
export const orderDocumentEndpoints: readonly StaffEndpoint[] = [
  staffChange(contract.printOrders, {
    change: async (ctx, { body: { ids, paper }, audit }) => {
      const found = new Map((await ordersToPack(ctx.db, ids)).map((order) => [order.id, order]));
      const rows = [...new Set(ids)].map((id) => {
        const order = found.get(id) ?? null;
        const reason = paper === "slips" ? whyNoSlip(order) : whyNoLabel(order);
        const stateText = order && orderStatusTexts[order.state];
        return { id, number: order?.number ?? null, isDone: reason === null, stateText, reason };
      });
      const printed = rows.filter(({ isDone }) => isDone).map(({ id }) => id);
      audit({ subject: "orders", after: { paper, numbers: rows.filter(({ isDone }) => isDone).map(({ number }) => number) } });
      if (printed.length === 0) return done({ rows, path: null });
      if (paper === "slips") return done({ rows, path: `/api/staff/orders/slips?ids=${printed.join(",")}` });
      const requested = await labels.request(ctx.db, ctx, printed);
      return done({ rows, path: requested.ok ? `/packing/labels/${requested.value.id}` : null });
    },
  }),
  staffRead(contract.printOrderSlips, async (ctx, { query: { ids } }) => {
    const orders = (await ordersToPack(ctx.db, ids)).filter((order) => whyNoSlip(order) === null);
    if (orders.length === 0) return fail({ code: "staff.not_found" });
    const bytes = await slips(ctx, orders);
    return done({ type: "application/pdf", name: "Упаковочные листы.pdf", bytes, isInline: true });
  }),
];

const noOrder = "Такого заказа нет";

function whyNoSlip(order: OrderToPack | null): string | null {
  if (!order) return noOrder;
  const { state, lines } = order;
  return state === "cancelled" || state === "returned" || lines.length === 0 ? "Складывать нечего" : null;
}

/** Why the carrier prints no label for an order, as a Russian sentence; null: it prints one. */
export function whyNoLabel(order: OrderToPack | null): string | null {
  if (!order) return noOrder;
  const { deliveryType, parcel, state } = order;
  if (deliveryType !== "carrier") return "Этикетки СДЭК не будет: заказ везёт не он";
  if (!parcel) return state === "cancelled" || state === "returned" ? "Посылки нет" : "Заказ ещё не собран";
  if (isRefusedByCarrier(parcel)) return "СДЭК отклонил посылку";
  return parcel.state === "called_off" || parcel.state === "not_delivered" || parcel.state === "delivered" ? "Посылка уже не едет" : null;
}

/** The slips of these orders, one a page. */
export async function slips(ctx: Ctx, orders: readonly OrderToPack[]): Promise<Buffer> {
  const ids = new Set(orders.flatMap(({ lines }) => lines.map(({ coinId }) => coinId)));
  const coins = new Map((await catalog.coinsByIds(ctx.db, [...ids])).map((coin) => [coin.id, coin]));
  return slipsPdf(orders, coins, { author: ctx.settings.seller.name, madeAt: ctx.now() });
}
