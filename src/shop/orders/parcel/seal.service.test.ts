import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { minutes } from "#kit/time.ts";
import { registerShipment } from "#shop/delivery/shipment.ts";
import { shipments } from "#shop/delivery/tables.ts";
import { aVisitor, atOffice, byPoint, openShopToBuy, shelf, type ShopToBuy } from "#shop/checkout/testing.ts";
import { outbox } from "#shop/notifications/tables.ts";
import { testClock } from "#tests/shop.ts";
import type { Order, StaffDetails, StaffEvent } from "../order.ts";
import * as orders from "../service.ts";
import { orderSeals } from "../tables.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  const coins = shelf.map((coin) => ({ ...coin, catalogueNumber: `5111-000${coin.id}` }));
  shop = await openShopToBuy({ clock: testClock(), stock: 100, coins });
});
afterAll(() => shop.close());

let people = 0;
async function aPaidOrder(request = byPoint): Promise<Order> {
  people += 1;
  const order = await shop.ordered(aVisitor(`s${people}`), { 1: 2, 2: 1 }, request);
  return shop.paid(order);
}
const ivanova = { kind: "staff", name: "ivanova" } as const;
const apply = (order: Order, event: StaffEvent, details: StaffDetails = {}) =>
  orders.apply({ ...shop.ctx, actor: ivanova }, order.id, event, details);
const sealsOf = async (order: Order) =>
  (await shop.ctx.db.select().from(orderSeals).where(eq(orderSeals.orderId, order.id))).map(({ number, actor, removedAt }) => ({
    number,
    actor,
    isOn: removedAt === null,
  }));
const isListed = async (order: Order) => (await orders.waiting(shop.ctx)).some(({ id, why }) => id === order.id && why === "unsealed");

test("packing stores the seal with its actor; order and letter show it to the buyer, with the value declared to the carrier", async () => {
  const order = await aPaidOrder();
  expect(order).toMatchObject({ sealNumber: null });
  expect(await apply(order, "assemble", { sealNumber: "00412345" })).toMatchObject({
    ok: true,
    value: { state: "assembled", sealNumber: "00412345" },
  });
  expect(await sealsOf(order)).toEqual([{ number: "00412345", actor: "staff:ivanova", isOn: true }]);
  const [parcel] = await shop.ctx.db.select().from(shipments).where(eq(shipments.orderId, order.id));
  const { lines } = registerShipment.parse(parcel?.request);
  const declared = lines.reduce((sum, line) => sum + line.quantity * line.unitPriceKopecks, 0);
  const seen = await orders.find(shop.ctx, order.id, shop.guest(order));
  expect(seen).toMatchObject({ sealNumber: "00412345", delivery: { insuredValue: declared } });
  await shop.pass(minutes(1));
  await apply(order, "ship");
  const letters = await shop.ctx.db.select().from(outbox);
  const shipped = letters.find(
    ({ about, kind, channel }) => about === `order:${order.id}` && kind === "order_shipped" && channel === "email",
  );
  expect(shipped?.text).toContain("Номер пломбы на пакете: 00412345.");
  expect(shipped?.text).toContain("Посылка застрахована на");
});

test("a seal is used once: another order with its number is refused and stays unpacked", async () => {
  const [first, second] = [await aPaidOrder(), await aPaidOrder()];
  await apply(first, "assemble", { sealNumber: "70000001" });
  expect(await apply(second, "assemble", { sealNumber: "70000001" })).toEqual({
    ok: false,
    error: { code: "order.seal_taken", orderNumber: first.number },
  });
  expect(await shop.now(second)).toMatchObject({ state: "paid", sealNumber: null });
  await apply(second, "assemble", { sealNumber: "70000002" });
  expect(await apply(second, "seal", { sealNumber: "70000001" })).toMatchObject({ ok: false, error: { code: "order.seal_taken" } });
  expect(await shop.now(second)).toMatchObject({ sealNumber: "70000002" });
  const raced = [await aPaidOrder(), await aPaidOrder()];
  const outcomes = await Promise.all(raced.map((order) => apply(order, "assemble", { sealNumber: "70000003" })));
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
});

test("the code of a coin is refused as a seal, of the order or of the shelf; the order stays as it was", async () => {
  const order = await aPaidOrder();
  for (const sealNumber of ["5111-0001", "5111-0003"])
    expect(await apply(order, "assemble", { sealNumber })).toEqual({
      ok: false,
      error: { code: "order.seal_is_coin", title: expect.any(String) as unknown },
    });
  expect(await shop.now(order)).toMatchObject({ state: "paid", sealNumber: null });
  await apply(order, "assemble", { sealNumber: "50000001" });
  const title = order.lines.find(({ coinId }) => coinId === 1)?.title;
  expect(await apply(order, "seal", { sealNumber: "5111-0001" })).toEqual({ ok: false, error: { code: "order.seal_is_coin", title } });
  expect(await shop.now(order)).toMatchObject({ sealNumber: "50000001" });
});

test("a wrong number is corrected until the order is handed over, there and back; both stay recorded", async () => {
  const order = await aPaidOrder();
  expect(await apply(order, "seal", { sealNumber: "80000001" })).toMatchObject({ ok: false, error: { code: "order.event_refused" } });
  await apply(order, "assemble", { sealNumber: "80000001" });
  expect(await apply(order, "seal")).toMatchObject({ ok: false, error: { code: "order.seal_missing" } });
  for (const sealNumber of ["80000002", "80000002", "80000001", "80000002"])
    expect(await apply(order, "seal", { sealNumber })).toMatchObject({ ok: true, value: { sealNumber } });
  expect(await sealsOf(order)).toEqual([
    { number: "80000001", actor: "staff:ivanova", isOn: false },
    { number: "80000002", actor: "staff:ivanova", isOn: true },
  ]);
  await apply(order, "ship");
  await apply(order, "deliver");
  expect(await apply(order, "seal", { sealNumber: "80000003" })).toMatchObject({ ok: false, error: { code: "order.event_refused" } });
});

test("a bag that is opened to be packed again loses its seal, whose number is never used again", async () => {
  const order = await aPaidOrder();
  await apply(order, "assemble", { sealNumber: "90000001" });
  await shop.pass(minutes(1));
  await apply(order, "refund", { pieces: [{ coinId: 1, quantity: 1 }] });
  await shop.pass(minutes(5));
  expect(await shop.now(order)).toMatchObject({ state: "paid", sealNumber: null });
  const other = await aPaidOrder();
  expect(await apply(other, "assemble", { sealNumber: "90000001" })).toMatchObject({ ok: false, error: { code: "order.seal_taken" } });
  expect(await apply(order, "assemble", { sealNumber: "90000002" })).toMatchObject({ ok: true, value: { sealNumber: "90000002" } });
});

test("a packed order without a seal is listed for staff until its number is entered; one for the office is not", async () => {
  const [parcel, office] = [await aPaidOrder(), await aPaidOrder(atOffice)];
  await apply(parcel, "assemble");
  await apply(office, "assemble");
  expect([await isListed(parcel), await isListed(office)]).toEqual([true, false]);
  await apply(parcel, "seal", { sealNumber: "60000001" });
  expect(await isListed(parcel)).toBe(false);
});
