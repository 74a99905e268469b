import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#kit/db.ts";
import { days } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import type { BuyProfile } from "./buy-profile.ts";
import * as customers from "./service.ts";
import { signUp } from "./testing.ts";

let shop: TestShop;
let ctx: Ctx;
beforeAll(async () => {
  shop = await testShop();
  ctx = shop.ctx;
});
afterAll(() => shop.close());

test("twenty concurrent first sign-ins with one phone create one customer, and one of them is new", async () => {
  const results = await Promise.all(Array.from({ length: 20 }, () => signUp(ctx, "+79160000001")));
  expect(new Set(results.map(({ customer }) => customer.id)).size).toBe(1);
  expect(results.filter(({ isNew }) => isNew)).toHaveLength(1);
});

test("completing the registration sets the full name and the e-mail", async () => {
  const { customer } = await signUp(ctx, "+79160000002");
  expect(customer).toMatchObject({ name: "", email: "", buyProfile: null });
  expect(await customers.completeProfile(ctx, customer.id, { name: "Иванов Иван Иванович", email: " ivan@example.com " })).toMatchObject({
    lastName: "Иванов",
    name: "Иван",
    secondName: "Иванович",
    email: "ivan@example.com",
    phone: "+79160000002",
  });
  expect(await customers.completeProfile(ctx, customer.id, { name: "Пётр", email: "p@example.com" })).toMatchObject({
    lastName: "",
    name: "Пётр",
    secondName: "",
  });
});

test("a change updates only the fields and profile parts that it contains", async () => {
  const { customer } = await signUp(ctx, "+79160000003");
  await customers.update(ctx, customer.id, { lastName: "Петров", buyProfile: { delivery: { street: "Тверская", house: "1" } } });
  await customers.update(ctx, customer.id, { buyProfile: { point: { id: "MSK1" } } });
  const changed = await customers.update(ctx, customer.id, { email: "p@example.com", buyProfile: { delivery: { street: "Арбат" } } });
  expect(changed).toMatchObject({
    lastName: "Петров",
    email: "p@example.com",
    buyProfile: { delivery: { street: "Арбат" }, point: { id: "MSK1" } },
  });
  expect(await customers.update(ctx, customer.id, {})).toEqual(changed);
  expect(await customers.byId(ctx, customer.id)).toEqual(changed);
  expect(await customers.byId(ctx, "unknown")).toBeNull();
});

test("a stored buy profile that cannot be parsed does not break the account", async () => {
  const { customer } = await signUp(ctx, "+79160000004");
  await ctx.db.execute(sql`update customers set buy_profile = '{"old": true}' where id = ${customer.id}`);
  expect(await customers.byId(ctx, customer.id)).toMatchObject({ buyProfile: null });
});

test("an order fills in what the profile lacks, changes nothing else, and stores its address", async () => {
  const { customer } = await signUp(ctx, "+79160000006");
  const place = (name: string, email: string, profile: BuyProfile) =>
    inTransaction(ctx.db, (tx) =>
      customers.rememberFromOrder(tx, customer.id, { name, lastName: "Иванов", secondName: "", email }, profile),
    );
  await place("Иван", "ivan@example.com", { point: { id: "MSK1" } });
  await place("Пётр", "gift@example.com", { delivery: { street: "Арбат", house: "1" } });
  expect(await customers.byId(ctx, customer.id)).toMatchObject({
    name: "Иван",
    lastName: "Иванов",
    email: "ivan@example.com",
    buyProfile: { point: { id: "MSK1" }, delivery: { street: "Арбат", house: "1" } },
  });
});

test("consents are stored with their text version and time", async () => {
  const { customer } = await signUp(ctx, "+79160000005");
  await customers.completeProfile(ctx, customer.id, { name: "Иван", email: "ivan@example.com" });
  await inTransaction(ctx.db, (tx) =>
    customers.recordConsent(tx, { customerId: customer.id, orderId: "o1", purpose: "order", textVersion: "order-1", at: ctx.now() }),
  );
  const { rows } = (await ctx.db.execute(
    sql`select purpose, order_id, text_version from consents where customer_id = ${customer.id} order by id`,
  )) as unknown as { rows: unknown[] };
  expect(rows).toEqual([
    { purpose: "registration", order_id: null, text_version: "registration-2026-11-22" },
    { purpose: "order", order_id: "o1", text_version: "order-1" },
  ]);
});

test("newsletter consent begins with its date and ends when withdrawn; the proof of both is kept", async () => {
  const { customer } = await signUp(ctx, "+79160000007");
  const begun = () => customers.newsletter(ctx, customer.id);
  expect(await begun()).toBeNull();
  await Promise.all([1, 2, 3].map(() => customers.setNewsletter(ctx, customer.id, true)));
  const first = await begun();
  expect(first).toEqual({ at: ctx.now(), textVersion: "newsletter-2026-11" });
  shop.clock.advance(days(3));
  await inTransaction(ctx.db, (tx) => customers.subscribe(tx, ctx, { customerId: customer.id, orderId: "o2" }));
  expect(await begun()).toEqual(first);
  await customers.setNewsletter(ctx, customer.id, false);
  await customers.setNewsletter(ctx, customer.id, false);
  expect(await begun()).toBeNull();
  shop.clock.advance(days(1));
  await customers.setNewsletter(ctx, customer.id, true);
  expect((await begun())?.at).toEqual(ctx.now());
  const { rows } = (await ctx.db.execute(
    sql`select withdrawn_at is not null as ended from consents where customer_id = ${customer.id} order by id`,
  )) as unknown as { rows: unknown[] };
  expect(rows).toEqual([{ ended: true }, { ended: false }]);
});
