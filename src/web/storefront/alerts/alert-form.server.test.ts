import { afterAll, beforeAll, expect, test } from "vitest";
import type { Visitor } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { submitAlertForm } from "./alert-form.server.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
});
afterAll(() => shop.close());

const somebody: Visitor = {
  owner: null,
  browser: null,
  customerId: null,
  sidHash: null,
  signedInAt: null,
  deviceHash: null,
  address: "10.0.0.1",
  userAgent: "",
};
const ask = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return submitAlertForm(shop.ctx, somebody, form);
};

test("an empty field is named as empty, a wrong one as wrong, and what was filled in comes back", async () => {
  expect(await ask({ course: "XAU_RUB", wish: "below", mark: "", email: "" })).toMatchObject({
    kind: "refused",
    fields: { mark: "Обязательное поле", email: "Обязательное поле" },
    was: { course: "XAU_RUB", wish: "below" },
  });
  expect(await ask({ course: "XAU_RUB", wish: "above", mark: "дорого", email: "кто-то" })).toMatchObject({
    kind: "refused",
    fields: { mark: "Значение указано неверно", email: "Email указан неверно" },
    was: { mark: "дорого", email: "кто-то" },
  });
});

test("a mark is read as people write it", async () => {
  expect(await ask({ course: "XAU_RUB", wish: "below", mark: "9 000,50 ₽", email: "a@example.com" })).toEqual({
    kind: "sent",
    email: "a@example.com",
  });
});
