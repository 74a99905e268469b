import { afterAll, beforeAll, expect, test } from "vitest";
import type { Visitor } from "#shop/context.ts";
import * as customers from "#shop/customers/service.ts";
import { signUp } from "#shop/customers/testing.ts";
import { aPageContext } from "#web/testing.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { action } from "./profile-edit-page.tsx";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
});
afterAll(() => shop.close());

/**
 * A signed-in customer who submits the forms of the profile; the answer is the address of the redirect, or the messages beside the fields.
 */
async function aCustomer(phone: string) {
  const { id } = (await signUp(shop.ctx, phone)).customer;
  const visitor: Visitor = {
    owner: `customer:${id}`,
    browser: null,
    customerId: id,
    sidHash: null,
    signedInAt: shop.clock.now(),
    deviceHash: null,
    address: "192.0.2.1",
    userAgent: "",
  };
  async function post(fields: Record<string, string>): Promise<unknown> {
    const context = aPageContext(shop.ctx, visitor);
    const request = new Request("http://localhost:3000/my/profile/edit", { method: "POST", body: new URLSearchParams(fields) });
    const given = { request, context, params: {} } as unknown as Parameters<typeof action>[0];
    const answer: unknown = await action(given).catch((thrown: unknown) => thrown);
    if (answer instanceof Response) return answer.headers.get("location");
    return "data" in (answer as object) ? (answer as { data: { fields: object } }).data.fields : answer;
  }
  return { id, post };
}

test("control characters and marks of direction are removed from the forms of a profile, as by the call", async () => {
  const { id, post } = await aCustomer("+79160004321");
  const names = { name: "Ан\u0000на", lastName: "\u202EПетрова", secondName: " \u0007 ", email: "anna@example.ru" };
  expect(await post({ intent: "save", ...names })).toBe("/my/profile");
  expect(await post({ intent: "address", ...names, street: "Твер\u0000ская", house: "1" })).toBe("/my/profile");
  expect(await customers.byId(shop.ctx, id)).toMatchObject({
    name: "Анна",
    lastName: "Петрова",
    secondName: "",
    buyProfile: { delivery: { street: "Тверская", house: "1" } },
  });
});

test("a name without letters is refused beside its field", async () => {
  const { post } = await aCustomer("+79160004322");
  const message = "Напишите буквами, как в паспорте";
  expect(await post({ intent: "save", name: "🙂", lastName: "12345", secondName: "—", email: "anna@example.ru" })).toEqual({
    name: message,
    lastName: message,
    secondName: message,
  });
  expect(await post({ intent: "save", name: "Ян", lastName: "О’Нил", secondName: "", email: "anna@example.ru" })).toBe("/my/profile");
});

test("each part of the profile is saved by its own button; the answer returns what was typed into the other part", async () => {
  const { id, post } = await aCustomer("+79160004323");
  const names = { name: "Анна", lastName: "Петрова", secondName: "", email: "anna@example.ru" };
  expect(await post({ intent: "save", ...names, street: "Лесная", house: "5" })).toMatchObject({
    saved: "profile",
    address: { street: "Лесная", house: "5" },
  });
  expect(await customers.byId(shop.ctx, id)).toMatchObject({ name: "Анна", buyProfile: null });

  const unsaved = { ...names, lastName: "Зай" };
  expect(await post({ intent: "address", ...unsaved, street: "Лесная", house: "5" })).toMatchObject({ saved: "address", typed: unsaved });
  expect(await customers.byId(shop.ctx, id)).toMatchObject({ lastName: "Петрова", buyProfile: { delivery: { street: "Лесная" } } });

  expect(await post({ intent: "save", ...unsaved, street: "Лесная", house: "5" })).toBe("/my/profile");
  expect(await post({ intent: "address", ...unsaved, street: "", house: "" })).toBe("/my/profile");
  expect(await post({ intent: "save", ...unsaved, name: "", street: "Садовая" })).toEqual({ name: "Обязательное поле" });
});
