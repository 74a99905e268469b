import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import * as customers from "./service.ts";

let shop: TestShop;
let ctx: Ctx;
beforeAll(async () => {
  shop = await testShop();
  ctx = shop.ctx;
});
afterAll(() => shop.close());

const signUp = (phone: string) => inTransaction(ctx.db, (tx) => customers.findOrCreateByPhone(tx, ctx, phone));

test("twenty first sign-ins with one phone at once make one customer, and one of them is new", async () => {
  const results = await Promise.all(Array.from({ length: 20 }, () => signUp("+79160000001")));
  expect(new Set(results.map(({ customer }) => customer.id)).size).toBe(1);
  expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
});

test("finishing the registration sets the whole name and the e-mail", async () => {
  const { customer } = await signUp("+79160000002");
  expect(customer).toMatchObject({ name: "", email: "", buyProfile: null });
  expect(await customers.completeProfile(ctx, customer.id, { name: "Иванов Иван Иванович", email: " ivan@example.com " }))
    .toMatchObject({ lastName: "Иванов", name: "Иван", secondName: "Иванович", email: "ivan@example.com", phone: "+79160000002" });
  expect(await customers.completeProfile(ctx, customer.id, { name: "Пётр", email: "p@example.com" })).toMatchObject({ lastName: "", name: "Пётр", secondName: "" });
});

test("a change touches what it names: other fields and other parts of the buy profile stay", async () => {
  const { customer } = await signUp("+79160000003");
  await customers.update(ctx, customer.id, { lastName: "Петров", buyProfile: { userinfo: { street: "Тверская", house: "1" } } });
  await customers.saveBuyProfile(ctx.db, customer.id, { pvzinfo: { id: "MSK1" } });
  const changed = await customers.update(ctx, customer.id, { email: "p@example.com", buyProfile: { userinfo: { street: "Арбат" } } });
  expect(changed).toMatchObject({ lastName: "Петров", email: "p@example.com", buyProfile: { userinfo: { street: "Арбат" }, pvzinfo: { id: "MSK1" } } });
  expect(await customers.update(ctx, customer.id, {})).toEqual(changed);
  expect(await customers.byId(ctx, customer.id)).toEqual(changed);
  expect(await customers.byId(ctx, "nobody")).toBeNull();
});

test("a stored buy profile that makes no sense any more does not break the account", async () => {
  const { customer } = await signUp("+79160000004");
  await ctx.db.execute(sql`update customers set buy_profile = '{"old": true}' where id = ${customer.id}`);
  expect(await customers.byId(ctx, customer.id)).toMatchObject({ buyProfile: null });
});

test("each consent is kept with the text it was given to and its time", async () => {
  const { customer } = await signUp("+79160000005");
  const consent = { customerId: customer.id, orderId: null, purpose: "registration" as const, textVersion: "2026-11-01", at: ctx.now() };
  await inTransaction(ctx.db, (tx) => customers.recordConsent(tx, consent));
  const { rows } = (await ctx.db.execute(sql`select purpose, text_version from consents where customer_id = ${customer.id}`)) as unknown as { rows: unknown[] };
  expect(rows).toEqual([{ purpose: "registration", text_version: "2026-11-01" }]);
});
