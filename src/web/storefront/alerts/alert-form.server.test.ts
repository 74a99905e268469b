import { RouterContextProvider } from "react-router";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Visitor } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { pageContext } from "#web/context.server.ts";
import { submitAlertForm } from "./alert-form.server.ts";
import { action } from "./alerts-page.tsx";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop({ limits: { inquiriesPerAddressHour: 2 } });
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
  expect(await submit({ course: "XAU_RUB", condition: "below", mark: "", email: "" })).toMatchObject({
    kind: "refused",
    fields: { mark: "Обязательное поле", email: "Обязательное поле" },
    was: { course: "XAU_RUB", condition: "below" },
  });
  expect(await submit({ course: "XAU_RUB", condition: "above", mark: "дорого", email: "кто-то" })).toMatchObject({
    kind: "refused",
    fields: { mark: "Напишите цену числом больше нуля", email: "Email указан неверно" },
    was: { mark: "дорого", email: "кто-то" },
  });
});

test("the limit may be written with spaces, a comma and a rouble sign, and the e-mail with marks that pasting adds", async () => {
  expect(await submit({ course: "XAU_RUB", condition: "below", mark: "9 000,50 ₽", email: "\u200B a@example.com\u202C" })).toEqual({
    kind: "sent",
    email: "a@example.com",
  });
});

test("a limit that is no amount is refused with the reason", async () => {
  for (const [mark, message] of [
    ["0", "Напишите цену числом больше нуля"],
    ["-5", "Напишите цену числом больше нуля"],
    ["1e5", "Напишите цену числом больше нуля"],
    ["0x10", "Напишите цену числом больше нуля"],
    ["99999999999", "Слишком большое число"],
  ] as const)
    expect(await submit({ productId: "1001", condition: "below", mark, email: "a@example.com" }), mark).toMatchObject({
      kind: "refused",
      fields: { mark: message },
      was: { mark },
    });
});

test("a page's form is refused with the status of the call, and over the limit says when to try again", async () => {
  async function post(fields: Record<string, string>) {
    const context = new RouterContextProvider();
    const waits: number[] = [];
    const visitor = { ...aVisitor, address: "10.0.0.2" };
    const page = {
      ctx: shop.ctx,
      visitor,
      scriptNonce: "",
      styleSheet: () => undefined,
      inlinePicture: () => undefined,
      receiveHtml: () => {},
    };
    context.set(pageContext, { ...page, retryAfter: (wait) => waits.push(wait) });
    const request = new Request("http://localhost:3000/alerts", { method: "POST", body: new URLSearchParams(fields) });
    const answer = await action({ request, context, params: {} } as unknown as Parameters<typeof action>[0]);
    return { status: "init" in answer ? answer.init?.status : 200, answer: "data" in answer ? answer.data : answer, waits };
  }
  const asked = { course: "XAU_RUB", condition: "below", mark: "9000", email: "a@example.com" };
  expect(await post({ ...asked, email: "" })).toMatchObject({ status: 422, waits: [] });
  expect(await post(asked)).toMatchObject({ status: 200, answer: { kind: "sent" } });
  expect(await post(asked)).toMatchObject({ status: 200 });
  expect(await post(asked)).toMatchObject({ status: 429, answer: { kind: "refused", was: asked }, waits: [3600] });
});
