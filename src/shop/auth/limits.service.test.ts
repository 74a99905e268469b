import { afterAll, beforeAll, expect, test } from "vitest";
import { seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { count, undoCount, networkOf, consume } from "./limits.service.ts";

let shop: TestShop;
let ctx: Ctx;
beforeAll(async () => {
  shop = await testShop();
  ctx = shop.ctx;
});
afterAll(() => shop.close());

test("of a hundred parallel events in two processes exactly the limit is allowed", async () => {
  const other = await shop.another();
  const passed = await Promise.all(Array.from({ length: 100 }, (_, nth) => count(nth % 2 ? ctx : other, "race", 60, 7)));
  expect(passed.filter(Boolean)).toHaveLength(7);
});

test("a window opens with the first event and ends when its time is over", async () => {
  expect(await count(ctx, "window", 60, 1)).toBe(true);
  shop.clock.advance(seconds(59));
  expect(await count(ctx, "window", 60, 1)).toBe(false);
  shop.clock.advance(seconds(1));
  expect(await count(ctx, "window", 60, 1)).toBe(true);
});

test("an event is counted under all rules or under none", async () => {
  const [wide, narrow] = [
    { key: "wide", windowSeconds: 60, limit: 10 },
    { key: "narrow", windowSeconds: 30, limit: 1 },
  ];
  expect(await consume(ctx, [wide, narrow])).toEqual({ isAllowed: true, counts: [1, 1] });
  shop.clock.advance(seconds(10));
  expect(await consume(ctx, [wide, narrow])).toEqual({ isAllowed: false, by: narrow, retryAfterSeconds: 20 });
  expect(await consume(ctx, [wide])).toEqual({ isAllowed: true, counts: [2] });
});

test("an undone event may be counted again, and no more than was counted can be undone", async () => {
  const rule = { key: "back", windowSeconds: 60, limit: 1 };
  await undoCount(ctx, [rule]);
  expect(await consume(ctx, [rule])).toMatchObject({ isAllowed: true });
  await undoCount(ctx, [rule]);
  await undoCount(ctx, [rule]);
  expect(await consume(ctx, [rule])).toMatchObject({ isAllowed: true, counts: [1] });
  expect(await consume(ctx, [rule])).toMatchObject({ isAllowed: false });
});

test("a limit of zero allows nothing", async () => {
  expect(await consume(ctx, [{ key: "none", windowSeconds: 60, limit: 0 }])).toMatchObject({ isAllowed: false, retryAfterSeconds: 60 });
});

test.each([
  ["203.0.113.77", "203.0.113.0/24"],
  ["::ffff:203.0.113.77", "203.0.113.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("%s belongs to the network %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
