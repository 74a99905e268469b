import * as contract from "#contract/staff/search.ts";
import { toRoubles } from "#kit/money.ts";
import { done } from "#kit/result.ts";
import * as catalog from "#shop/catalog/service.ts";
import * as orderList from "#shop/orders/staff/order-list.service.ts";
import * as payment from "#shop/payment/service.ts";
import * as edits from "#shop/catalog/edit.service.ts";
import type { Ctx } from "#shop/context.ts";
import type { May } from "./views.ts";
import { staffRead, type StaffEndpoint } from "./endpoint.ts";
import { orderRow } from "./orders/order-views.ts";

const shownOrders = 8;
const shownOthers = 5;

/** Ctrl K: what a number, a phone, a name or a title means. Each kind needs its permission. */
export const searchEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.findAnything, async (ctx, { query: { q }, may }) => {
    const text = q.trim();
    if (text.length < 2) return done({ orders: [], transfers: [], coins: [] });
    const [ids, transfers, coins] = await Promise.all([
      may("orders.read") ? orderList.idsByText(ctx.db, text) : [],
      may("money.read") ? payment.transfersByNumber(ctx.db, text, shownOthers) : [],
      coinsFor(ctx, text, may),
    ]);
    const rows = await orderList.rowsByIds(ctx, ids.slice(0, shownOrders));
    return done({
      orders: rows.map((row) => orderRow(row, may)),
      transfers: transfers.map(({ id, number, date, amount, orderId }) => ({ id, number, date, amount: toRoubles(amount), orderId })),
      coins: coins.map(({ id, slug, title, isPublished }) => ({
        id,
        title,
        isPublished,
        url: `${ctx.settings.publicUrl}/products/${slug}`,
      })),
    });
  }),
];

/** Editors of coins also find those that are not on sale; the others are led to the shop's page of a coin. */
async function coinsFor(ctx: Ctx, text: string, may: May) {
  if (may("coins")) return catalog.coinsByIds(ctx.db, (await edits.findIds(ctx.db, text)).slice(0, shownOthers));
  return may("stock.read") || may("content") ? catalog.findOnSale(ctx.db, text, shownOthers) : [];
}
