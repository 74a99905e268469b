import { afterAll, beforeAll, expect, test } from "vitest";
import { callbackForm } from "#contract/public/inquiries.ts";
import { seconds } from "#kit/time.ts";
import { done } from "#kit/result.ts";
import type { Visitor } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import type { FormAnswer } from "./form-answer.ts";
import { formStamp, handleForm } from "./content-form.server.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop({ limits: { inquiriesPerAddressHour: 3 } });
});
afterAll(() => shop.close());

let people = 0;
const aVisitor = (address = `10.0.0.${(people += 1)}`): Visitor => ({
  owner: null,
  browser: null,
  customerId: null,
  sidHash: null,
  signedInAt: null,
  deviceHash: null,
  address,
  userAgent: "",
});

/** Submits a form; returns the answer, its status and, when it was saved, whether it was marked as suspect. */
async function send(fields: Record<string, string>, visitor = aVisitor()) {
  const saved: boolean[] = [];
  const waits: number[] = [];
  const request = new Request("http://localhost/contacts", {
    method: "POST",
    body: new URLSearchParams({ phone: "8 916 123-45-67", consent: "yes", ...fields }),
  });
  const page: Parameters<typeof handleForm>[1] = { ctx: shop.ctx, visitor, retryAfter: (wait) => waits.push(wait) };
  const answer = await handleForm(request, page, {
    kind: "callback",
    schema: callbackForm,
    read: ({ text }) => ({ phone: text("phone"), note: text("note"), consent: text("consent") === "yes" }),
    save: async (_, { isSuspect }) => {
      saved.push(isSuspect);
      return done({ id: saved.length });
    },
  });
  return { answer: answer.data as FormAnswer, status: answer.init?.status, saved, waits, isRefused: page.isRefused ?? false };
}

test("a form sent within two seconds, after a week, or without a genuine stamp is suspect", async () => {
  const stamp = formStamp(shop.ctx);
  shop.clock.advance(seconds(1.5));
  expect((await send({ stamp })).saved).toEqual([true]);
  shop.clock.advance(seconds(1));
  expect((await send({ stamp })).saved).toEqual([false]);
  for (const forged of ["", "1.abc", `${shop.clock.now().getTime() - 60_000}.${stamp.split(".")[1]}`, "x.y.z"])
    expect((await send({ stamp: forged })).saved).toEqual([true]);
  shop.clock.advance(seconds(8 * 86_400));
  expect((await send({ stamp })).saved).toEqual([true]);
});

test("a form with the trap field filled in gets thanks and is not saved", async () => {
  expect(await send({ second_subject: "buy" })).toEqual({ answer: { kind: "sent" }, status: 201, saved: [], waits: [], isRefused: false });
});

test("a refused form returns the submitted values, cleaned, and an error for each wrong field", async () => {
  const { answer, status, saved, isRefused } = await send({ phone: "12", note: "  после\u0000 обеда " });
  expect([status, saved, isRefused]).toEqual([422, [], true]);
  expect(answer).toMatchObject({
    kind: "refused",
    message: "Проверьте отмеченные поля",
    fields: { phone: "Телефон указан неверно" },
    typed: { phone: ["12"], note: ["после обеда"], consent: ["yes"] },
  });
});

test("only accepted forms count against the hourly limit of an address, and a refused one says when to try again", async () => {
  const visitor = aVisitor();
  for (let n = 0; n < 5; n += 1) expect((await send({ phone: "12" }, visitor)).status).toBe(422);
  expect(
    [await send({}, visitor), await send({}, visitor), await send({}, visitor), await send({}, visitor)].map(({ status }) => status),
  ).toEqual([201, 201, 201, 429]);
  const { answer, waits } = await send({ note: "после обеда" }, visitor);
  expect(answer).toMatchObject({ kind: "refused", typed: { note: ["после обеда"] } });
  expect(waits).toEqual([3600]);
  expect((await send({})).status).toBe(201);
});

test("a body that is not a form gets a 415", async () => {
  const request = new Request("http://localhost/contacts", { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
  await expect(
    handleForm(
      request,
      { ctx: shop.ctx, visitor: aVisitor() },
      { kind: "callback", schema: callbackForm, read: () => ({}), save: async () => done({ id: 1 }) },
    ),
  ).rejects.toMatchObject({ init: { status: 415 } });
});
