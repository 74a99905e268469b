import { afterAll, beforeAll, expect, test } from "vitest";
import { seconds } from "#kit/time.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import { atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { kopecks } from "#kit/money.ts";
import * as payment from "#shop/payment/service.ts";
import type { SellerTax } from "#shop/tax.ts";
import { testClock, testTax } from "#tests/shop.ts";
import { invoiceOf } from "../invoices/invoice.ts";
import type { Order, StaffEvent } from "../order.ts";
import * as orders from "../service.ts";

/** Coin 1 is exempt from VAT, coin 2 (a medal) is not. */
const coins = [1, 2].map((id) =>
  aCoin({ id, kind: "memorable", metal: "silver", fixedPriceKopecks: 6_100_00, premiumBp: 0, vatCode: id === 1 ? 1 : 11 }),
);
let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), coins, stock: 100 });
});
afterAll(() => shop.close());

let visitors = 0;
async function paidOnline(): Promise<Order> {
  const order = await shop.ordered(aVisitor(`v${(visitors += 1)}`), { 1: 1, 2: 1 }, atOffice);
  await shop.paid(order);
  return order;
}
const played = async (order: Order, ...events: StaffEvent[]) => {
  for (const event of events) expect(await orders.apply(shop.ctx, order.id, event)).toMatchObject({ ok: true });
  await shop.pass(seconds(60), seconds(20));
};
const codes = async (order: Order) =>
  (await payment.receiptsOfOrder(shop.ctx.db, order.id)).map(({ kind, mode, receipt }) => [
    kind,
    mode,
    ...receipt.lines.map(({ vatCode }) => vatCode),
  ]);
/** The receipts that the provider was to print with its refunds. */
const refundReceipts = () => shop.provider.refundAsks.map(({ mode, receipt }) => [mode, ...receipt.lines.map(({ vatCode }) => vatCode)]);

test("a prepayment and its refund name the computed rate, hand-over and later refunds the full one; exempt coins stay exempt", async () => {
  const [kept, back] = [await paidOnline(), await paidOnline()];
  await played(back, "cancel");
  expect(await codes(back)).toEqual([
    ["payment", "full_prepayment", 1, 12],
    ["refund", "full_prepayment", 1, 12],
  ]);
  expect(refundReceipts().at(-1)).toEqual(["full_prepayment", 1, 12]);
  await played(kept, "assemble", "make_ready", "deliver", "give_back", "refund");
  expect(await codes(kept)).toEqual([
    ["payment", "full_prepayment", 1, 12],
    ["handover", "full_payment", 1, 11],
    ["refund", "full_payment", 1, 11],
  ]);
  expect(refundReceipts().at(-1)).toEqual(["full_payment", 1, 11]);
});

test("a transfer in parts names the computed rate, money at the desk the full one", async () => {
  const invoiced = await shop.ordered(aVisitor("i"), { 1: 1, 2: 1 }, { ...atOffice, paymentId: 6 });
  for (const [number, amount] of [
    ["1", 200_000],
    ["2", invoiced.total - 200_000],
  ] as const) {
    await orders.apply(shop.ctx, invoiced.id, "pay", {
      amount: kopecks(amount),
      reference: { number, date: "2026-11-20", payerAccount: null },
    });
  }
  expect(await codes(invoiced)).toEqual([
    ["payment", "partial_prepayment", 1, 12],
    ["payment", "partial_prepayment", 1, 12],
  ]);
  const desk = await shop.ordered(aVisitor("d"), { 2: 1 }, { ...atOffice, paymentId: 7 });
  await played(desk, "assemble", "make_ready", "deliver");
  expect(await codes(desk)).toEqual([["payment", "full_payment", 11]]);
});

test.each<[string, Partial<SellerTax>, number[], string]>([
  ["with VAT", {}, [12, 11], "В том числе НДС 22% 1100.00"],
  ["simplified, 5 %", { system: "simplified_income", simplifiedVatPercent: 5 }, [9, 7], "В том числе НДС 5% 290.48"],
  ["simplified without VAT", { system: "simplified_income_less_expenses" }, [1, 1], "Без НДС"],
])("the seller's tax system decides receipts and invoices: %s", async (_, change, [prepaid, handedOver], purpose) => {
  const { seller } = shop.ctx.settings;
  seller.tax = { ...testTax, ...change };
  const order = await paidOnline();
  await played(order, "assemble", "make_ready", "deliver");
  expect(await codes(order)).toEqual([
    ["payment", "full_prepayment", 1, prepaid],
    ["handover", "full_payment", 1, handedOver],
  ]);
  const invoiced = await shop.ordered(aVisitor(`i${purpose}`), { 1: 1, 2: 1 }, { ...atOffice, paymentId: 6 });
  expect(invoiceOf(invoiced, seller)?.purpose).toContain(purpose);
  seller.tax = testTax;
});
