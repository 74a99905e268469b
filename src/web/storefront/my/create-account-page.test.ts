import { afterAll, beforeAll, expect, test } from "vitest";
import { days } from "#kit/time.ts";
import { aBuyer, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { OwnerKey } from "#shop/context.ts";
import { aPageContext } from "#web/testing.ts";
import { testClock } from "#tests/shop.ts";
import { loader } from "./create-account-page.tsx";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock() });
});
afterAll(() => shop.close());

function open(link: { order: string; key: string }, browser: OwnerKey | null): ReturnType<typeof loader> {
  const visitor = { owner: browser, browser, customerId: null } as never;
  const context = aPageContext(shop.ctx, visitor);
  const request = new Request(`http://localhost:3000/cabinet/create?${new URLSearchParams(link)}`);
  return loader({ request, context, params: {} } as unknown as Parameters<typeof loader>[0]);
}

test("the link of a message shows the phone only to the browser that made the order", async () => {
  const order = await shop.ordered("visitor:buyer", { 1: 1 });
  const link = { order: order.id, key: shop.guest(order).guestKey };
  expect((await open(link, "visitor:buyer")).order).toEqual({ number: order.number, phone: aBuyer.phone });
  for (const other of ["visitor:another", null] as const)
    expect((await open(link, other)).order).toEqual({ number: order.number, phone: null });
  expect((await open({ ...link, key: "wrong" }, "visitor:buyer")).order).toBeNull();
  shop.clock.advance(days(31));
  expect((await open(link, "visitor:buyer")).order).toBeNull();
});
