import { afterAll, beforeAll, expect, test } from "vitest";
import * as inquiries from "#shop/inquiries/service.ts";
import { openHttpBench, type HttpBench } from "../testing.ts";

let bench: HttpBench;
beforeAll(async () => {
  bench = await openHttpBench();
});
afterAll(() => bench.close());

const forms = {
  "/api/reviews": { name: "Анна", rating: 5, text: "Пришло вовремя", consent: true },
  "/api/buyback": { name: "Олег", phone: "8 916 123-45-67", coins: [{ title: "Сеятель 1976", count: 2 }], consent: true },
  "/api/partners": { company: "ООО «Салон»", name: "Мария", phone: "+79161234568", email: "m@example.ru", consent: true },
  "/api/callback": { phone: "+79161234569", consent: true },
} as const;

test.each(Object.entries(forms))("%s takes its form and answers with its number", async (path, form) => {
  const response = await bench.visitor().request("POST", path, form);
  expect(response.statusCode).toBe(201);
  expect(response.json()).toEqual({ data: { id: expect.any(Number) } });
});

test.each(Object.entries(forms))("%s is refused without consent, and with unknown fields", async (path, form) => {
  const { consent: _, ...silent } = form;
  for (const body of [silent, { ...form, consent: false }, { ...form, consent: "true" }]) {
    expect((await bench.visitor().request("POST", path, body)).json()).toMatchObject({
      statusCode: 422,
      code: "request.invalid",
      fields: { consent: "Нужно согласие на обработку персональных данных" },
    });
  }
  expect((await bench.visitor().request("POST", path, { ...form, state: "approved" })).statusCode).toBe(422);
});

test("malformed fields are reported in Russian with their names", async () => {
  const { fields } = (
    await bench.visitor().request("POST", "/api/buyback", { name: "", phone: "12", email: "x", coins: [], consent: true })
  ).json<{ fields: Record<string, string> }>();
  expect(fields).toEqual({
    name: "Обязательное поле",
    phone: "Телефон указан неверно",
    email: "Email указан неверно",
    coins: "Назовите хотя бы одну монету",
  });
  expect((await bench.visitor().request("POST", "/api/reviews", { ...forms["/api/reviews"], rating: 6 })).json()).toMatchObject({
    fields: { rating: "Поставьте оценку от одного до пяти" },
  });
  expect((await bench.visitor().request("POST", "/api/reviews", { ...forms["/api/reviews"], productId: 99 })).json()).toMatchObject({
    statusCode: 404,
    code: "product.not_found",
  });
});

test("an address may send five messages of a form an hour, whatever browser sends them", async () => {
  const shop = await openHttpBench();
  const send = (path: keyof typeof forms) => shop.visitor().request("POST", path, forms[path]);
  for (let n = 1; n <= 5; n += 1) expect((await send("/api/callback")).statusCode).toBe(201);
  const refused = await send("/api/callback");
  expect(refused.json()).toMatchObject({ statusCode: 429, code: "inquiry.too_many" });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3000);
  expect((await inquiries.waiting(shop.ctx)).inquiries).toHaveLength(5);
  expect((await send("/api/partners")).statusCode).toBe(201);
  shop.clock.advance(3_601_000);
  expect((await send("/api/callback")).statusCode).toBe(201);
  await shop.close();
});

test("letters of thanks to one mailbox are limited", async () => {
  const shop = await openHttpBench({ limits: { inquiriesPerAddressHour: 100 } });
  for (let n = 0; n < 8; n += 1)
    await shop
      .visitor()
      .request("POST", "/api/reviews", { ...forms["/api/reviews"], email: n % 2 ? "victim@example.ru" : "Victim@Example.ru" });
  const { rows } = (await shop.ctx.db.execute<{ n: number }>(
    "select count(*)::int as n from outbox where kind = 'inquiry_received'",
  )) as unknown as { rows: { n: number }[] };
  expect(rows[0]?.n).toBe(5);
  await shop.close();
});
