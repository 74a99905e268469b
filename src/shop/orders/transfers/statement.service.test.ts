import { afterAll, beforeAll, expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as payment from "#shop/payment/service.ts";
import { testClock } from "#tests/shop.ts";
import type { Order } from "../order.ts";
import * as orders from "../service.ts";
import type { StatementEntry } from "./statement.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 1000 });
});
afterAll(async () => {
  await shop.sweep();
  expect(await checkLedger(shop.ctx.db, [])).toEqual([]);
  await shop.close();
});

let visitors = 0;
const ordered = (paymentId: number) => shop.ordered(aVisitor(`s${(visitors += 1)}`), { 1: 2 }, { ...atOffice, paymentId });
let references = 0;
const anEntry = (entry: Partial<StatementEntry>): StatementEntry => ({
  number: String((references += 1)),
  date: "2026-11-20",
  arrivedOn: "2026-11-20",
  amount: kopecks(100),
  payer: "Иванов",
  payerAccount: "40817810099910004312",
  payeeAccounts: [shop.ctx.settings.seller.account],
  purpose: "",
  ...entry,
});
const take = (entry: StatementEntry) => orders.processEntry(shop.ctx, entry);
const forOrder = ({ number, total }: Order, more: Partial<StatementEntry> = {}) =>
  anEntry({ amount: total, purpose: `Оплата заказа № ${number}. Без НДС`, ...more });

test("a statement that is read twice pays the order it names once, in parts and whole", async () => {
  const order = await ordered(6);
  const [part, rest] = [forOrder(order, { amount: kopecks(200_000) }), forOrder(order, { amount: kopecks(order.total - 200_000) })];
  expect(await take(part)).toEqual({ kind: "counted", orderNumber: order.number, state: "awaiting_payment" });
  for (let n = 0; n < 2; n += 1) expect(await take(part)).toEqual({ kind: "known", orderNumber: order.number });
  expect(await take(rest)).toEqual({ kind: "counted", orderNumber: order.number, state: "paid" });
  expect(await take(rest)).toEqual({ kind: "known", orderNumber: order.number });
  expect(await shop.now(order)).toMatchObject({ paid: order.total });
  expect(await payment.ofOrder(shop.ctx.db, order.id)).toHaveLength(2);
});

test("a transfer that staff entered with its reference is known to the statement, also with no order number in its purpose", async () => {
  const order = await ordered(6);
  const entry = anEntry({ amount: order.total, purpose: "за монеты" });
  expect(await take(entry)).toEqual({ kind: "left", why: "no_order_number" });
  await orders.apply(shop.ctx, order.id, "pay", { reference: { number: entry.number, date: entry.date, payerAccount: null } });
  expect(await take(entry)).toEqual({ kind: "known", orderNumber: order.number });
  const other = await ordered(6);
  expect(await take({ ...entry, purpose: `заказ ${other.number}` })).toEqual({ kind: "left", why: "entered_for_another_order" });
});

test("a transfer entered without a reference is not counted again from the statement", async () => {
  const order = await ordered(6);
  await orders.apply(shop.ctx, order.id, "pay");
  expect(await take(forOrder(order))).toEqual({ kind: "left", why: "entered_without_reference" });
});

test("money that came too late for its order is recorded and refunded", async () => {
  const order = await ordered(6);
  await orders.cancel(shop.ctx, { orderId: order.id, viewer: shop.guest(order) });
  expect(await take(forOrder(order))).toEqual({ kind: "counted", orderNumber: order.number, state: "cancelled" });
  expect((await payment.refundsOfOrder(shop.ctx.db, order.id)).map(({ cause, amount }) => [cause, amount])).toEqual([
    ["late_money", order.total],
  ]);
});

test("a doubtful entry is left to a person and changes nothing", async () => {
  const [one, two, atDesk] = [await ordered(6), await ordered(6), await ordered(7)];
  const why = async (entry: StatementEntry) => {
    const outcome = await take(entry);
    return outcome.kind === "left" ? outcome.why : outcome.kind;
  };
  expect(await why(anEntry({ purpose: `заказы ${one.number} и ${two.number}` }))).toBe("several_orders");
  expect(await why(anEntry({ purpose: "заказ 99999999" }))).toBe("no_such_order");
  expect(await why(forOrder(atDesk))).toBe("not_payable_by_transfer");
  expect(await why(forOrder(one, { arrivedOn: null }))).toBe("not_arrived");
  expect(await why(forOrder(one, { payeeAccounts: ["40702810000000000009"] }))).toBe("foreign");
  expect(await why(forOrder(one, { payerAccount: shop.ctx.settings.seller.account }))).toBe("foreign"); // between our own accounts
  for (const order of [one, two, atDesk]) expect(await shop.now(order)).toMatchObject({ paid: 0 });
});

test("a number after № pays the order only with its sum, recipient or earlier account; after «заказ» it needs none of them", async () => {
  const why = async (entry: StatementEntry) => {
    const outcome = await take(entry);
    return outcome.kind === "left" ? outcome.why : outcome.kind;
  };
  const bare = (order: Order, more: Partial<StatementEntry>) =>
    forOrder(order, { purpose: `по договору № ${order.number}`, payer: "Петров Пётр", payerAccount: "40817810099910009999", ...more });
  const part = kopecks(100_000);

  const stranger = await ordered(6);
  expect(await why(bare(stranger, { amount: part }))).toBe("number_without_match");
  expect(await why(bare(stranger, { amount: kopecks(stranger.total + 1) }))).toBe("number_without_match");
  expect(await shop.now(stranger)).toMatchObject({ paid: 0 });
  expect(await why(bare(stranger, { amount: stranger.total }))).toBe("counted");

  const inParts = await ordered(6);
  expect(await why(forOrder(inParts, { amount: part, payer: "Петров Пётр", payerAccount: "40817810099910009999" }))).toBe("counted");
  expect(await why(bare(inParts, { amount: part, payerAccount: "40817810099910008888" }))).toBe("number_without_match");
  expect(await why(bare(inParts, { amount: part }))).toBe("counted");
  expect(await why(bare(inParts, { amount: kopecks(inParts.total - 2 * part), payerAccount: null }))).toBe("counted");
  expect(await shop.now(inParts)).toMatchObject({ paid: inParts.total, state: "paid" });

  const byName = await ordered(6);
  const { lastName, name, secondName } = byName.user;
  expect(await why(bare(byName, { amount: part, payer: `${lastName} ${name} ${secondName}`.toUpperCase() }))).toBe("counted");
});
