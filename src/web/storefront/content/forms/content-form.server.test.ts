import { afterAll, beforeAll, expect, test } from "vitest";
import { callbackForm } from "#contract/inquiries.ts";
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
const somebody = (address = `10.0.0.${(people += 1)}`): Visitor => ({
  owner: null,
  browser: null,
  customerId: null,
  sidHash: null,
  signedInAt: null,
  deviceHash: null,
  address,
  userAgent: "",
});

/** What became of a form: the answer, its status, and with which suspicion it was kept, if it was. */
async function send(fields: Record<string, string>, visitor = somebody()) {
  const kept: boolean[] = [];
  const request = new Request("http://localhost/contacts", {
    method: "POST",
    body: new URLSearchParams({ phone: "8 916 123-45-67", consent: "yes", ...fields }),
  });
  const answer = await handleForm(
    request,
    { ctx: shop.ctx, visitor },
    {
      kind: "callback",
      schema: callbackForm,
      read: ({ text }) => ({ phone: text("phone"), note: text("note"), consent: text("consent") === "yes" }),
      keep: async (_, { isSuspect }) => {
        kept.push(isSuspect);
        return done({ id: kept.length });
      },
    },
  );
  return { answer: answer.data as FormAnswer, status: answer.init?.status, kept };
}

test("whoever takes his time is believed; faster than two seconds, without the page's stamp, or with a made-up one, he is suspect", async () => {
  const stamp = formStamp(shop.ctx);
  shop.clock.advance(seconds(1.5));
  expect((await send({ stamp })).kept).toEqual([true]);
  shop.clock.advance(seconds(1));
  expect((await send({ stamp })).kept).toEqual([false]);
  for (const made of ["", "1.abc", `${shop.clock.now().getTime() - 60_000}.${stamp.split(".")[1]}`, "x.y.z"])
    expect((await send({ stamp: made })).kept).toEqual([true]);
  shop.clock.advance(seconds(8 * 86_400));
  expect((await send({ stamp })).kept).toEqual([true]);
});

test("what only a robot fills in is thanked for and thrown away", async () => {
  expect(await send({ second_subject: "buy" })).toEqual({ answer: { kind: "sent" }, status: 201, kept: [] });
});

test("a refused form hands back every word, cleaned, and says what is wrong where", async () => {
  const { answer, status, kept } = await send({ phone: "12", note: "  после\u0000 обеда " });
  expect([status, kept]).toEqual([422, []]);
  expect(answer).toMatchObject({
    kind: "refused",
    message: "Проверьте отмеченные поля",
    fields: { phone: "Телефон указан неверно" },
    typed: { phone: ["12"], note: ["после обеда"], consent: ["yes"] },
  });
});

test("mistakes do not use up what an address may send, messages do", async () => {
  const visitor = somebody();
  for (let n = 0; n < 5; n += 1) expect((await send({ phone: "12" }, visitor)).status).toBe(422);
  expect(
    [await send({}, visitor), await send({}, visitor), await send({}, visitor), await send({}, visitor)].map(({ status }) => status),
  ).toEqual([201, 201, 201, 429]);
  expect((await send({})).status).toBe(201);
});

test("what is no form at all is refused as such", async () => {
  const request = new Request("http://localhost/contacts", { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
  await expect(
    handleForm(
      request,
      { ctx: shop.ctx, visitor: somebody() },
      { kind: "callback", schema: callbackForm, read: () => ({}), keep: async () => done({ id: 1 }) },
    ),
  ).rejects.toMatchObject({ init: { status: 415 } });
});
