import { afterAll, beforeAll, expect, test } from "vitest";
import type { Visitor } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { submitAlertForm } from "./alert-form.server.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
});
afterAll(() => shop.close());

const aVisitor: Visitor = {
  owner: null,
  browser: null,
  customerId: null,
  sidHash: null,
  signedInAt: null,
  deviceHash: null,
  address: "10.0.0.1",
  userAgent: "",
};
const submit = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return submitAlertForm(shop.ctx, aVisitor, form);
};

test("a refused alert names empty and wrong fields and returns the submitted values", async () => {
  expect(await submit({ course: "XAU_RUB", wish: "below", mark: "", email: "" })).toMatchObject({
    kind: "refused",
    fields: { mark: "Обязательное поле", email: "Обязательное поле" },
    was: { course: "XAU_RUB", wish: "below" },
  });
  expect(await submit({ course: "XAU_RUB", wish: "above", mark: "дорого", email: "кто-то" })).toMatchObject({
    kind: "refused",
    fields: { mark: "Значение указано неверно", email: "Email указан неверно" },
    was: { mark: "дорого", email: "кто-то" },
  });
});

test("the limit may be written with spaces, a comma and a rouble sign", async () => {
  expect(await submit({ course: "XAU_RUB", wish: "below", mark: "9 000,50 ₽", email: "a@example.com" })).toEqual({
    kind: "sent",
    email: "a@example.com",
  });
});
