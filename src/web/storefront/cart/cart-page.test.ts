import { RouterContextProvider } from "react-router";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { Visitor } from "#shop/context.ts";
import { pageContext } from "#web/context.server.ts";
import { testClock } from "#tests/shop.ts";
import { repeatIntent } from "../my/orders/repeat-form.tsx";
import { addIntent } from "./add-to-cart-form.tsx";
import { action } from "./cart-page.tsx";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock() });
});
afterAll(() => shop.close());

const guest: Visitor = {
  owner: "visitor:forms",
  browser: "visitor:forms",
  customerId: null,
  sidHash: null,
  signedInAt: null,
  deviceHash: null,
  address: "192.0.2.1",
  userAgent: "",
};

async function post(path: string, fields: Record<string, string>, visitor = guest): Promise<unknown> {
  const context = new RouterContextProvider();
  context.set(pageContext, { ctx: shop.ctx, visitor, scriptNonce: "", styleText: () => undefined, inlinePicture: () => undefined });
  const request = new Request(new URL(path, "http://localhost:3000"), { method: "POST", body: new URLSearchParams(fields) });
  return action({ request, context, params: {} } as unknown as Parameters<typeof action>[0]);
}

test.each(["99999999999", "1e20", "999999999", "-1", "1.5", "монета", ""])("a form with the unknown coin «%s» is refused", async (id) => {
  for (const fields of [{ intent: addIntent }, { intent: "set" }])
    expect(await post("/cart", { ...fields, id, quantity: "1" })).toMatchObject({
      data: { refusal: "Монета не найдена" },
      init: { status: 404 },
    });
});

test("control characters of a form never reach the database", async () => {
  expect(await post("/cart?promo", { code: "\u0000ВЕСНА " })).toMatchObject({ data: { promo: { typed: "ВЕСНА" } }, init: { status: 422 } });
  const customer: Visitor = { ...guest, owner: "customer:nobody", customerId: "nobody" };
  await expect(post("/cart", { intent: repeatIntent, order: "\u0000" }, customer)).rejects.toMatchObject({ init: { status: 404 } });
});
