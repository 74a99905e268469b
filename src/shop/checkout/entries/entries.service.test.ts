import { afterAll, beforeAll, expect, test } from "vitest";
import { hours, minutes } from "#kit/time.ts";
import { sweeps } from "../jobs.ts";
import { deleteEntries, readEntries, saveEntries } from "./entries.service.ts";
import { noBuyer } from "./entries.ts";
import * as checkout from "../service.ts";
import { checkoutDrafts } from "../tables.ts";
import { atOffice, aVisitor, openShopToBuy, shelf, type ShopToBuy } from "../testing.ts";
import { testClock } from "#tests/shop.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 1000, coins: shelf });
});
afterAll(() => shop.close());

const buyer = { ...noBuyer, lastName: "Петров", phone: "8 916" };

test("each step adds to the entries, also two at once, and another browser does not see them", async () => {
  const me = aVisitor("steps");
  await saveEntries(shop.ctx, me, { buyer });
  await Promise.all([saveEntries(shop.ctx, me, { cityCode: "0000073738" }), saveEntries(shop.ctx, me, { deliveryId: 35, pointId: "" })]);
  expect(await readEntries(shop.ctx, me)).toEqual({ buyer, cityCode: "0000073738", deliveryId: 35, pointId: "" });
  expect(await readEntries(shop.ctx, aVisitor("another"))).toEqual({});
  await deleteEntries(shop.ctx, me);
  expect(await readEntries(shop.ctx, me)).toEqual({});
});

test("entries expire a day after the last change: they are not shown, not restored by a new step, and deleted", async () => {
  const me = aVisitor("slow");
  await saveEntries(shop.ctx, me, { buyer });
  shop.clock.advance(hours(23));
  await saveEntries(shop.ctx, me, { cityCode: "0000073738" });
  shop.clock.advance(hours(23));
  expect(await readEntries(shop.ctx, me)).toMatchObject({ buyer });
  shop.clock.advance(hours(1));
  expect(await readEntries(shop.ctx, me)).toEqual({});
  await saveEntries(shop.ctx, me, { deliveryId: 35 });
  expect(await readEntries(shop.ctx, me)).toEqual({ deliveryId: 35 });
  shop.clock.advance(hours(25));
  await sweeps["checkout.delete_drafts"].run(shop.ctx);
  expect(await shop.ctx.db.select().from(checkoutDrafts)).toEqual([]);
});

test("a quote is found by its owner only, and is live until it expires, the cart changes or an order is made from it", async () => {
  const me = aVisitor("quoted");
  await shop.fill(me, { 1: 1 });
  const { id } = await shop.quoted(me, atOffice);
  expect(await checkout.findQuote(shop.ctx, me, id)).toMatchObject({ isLive: true, orderId: null });
  expect(await checkout.findQuote(shop.ctx, aVisitor("thief"), id)).toBeNull();
  await shop.fill(me, { 1: 2 });
  expect(await checkout.findQuote(shop.ctx, me, id)).toMatchObject({ isLive: false });
  const fresh = await shop.quoted(me, atOffice);
  shop.clock.advance(minutes(10));
  expect(await checkout.findQuote(shop.ctx, me, fresh.id)).toMatchObject({ isLive: false });
});
