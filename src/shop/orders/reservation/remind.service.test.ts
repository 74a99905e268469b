import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hours } from "#kit/time.ts";
import { atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import { outbox } from "#shop/notifications/tables.ts";
import { testClock } from "#tests/shop.ts";
import type { Order } from "../order.ts";
import * as orders from "../service.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 1000 });
});
afterAll(() => shop.close());

const letters = async (order: Order, kind: string): Promise<string[]> =>
  (
    await shop.ctx.db
      .select()
      .from(outbox)
      .where(and(eq(outbox.about, `order:${order.id}`), eq(outbox.kind, kind), eq(outbox.channel, "email")))
  ).map(({ text }) => text);

test("an order that is paid on collection names its day, reminds once the day before, and says why it was cancelled", async () => {
  const atDesk = await shop.ordered(aVisitor("collects"), { 1: 2 }, { ...atOffice, paymentId: 7 });
  const invoiced = await shop.ordered(aVisitor("invoice"), { 1: 1 }, { ...atOffice, paymentId: 6 });
  expect((await letters(atDesk, "order_placed"))[0]).toContain("Монеты отложены для вас до");

  await orders.remindDue(shop.ctx);
  expect(await letters(atDesk, "order_reminder")).toEqual([]); // the day is not near yet
  shop.clock.advance(hours(49));
  await Promise.all([orders.remindDue(shop.ctx), orders.remindDue(shop.ctx)]);
  await orders.remindDue(shop.ctx);
  expect(await letters(atDesk, "order_reminder")).toHaveLength(1);
  expect(await letters(invoiced, "order_reminder")).toEqual([]);

  shop.clock.advance(hours(24));
  await orders.expireDue(shop.ctx);
  expect((await letters(atDesk, "order_cancelled"))[0]).toContain("за ним не пришли вовремя");
  expect((await letters(invoiced, "order_cancelled"))[0]).toContain("оплата не пришла вовремя");
});

test("an order that was packed in time is not reminded", async () => {
  const order = await shop.ordered(aVisitor("packed"), { 1: 1 }, { ...atOffice, paymentId: 7 });
  await orders.apply(shop.ctx, order.id, "assemble");
  shop.clock.advance(hours(49));
  await orders.remindDue(shop.ctx);
  expect(await letters(order, "order_reminder")).toEqual([]);
  await orders.apply(shop.ctx, order.id, "make_ready");
  expect((await letters(order, "order_ready"))[0]).toContain("К оплате при получении");
});

test("the letter about a cancellation says whether the buyer or the shop cancelled", async () => {
  const [mine, theirs] = [await shop.ordered(aVisitor("own"), { 1: 1 }), await shop.ordered(aVisitor("shops"), { 1: 1 })];
  await orders.cancel({ ...shop.ctx, actor: { kind: "visitor" } }, { orderId: mine.id, viewer: shop.guest(mine) });
  await orders.apply({ ...shop.ctx, actor: { kind: "staff", name: "ivanova" } }, theirs.id, "cancel");
  expect((await letters(mine, "order_cancelled"))[0]).toContain("отменён по вашей просьбе.");
  expect((await letters(theirs, "order_cancelled"))[0]).toContain("отменён магазином.");
});
