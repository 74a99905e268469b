import { sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { days, minutes } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { aBuyer, atOffice, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as checkout from "#shop/checkout/service.ts";
import type { OwnerKey } from "#shop/context.ts";
import { signUp } from "#shop/customers/testing.ts";
import type { Limits } from "#shop/settings.ts";
import { testClock } from "#tests/shop.ts";
import { sweeps } from "../jobs.ts";
import * as orders from "../service.ts";
import { unpaidOrderKeys } from "../tables.ts";

let shop: ShopToBuy;
afterEach(async () => {
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await shop.close();
});
const open = async (limits: Partial<Limits>, stock = 100): Promise<void> => {
  shop = await openShopToBuy({ clock: testClock(), stock, limits });
};

let visitors = 0;
type Buyer = { phone?: string; email?: string; from?: string; pieces?: number; owner?: OwnerKey; paymentId?: number };
/** A cart and a locked price of an ever new browser, unless one is given; the order is made by the call that comes back. */
async function ready({ phone, email, from, pieces = 1, owner, paymentId = 6 }: Buyer) {
  visitors += 1;
  const me = owner ?? aVisitor(`u${visitors}`);
  await shop.fill(me, { 1: pieces });
  const user = { ...aBuyer, phone: phone ?? `+7916${1_000_000 + visitors}`, email: email ?? `buyer${visitors}@example.ru` };
  const request = {
    ...shop.orderRequestFor(await shop.quoted(me, { ...atOffice, paymentId })),
    user,
    ...(from ? { clientAddress: from } : {}),
    customerId: me.startsWith("customer:") ? me.slice(9) : null,
  };
  return () => checkout.placeOrder(shop.ctx, me, request);
}
async function outcomeOf(buyer: Buyer): Promise<string> {
  const placed = await (await ready(buyer))();
  return placed.ok ? "placed" : placed.error.code;
}

describe("what unpaid orders reserve", () => {
  test("is limited for one phone and one mailbox over ever new browsers; a refused buyer keeps cart and stock as they were", async () => {
    await open({ reservedPiecesPerPerson: 4 });
    expect(await outcomeOf({ phone: "+79161112233", pieces: 3 })).toBe("placed");
    expect(await outcomeOf({ phone: "+79161112233", pieces: 2 })).toBe("order.reserve_limit");
    expect(await shop.free(1)).toBe(97);
    expect(await outcomeOf({ phone: "+79161112233", pieces: 1 })).toBe("placed");
    expect(await outcomeOf({ email: "Ivan+1@example.ru", pieces: 3 })).toBe("placed");
    expect(await outcomeOf({ email: "ivan+2@Example.ru", pieces: 2 })).toBe("order.reserve_limit");
    expect(await outcomeOf({ pieces: 4 })).toBe("placed");
  });

  test("is limited in value too", async () => {
    await open({ reservedRoublesPerPerson: 20_000 }); // a piece is 6 000 ₽
    expect(await outcomeOf({ phone: "+79161112233", pieces: 3 })).toBe("placed");
    expect(await outcomeOf({ phone: "+79161112233" })).toBe("order.reserve_limit");
  });

  test("is counted over orders that come at once, over two processes", async () => {
    await open({ reservedPiecesPerPerson: 5 });
    const second = await shop.another();
    const requests = [];
    for (let n = 0; n < 20; n += 1) {
      const me = aVisitor(`at-once-${n}`);
      await shop.fill(me, { 1: 1 });
      const request = { ...shop.orderRequestFor(await shop.quoted(me)), user: { ...aBuyer, email: `b${n}@example.ru` } }; // one phone
      requests.push(() => checkout.placeOrder(n % 2 ? shop.ctx : second, me, request));
    }
    const results = await Promise.all(requests.map((place) => place()));
    expect(results.filter((each) => each.ok)).toHaveLength(5);
    expect(results.flatMap((each) => (each.ok ? [] : [each.error.code]))).toEqual(Array<string>(15).fill("order.reserve_limit"));
  });

  test("ends with the payment, and with the cancellation", async () => {
    await open({ reservedPiecesPerPerson: 2 });
    const placed = await (await ready({ phone: "+79161112233", pieces: 2, paymentId: 4 }))();
    if (!placed.ok) throw new Error(placed.error.code);
    const { order } = placed.value;
    expect(await outcomeOf({ phone: "+79161112233" })).toBe("order.reserve_limit");
    await shop.pay(order);
    shop.provider.pay(order.id);
    await shop.pass(minutes(1));
    expect((await shop.now(order)).state).toBe("paid");
    const next = await (await ready({ phone: "+79161112233", pieces: 2 }))();
    if (!next.ok) throw new Error(next.error.code);
    await orders.cancel(shop.ctx, { orderId: next.value.order.id, viewer: shop.guest(next.value.order) });
    expect(await outcomeOf({ phone: "+79161112233", pieces: 2 })).toBe("placed");
  });
});

describe("one network address", () => {
  test("cannot reserve more than its share of a coin with new browsers, phones and mailboxes; another address gets the rest", async () => {
    await open({ addressSharePercent: 50, addressFreePieces: 2 }, 10);
    for (let n = 0; n < 5; n += 1) expect(await outcomeOf({ from: "203.0.113.7" })).toBe("placed");
    expect(await outcomeOf({ from: "203.0.113.7" })).toBe("order.reserve_limit");
    expect(await outcomeOf({ from: "203.0.113.8", pieces: 5 })).toBe("placed");
    expect(await shop.free(1)).toBe(0);
  });

  test("may take ten pieces: of its buyers who come at once the later ones are refused because the coin is sold out, not because they reserve too much", async () => {
    await open({ addressSharePercent: 50, addressFreePieces: 10 }, 10);
    const places = [];
    for (let n = 0; n < 60; n += 1) places.push(await ready({ from: "203.0.113.7" }));
    const results = await Promise.all(places.map((place) => place()));
    const refusals = results.flatMap((each) => (each.ok ? [] : [each.error]));
    expect(refusals).toHaveLength(50);
    for (const refusal of refusals) expect(refusal).toEqual({ code: "order.stock_short", short: [{ id: 1, available: 0 }] });
  });

  test("is kept as a hash, and forgotten once its orders are paid or closed", async () => {
    await open({ reservedPiecesPerAddress: 3, reservedPiecesPerPerson: 3 });
    const placed = await (await ready({ from: "203.0.113.7", phone: "+79161112233" }))();
    await outcomeOf({ from: "203.0.113.9" });
    const kept = await shop.ctx.db.select().from(unpaidOrderKeys);
    expect(kept).toHaveLength(8);
    expect(JSON.stringify(kept)).not.toMatch(/203\.0\.113|9161112233|example\.ru/);
    if (!placed.ok) throw new Error(placed.error.code);
    await orders.cancel(shop.ctx, { orderId: placed.value.order.id, viewer: shop.guest(placed.value.order) });
    shop.clock.advance(days(2));
    await sweeps["orders.forget_keys"].run(shop.ctx);
    expect(await shop.ctx.db.select().from(unpaidOrderKeys)).toHaveLength(4); // the other order still waits
  });
});

describe("cancelled orders", () => {
  test("one after another count as unpaid ones for a quarter of an hour, a few are free", async () => {
    await open({ cancelledOrders: 3, unpaidOrders: 5 });
    const me = aVisitor("undecided");
    const cycle = async (): Promise<string> => {
      const placed = await (await ready({ owner: me }))();
      if (!placed.ok) return placed.error.code;
      await orders.cancel(
        { ...shop.ctx, actor: { kind: "visitor" } },
        { orderId: placed.value.order.id, viewer: shop.guest(placed.value.order) },
      );
      return "placed";
    };
    const outcomes = [];
    for (let n = 0; n < 10; n += 1) outcomes.push(await cycle());
    expect(outcomes).toEqual([...Array<string>(8).fill("placed"), ...Array<string>(2).fill("order.too_many_unpaid")]);
    shop.clock.advance(minutes(15));
    expect(await cycle()).toBe("placed");
  });

  test("by a buyer with five unpaid ones make room for another", async () => {
    await open({ cancelledOrders: 3, unpaidOrders: 5 });
    const me = aVisitor("busy");
    const made = [];
    for (let n = 0; n < 5; n += 1) made.push(await (await ready({ owner: me }))());
    expect(await outcomeOf({ owner: me })).toBe("order.too_many_unpaid");
    const [first] = made;
    if (!first?.ok) throw new Error("no order");
    await orders.cancel(
      { ...shop.ctx, actor: { kind: "visitor" } },
      { orderId: first.value.order.id, viewer: shop.guest(first.value.order) },
    );
    expect(await outcomeOf({ owner: me })).toBe("placed");
  });
});

describe("an invoice above the limit", () => {
  test("requires the customer's own phone; online payment and smaller sums do not", async () => {
    await open({ invoiceUnconfirmedRoubles: 10_000 });
    const { customer } = await signUp(shop.ctx, "+79161112233");
    const owner: OwnerKey = `customer:${customer.id}`;
    expect(await outcomeOf({ pieces: 1 })).toBe("placed");
    expect(await outcomeOf({ pieces: 2, paymentId: 4 })).toBe("placed");
    expect(await outcomeOf({ pieces: 2 })).toBe("order.phone_unconfirmed");
    expect(await outcomeOf({ pieces: 2, phone: "+79161112233" })).toBe("order.phone_unconfirmed"); // a guest who knows the phone
    expect(await outcomeOf({ owner, pieces: 2 })).toBe("order.phone_unconfirmed"); // another phone than the account's
    expect(await outcomeOf({ owner, pieces: 2, phone: "+79161112233" })).toBe("placed");
    const { rows } = (await shop.ctx.db.execute(
      sql`select sum(reserved)::int as reserved from stock_items where coin_id = 1`,
    )) as unknown as { rows: { reserved: number }[] };
    expect(rows[0]?.reserved).toBe(5);
  });
});
