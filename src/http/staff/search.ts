import * as contract from "#contract/staff/search.ts";
import { maskContactsIn, maskPhone } from "#kit/text/mask.ts";
import { toRoubles } from "#kit/money.ts";
import { done } from "#kit/result.ts";
import { currentSum } from "#shop/buyback/deal.ts";
import * as deals from "#shop/buyback/service.ts";
import * as catalog from "#shop/catalog/service.ts";
import { fullNameOf } from "#shop/customers/customer.ts";
import { readCustomerQuery } from "#shop/customers/staff/customer-list.ts";
import * as customerList from "#shop/customers/staff/customer-list.service.ts";
import { actFacts } from "#shop/orders/staff/act.service.ts";
import { actsOf, type Act } from "#shop/orders/staff/acts.ts";
import * as orderList from "#shop/orders/staff/order-list.service.ts";
import * as payment from "#shop/payment/service.ts";
import { referenceNumber } from "#shop/payment/transfers/bank-transfer.ts";
import * as edits from "#shop/catalog/editing/edit.service.ts";
import type { Ctx } from "#shop/context.ts";
import type { May } from "./views.ts";
import { staffRead, type StaffEndpoint } from "./endpoint.ts";
import { orderRow } from "./orders/order-views.ts";

const shownOrders = 8;
const shownOthers = 5;

/** Ctrl K: what a number, a phone, a name or a title means. Each kind needs its permission. */
export const searchEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.findAnything, async (ctx, { query: { q }, staff, may }) => {
    const text = q.trim();
    if (text.length < 2) return done({ orders: [], acts: [], customers: [], transfers: [], deals: [], coins: [] });
    // Banks write `№ 125` and `000125`; the transfer has `125`.
    const reference = referenceNumber(text);
    const [ids, customers, transfers, found, coins] = await Promise.all([
      may("orders.read") ? orderList.idsByText(ctx.db, text) : [],
      customersFor(ctx, text, may),
      may("money.read") && reference ? payment.transfersByNumber(ctx.db, reference, shownOthers) : [],
      may("buyback.read") ? dealsFor(ctx, text, staff.login, may) : [],
      coinsFor(ctx, text, may),
    ]);
    const rows = await orderList.rowsByIds(ctx, ids.slice(0, shownOrders));
    const [only] = rows.length === 1 ? rows : [];
    return done({
      orders: rows.map((row) => orderRow(row, may)),
      acts: only ? await actsNow(ctx, only.id, may) : [],
      customers: customers.map((customer) => ({
        id: customer.id,
        name: fullNameOf(customer),
        maskedPhone: maskPhone(customer.phone),
      })),
      transfers: transfers.map(({ id, number, date, amount, orderId }) => ({ id, number, date, amount: toRoubles(amount), orderId })),
      deals: found.map((deal) => ({
        id: deal.id,
        name: maskContactsIn(deal.name),
        maskedPhone: deal.phone === "" ? "" : maskPhone(deal.phone),
        state: deal.state,
        sum: toRoubles(currentSum(deal)),
      })),
      coins: coins.map(({ id, slug, title, isPublished }) => ({
        id,
        title,
        isPublished,
        url: `${ctx.settings.publicUrl}/products/${slug}`,
      })),
    });
  }),
];

/** The acts that the role has and that are possible now. */
async function actsNow(ctx: Ctx, orderId: string, may: May): Promise<Act[]> {
  const facts = await actFacts(ctx, orderId);
  return facts ? actsOf(facts, may).flatMap(({ act, reason }) => (reason === null ? [act] : [])) : [];
}

/** By the phone only: names are found in the list of customers. */
async function customersFor(ctx: Ctx, text: string, may: May) {
  if (!may("customers.read") || readCustomerQuery(text)?.kind !== "phone") return [];
  return (await customerList.find(ctx, text, null)).items.slice(0, shownOthers);
}

/** A phone is found only in the deals whose contacts the caller may open. */
const dealsFor = (ctx: Ctx, text: string, login: string, may: May) =>
  deals.list(ctx, { part: null, text, phonesOf: may("customers.open") ? null : login }, { before: null, limit: shownOthers });

/** Editors of coins also find those that are not on sale; the others are led to the shop's page of a coin. */
async function coinsFor(ctx: Ctx, text: string, may: May) {
  if (may("coins")) return catalog.coinsByIds(ctx.db, (await edits.findIds(ctx.db, text)).slice(0, shownOthers));
  return may("stock.read") || may("content") ? catalog.findOnSale(ctx.db, text, shownOthers) : [];
}
