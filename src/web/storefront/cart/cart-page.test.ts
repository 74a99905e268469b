import { afterAll, beforeAll, expect, test } from "vitest";
import * as cart from "#shop/cart/service.ts";
import { openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { Visitor } from "#shop/context.ts";
import { pageContext } from "#web/context.server.ts";
import { aPageContext } from "#web/testing.ts";
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

async function post(path: string, fields: Readonly<Record<string, string | undefined>>, visitor = guest): Promise<unknown> {
  const body = new URLSearchParams(fields as Record<string, string>);
  const context = aPageContext(shop.ctx, visitor);
  const request = new Request(new URL(path, "http://localhost:3000"), { method: "POST", body });
  const answer = await action({ request, context, params: {} } as unknown as Parameters<typeof action>[0]);
  isRefused = context.get(pageContext).isRefused === true;
  return answer;
}
/** Whether the document that answers the last form begins its title with «Ошибка:». */
let isRefused = false;

test.each(["99999999999", "1e20", "999999999", "-1", "1.5", "монета", ""])("a form with the unknown coin «%s» is refused", async (id) => {
  for (const fields of [{ intent: addIntent }, { intent: "set" }])
    expect(await post("/cart", { ...fields, id, quantity: "1" })).toMatchObject({
      data: { refusal: "Монета не найдена" },
      init: { status: 404 },
    });
});

test("a form without a number changes nothing", async () => {
  await post("/cart", { id: "1", quantity: "2" });
  for (const fields of [
    { intent: "typed" },
    { intent: "typed", quantityTyped: "" },
    { intent: "typed", quantityTyped: " " },
    { quantity: " " },
    { quantity: "1.5" },
    { quantity: "1000" },
  ])
    expect(await post("/cart", { id: "1", ...fields })).toMatchObject({ init: { status: 422 } });
  expect((await cart.read(shop.ctx, guest.owner)).lines).toMatchObject([{ coinId: 1, quantity: 2 }]);
});

test("a refusal names its coin and marks the page as refused; an accepted form does not", async () => {
  for (const fields of [
    { quantity: "1000" },
    { quantity: "999" },
    { intent: addIntent, quantity: "0" },
    { intent: addIntent, quantity: "999" },
  ]) {
    expect(await post("/cart", { id: "1", ...fields })).toMatchObject({ data: { refusal: expect.stringMatching(/./), id: 1 } });
    expect(isRefused).toBe(true);
  }
  await post("/cart", { id: "99999999999", quantity: "1" });
  expect(isRefused).toBe(true);
  await post("/cart", { id: "1", quantity: "2" });
  expect(isRefused).toBe(false);
});

test("control characters of a form never reach the database", async () => {
  expect(await post("/cart?promo", { code: "\u0000ВЕСНА " })).toMatchObject({ data: { promo: { typed: "ВЕСНА" } }, init: { status: 422 } });
  const customer: Visitor = { ...guest, owner: "customer:nobody", customerId: "nobody" };
  await expect(post("/cart", { intent: repeatIntent, order: "\u0000" }, customer)).rejects.toMatchObject({ init: { status: 404 } });
});
