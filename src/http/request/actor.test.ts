import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deskUserHeader } from "#contract/demo.ts";
import { isStaffName } from "#shop/actor.ts";
import { found } from "#shop/payment/testing.ts";
import { coins, openHttpBench, placeOrder, type HttpBench } from "../testing.ts";

let bench: HttpBench;
beforeAll(async () => {
  bench = await openHttpBench({ demo: true });
});
afterAll(() => bench.close());

const actors = async (query: ReturnType<typeof sql>): Promise<(string | null)[]> =>
  (await found<{ actor: string | null }>(bench.ctx, query)).map(({ actor }) => actor);
const historyOf = (orderId: string) => actors(sql`select actor from order_history where order_id = ${orderId} order by step`);

test("the history names a customer by number, a guest as a visitor, and staff by login", async () => {
  const [guest, customer] = [bench.visitor(), bench.visitor()];
  await customer.signIn(bench, "+79163330077");
  const [customerId] = await actors(sql`select id as actor from customers where phone = '+79163330077'`);
  const placed = async (who: typeof guest, key: string) =>
    (await placeOrder(who, coins.memorable, key)).json<{ data: { id: string } }>().data.id;
  const [ofGuest, ofCustomer] = [await placed(guest, "g"), await placed(customer, "c")];
  await guest.request("POST", `/_demo/orders/${ofGuest}`, { event: "cancel" }, { [deskUserHeader]: encodeURIComponent("Иванова") });
  await customer.request("POST", `/api/orders/${ofCustomer}/cancel`);
  expect(await historyOf(ofGuest)).toEqual(["visitor", "staff:Иванова"]);
  expect(await historyOf(ofCustomer)).toEqual([`customer:${customerId}`, `customer:${customerId}`]);
});

test("a payment recorded by hand, its refund, the bank's transfer and the stock entries name who made them", async () => {
  const visitor = bench.visitor();
  await visitor.request("PATCH", `/api/cart/${coins.bullion}`, { quantity: 1 });
  const { quoteId } = (await visitor.request("POST", "/api/checkout/quote", { deliveryId: 35, city: "0000073738", paymentId: 6 })).json<{
    data: { quoteId: string };
  }>().data;
  const form = {
    quoteId,
    user: { name: "А", lastName: "Б", email: "a@e.ru", phone: "+79160000009" },
    delivery: { id: 35 },
    paymentId: 6,
    consent: true,
  };
  const { id, total } = (await visitor.request("POST", "/api/orders", form, { "idempotency-key": "transfer" })).json<{
    data: { id: string; total: number };
  }>().data;
  const play = (event: string, more: object = {}, user = "petrov") =>
    visitor.request("POST", `/_demo/orders/${id}`, { event, ...more }, { [deskUserHeader]: user });
  await play("pay", { amount: total, reference: { number: "7", date: "2026-11-20" } }, "ivanova");
  await play("refund", { amount: 1 }, "no name; drop");
  await play("assemble");
  await play("make_ready");
  expect(await historyOf(id)).toEqual(["visitor", "staff:ivanova", "staff:demo", "staff:petrov", "staff:petrov"]);
  expect(await actors(sql`select actor from bank_transfers where order_id = ${id}`)).toEqual(["staff:ivanova"]);
  expect(await actors(sql`select actor from payments where order_id = ${id}`)).toEqual(["staff:ivanova"]);
  expect(await actors(sql`select actor from refunds where order_id = ${id}`)).toEqual(["staff:demo"]);
  expect(await actors(sql`select actor from stock_entries where order_id = ${id}`)).toEqual(["staff:petrov"]);
});

test("a login has letters, digits, dots and hyphens", () => {
  for (const name of ["ivanova", "Иванова", "i.petrov-2"]) expect(isStaffName(name)).toBe(true);
  for (const name of ["", "a b", "a:b", ".a", "a".repeat(41), "a\nb"]) expect(isStaffName(name)).toBe(false);
});
