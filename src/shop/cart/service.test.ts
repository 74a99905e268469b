import { sql } from "drizzle-orm";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction, type Db } from "#kit/db.ts";
import { days, seconds } from "#kit/time.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { isQuantity } from "./cart.ts";
import { sweeps } from "./jobs.ts";
import * as rows from "./repository.ts";
import * as cart from "./service.ts";
import { aGuest, joinCarts, onShelf } from "./testing.ts";

let shop: TestShop;
let ctx: Ctx;
const many = Array.from({ length: 60 }, (_, index) => 1000 + index);

beforeAll(async () => {
  shop = await testShop({ limits: { cartLines: 50 } });
  ctx = shop.ctx;
  await onShelf(ctx, [
    { id: 1, pieces: 10 },
    { id: 2, pieces: 3, fixedPriceKopecks: 250_000 },
    { id: 3, pieces: 0 },
    { id: 4, pieces: 999, purchaseLimit: 5 },
    { id: 5, pieces: 5, isPublished: false },
    { id: 6, pieces: 5, kind: "bullion", fixedPriceKopecks: null },
    ...many.map((id) => ({ id, pieces: 1 })),
  ]);
});
afterAll(() => shop.close());

const put = (owner: OwnerKey, id: number, quantity: number) => cart.setQuantity(ctx, owner, id, quantity);
const contents = async (owner: OwnerKey): Promise<Record<number, number>> =>
  Object.fromEntries((await cart.read(ctx, owner)).lines.map((line) => [line.coinId, line.quantity]));
const merge = (from: OwnerKey, to: OwnerKey) => joinCarts(ctx, from, to);

test("a cart lists its lines in the order of adding, with prices, sums, stock and the total number of pieces", async () => {
  const guest = aGuest("reads");
  await put(guest, 2, 2);
  shop.clock.advance(1);
  await put(guest, 1, 3);
  const read = await cart.read(ctx, guest);
  expect(read).toMatchObject({ total: 800_000, count: 5 });
  expect(
    read.lines.map(({ coinId, quantity, price, sum, available, hasStock, slug }) => ({
      coinId,
      quantity,
      price,
      sum,
      available,
      hasStock,
      slug,
    })),
  ).toEqual([
    { coinId: 2, quantity: 2, price: 250_000, sum: 500_000, available: 3, hasStock: true, slug: "coin-2" },
    { coinId: 1, quantity: 3, price: 100_000, sum: 300_000, available: 10, hasStock: true, slug: "coin-1" },
  ]);
});

test("a visitor without a cart reads an empty one, and reading makes no cart", async () => {
  expect(await cart.read(ctx, null)).toEqual({ lines: [], total: 0, count: 0, promo: null, version: 0 });
  expect(await cart.read(ctx, aGuest("looks"))).toMatchObject({ lines: [], version: 0 });
});

test("a coin is found by a request that runs while another one reloads it into the cache", async () => {
  await put(aGuest("warms"), 1, 1);
  const beside = [put(aGuest("first"), 1, 1)];
  shop.clock.advance(seconds(2));
  beside.push(put(aGuest("second"), 1, 1));
  expect((await Promise.all(beside)).map(({ ok }) => ok)).toEqual([true, true]);
});

test("zero removes a coin, and clearing removes everything", async () => {
  const guest = aGuest("clears");
  await put(guest, 1, 1);
  await put(guest, 2, 1);
  expect(await put(guest, 1, 0)).toMatchObject({ ok: true, value: { count: 1 } });
  expect(await put(guest, 1, 0)).toMatchObject({ ok: true, value: { count: 1 } });
  expect(await cart.clear(ctx, guest)).toMatchObject({ lines: [], total: 0 });
  expect(await cart.clear(ctx, null)).toMatchObject({ lines: [] });
});

test("removing coins that are not in the cart is not an error", async () => {
  const guest = aGuest("removes");
  await put(guest, 1, 1);
  expect((await cart.remove(ctx, guest, [2, 777_777])).lines.map((line) => line.coinId)).toEqual([1]);
  expect((await cart.remove(ctx, guest, [1, 2])).lines).toEqual([]);
});

test("a quantity above the stock is refused with the available pieces, and the cart is unchanged", async () => {
  const guest = aGuest("wants-more");
  await put(guest, 1, 4);
  const before = await cart.read(ctx, guest);
  expect(await put(guest, 1, 11)).toEqual({ ok: false, error: { code: "cart.stock_short", available: 10 } });
  expect(await put(guest, 3, 1)).toEqual({ ok: false, error: { code: "cart.stock_short", available: 0 } });
  expect(await cart.read(ctx, guest)).toEqual(before);
});

test("an unknown or unpublished coin cannot be added", async () => {
  expect(await put(aGuest("unknown"), 404_404, 1)).toEqual({ ok: false, error: { code: "product.not_found" } });
  expect(await put(aGuest("unknown"), 404_404, 0)).toEqual({ ok: false, error: { code: "product.not_found" } });
  expect(await put(aGuest("unknown"), 5, 1)).toEqual({ ok: false, error: { code: "product.not_found" } });
});

test("the purchase limit applies whatever the stock", async () => {
  expect(await put(aGuest("limited"), 4, 6)).toEqual({ ok: false, error: { code: "cart.limit", limit: 5 } });
  expect(await put(aGuest("limited"), 4, 5)).toMatchObject({ ok: true });
});

test("only whole numbers from 0 to 999 are quantities", async () => {
  expect([0, 1, 999].map(isQuantity)).toEqual([true, true, true]);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.double().filter((n) => !Number.isInteger(n) || n < 0 || n > 999),
        fc.integer({ max: -1 }),
        fc.integer({ min: 1000 }),
      ),
      async (quantity) => {
        await expect(put(aGuest("numbers"), 1, quantity)).rejects.toThrow(RangeError);
      },
    ),
    { numRuns: 50 },
  );
  expect(await contents(aGuest("numbers"))).toEqual({});
});

test("fifty coins added at once make fifty lines", async () => {
  const guest = aGuest("at-once");
  const results = await Promise.all(many.slice(0, 50).map((id) => put(guest, id, 1)));
  expect(results.every((result) => result.ok)).toBe(true);
  expect(await cart.read(ctx, guest)).toMatchObject({ count: 50, version: 50 });
});

test("a hundred concurrent changes of one line leave one line with one of the requested quantities", async () => {
  const guest = aGuest("one-line");
  await Promise.all(Array.from({ length: 100 }, (_, index) => put(guest, 1, 1 + (index % 10))));
  const { lines } = await cart.read(ctx, guest);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.quantity).toBeGreaterThanOrEqual(1);
});

test("visitors who change their carts at once get the answers that they would get one after the other", async () => {
  const guests = Array.from({ length: 50 }, (_, n) => aGuest(`together-${n}`));
  for (const guest of guests.slice(0, 20)) await put(guest, 2, 1);
  shop.clock.advance(1);
  const wishes = [
    { coinId: 1, quantity: 4 },
    { coinId: 2, quantity: 1 },
    { coinId: 3, quantity: 1, refusal: { code: "cart.stock_short", available: 0 } },
    { coinId: 4, quantity: 6, refusal: { code: "cart.limit", limit: 5 } },
    { coinId: 404_404, quantity: 1, refusal: { code: "product.not_found" } },
  ];
  const asked = guests.map((guest, n) => ({ guest, had: n < 20 ? [2] : [], ...(wishes[n % wishes.length] ?? { coinId: 1, quantity: 1 }) }));
  const results = await Promise.all(asked.map(({ guest, coinId, quantity }) => put(guest, coinId, quantity)));
  for (const [n, { guest, had, coinId, quantity, refusal }] of asked.entries()) {
    const coinIds = refusal ? had : [...new Set([...had, coinId])];
    const lines = coinIds.map((id) => ({ coinId: id, quantity: id === coinId ? quantity : 1, available: id === 1 ? 10 : 3 }));
    expect(results[n]).toMatchObject(refusal ? { ok: false, error: refusal } : { ok: true, value: { version: lines.length, lines } });
    expect((await cart.read(ctx, guest)).lines).toMatchObject(lines);
  }
});

test("a change that the database refuses fails alone, not with those that were sent with it", async () => {
  const tooLarge = 3_000_000_000; // no integer of PostgreSQL
  const settled = await Promise.allSettled([put(aGuest("before"), 1, 1), put(aGuest("faulty"), tooLarge, 1), put(aGuest("behind"), 1, 2)]);
  expect(settled).toMatchObject([{ value: { ok: true } }, { status: "rejected" }, { value: { ok: true } }]);
  expect([await contents(aGuest("before")), await contents(aGuest("behind"))]).toEqual([{ 1: 1 }, { 1: 2 }]);
});

test("a cart takes no more lines than its limit, also when they are added at once", async () => {
  const guest = aGuest("full");
  const results = await Promise.all(many.map((id) => put(guest, id, 1)));
  expect(results.filter((result) => result.ok)).toHaveLength(50);
  expect(results.find((result) => !result.ok)).toEqual({ ok: false, error: { code: "cart.full", limit: 50 } });
  const { lines } = await cart.read(ctx, guest);
  expect(lines).toHaveLength(50);
  expect(await put(guest, lines[0]?.coinId ?? 0, 1)).toMatchObject({ ok: true });
});

test("setting the same quantity does not change the cart's version, so that a quote stays live", async () => {
  const guest = aGuest("repeats");
  await put(guest, 1, 2);
  const { version } = await cart.read(ctx, guest);
  await put(guest, 1, 2);
  await put(guest, 2, 0);
  expect((await cart.read(ctx, guest)).version).toBe(version);
  await put(guest, 1, 3);
  expect((await cart.read(ctx, guest)).version).toBe(version + 1);
});

test("a change that began before another one of the same cart was stored does not overwrite what it could not see", async () => {
  const guest = aGuest("late");
  await put(guest, 1, 1);
  const waiting = sql`select 1 from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`;
  const late = rows.linesSetter({
    saleTermsOf: () => sql`(select true as is_published, null::int as purchase_limit from pg_advisory_xact_lock(4711))`,
    availableOf: () => sql`5`,
  });
  const { change } = await inTransaction(ctx.db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(4711)`);
    // Without its name, under which connections may know the statement of the shop.
    const begun = inTransaction(ctx.db, (other) =>
      late({ execute: (query) => other.execute(query) } as Db, [{ owner: guest, coinId: 2, quantity: 1 }], { limit: 50, now: ctx.now() }),
    );
    await expect.poll(async () => ((await ctx.db.execute(waiting)) as unknown as { rows: unknown[] }).rows).toHaveLength(1);
    await put(guest, 1, 3);
    return { change: begun };
  });
  expect(await change).toMatchObject([{ verdict: "busy" }]);
  expect(await contents(guest)).toEqual({ 1: 3 });
});

test("setting the same quantity writes nothing", async () => {
  const guest = aGuest("writes-nothing");
  await put(guest, 1, 2);
  const rowVersions = () =>
    ctx.db.execute(sql`select c.xmin, l.xmin as line from carts c join cart_lines l on l.cart_id = c.id where owner = ${guest}`);
  const before = await rowVersions();
  shop.clock.advance(seconds(5));
  expect(await put(guest, 1, 2)).toMatchObject({ ok: true, value: { count: 2 } });
  expect(await rowVersions()).toMatchObject({ rows: (before as unknown as { rows: unknown[] }).rows });
});

test("an unpublished coin stays in the cart, shown as unavailable, until it is removed", async () => {
  const guest = aGuest("keeps");
  await put(guest, 6, 2);
  await ctx.db.execute(sql`update coins set is_published = false where id = 6`);
  shop.clock.advance(seconds(1));
  expect((await cart.read(ctx, guest)).lines).toMatchObject([{ coinId: 6, quantity: 2, available: 0, hasStock: false }]);
  expect(await put(guest, 6, 0)).toMatchObject({ ok: true, value: { lines: [] } });
  await ctx.db.execute(sql`update coins set is_published = true where id = 6`);
  shop.clock.advance(seconds(1));
});

test("a bullion coin has no price before the first rates, and the total leaves it out", async () => {
  const guest = aGuest("no-rates");
  await put(guest, 6, 1);
  shop.clock.advance(1);
  await put(guest, 1, 1);
  expect(await cart.read(ctx, guest)).toMatchObject({ total: 100_000, count: 2, lines: [{ price: null, sum: null }, { price: 100_000 }] });
});

test("merging carts keeps the larger quantity of each coin, limited by stock, and lists what was capped", async () => {
  const [guest, account] = [aGuest("joins"), "customer:joins" as OwnerKey];
  await put(account, 1, 10);
  await put(guest, 1, 1);
  await put(guest, 2, 3);
  await put(guest, 4, 5);
  await ctx.db.execute(sql`update stock_items set reserved = 2 where coin_id = 2`);
  await ctx.db.execute(sql`update coins set purchase_limit = 4 where id = 4`);
  expect(await merge(guest, account)).toEqual({
    capped: [
      { id: 2, available: 1 },
      { id: 4, available: 4 },
    ],
  });
  expect(await contents(account)).toEqual({ 1: 10, 2: 1, 4: 4 });
  expect(await contents(guest)).toEqual({});
  expect(await merge(guest, account)).toEqual({ capped: [] });
  expect(await contents(account)).toEqual({ 1: 10, 2: 1, 4: 4 });
  await ctx.db.execute(sql`update stock_items set reserved = 0 where coin_id = 2`);
});

test("a coin that sold out in the guest's cart is merged with one piece, so that it stays visible", async () => {
  const [guest, account] = [aGuest("sold-out"), "customer:sold-out" as OwnerKey];
  await put(guest, 2, 3);
  await ctx.db.execute(sql`update stock_items set reserved = 3 where coin_id = 2`);
  expect(await merge(guest, account)).toEqual({ capped: [{ id: 2, available: 0 }] });
  expect((await cart.read(ctx, account)).lines).toMatchObject([{ coinId: 2, quantity: 1, available: 0, hasStock: false }]);
  await ctx.db.execute(sql`update stock_items set reserved = 0 where coin_id = 2`);
});

test("merging stops at the limit of lines and lists the coins that did not fit", async () => {
  const [guest, account] = [aGuest("overflows"), "customer:overflows" as OwnerKey];
  for (const id of many.slice(0, 49)) await put(account, id, 1);
  await put(guest, 1, 1);
  await put(guest, 2, 1);
  expect(await merge(guest, account)).toEqual({ capped: [{ id: 2, available: 0 }] });
  expect((await cart.read(ctx, account)).lines).toHaveLength(50);
});

test("twenty concurrent merges of one guest cart add its coins once", async () => {
  const [guest, account] = [aGuest("parallel"), "customer:parallel" as OwnerKey];
  await put(guest, 1, 7);
  await put(account, 2, 1);
  await Promise.all(Array.from({ length: 20 }, () => merge(guest, account)));
  expect(await contents(account)).toEqual({ 2: 1, 1: 7 });
  expect(await contents(guest)).toEqual({});
});

test("a cart that is locked for an order cannot change until the order is made", async () => {
  const guest = aGuest("held");
  await put(guest, 1, 2);
  let order: string[] = [];
  await inTransaction(ctx.db, async (tx) => {
    const locked = await cart.lock(tx, guest);
    expect(locked).toEqual({ version: 1, lines: [{ coinId: 1, quantity: 2 }] });
    const change = (async () => {
      await put(guest, 1, 5);
      order = [...order, "changed"];
    })();
    await new Promise((resolve) => setTimeout(resolve, 50)); // gives the change every chance to come first
    await cart.removeLines(tx, guest, [1], ctx.now());
    order = [...order, "taken out"];
    void change;
  });
  await expect.poll(() => order).toEqual(["taken out", "changed"]);
  expect(await contents(guest)).toEqual({ 1: 5 });
  expect(await inTransaction(ctx.db, (tx) => cart.lock(tx, aGuest("never")))).toBeNull();
});

test("a guest's cart is deleted a year after it was last read, a customer's never", async () => {
  const [guest, forgotten, account] = [aGuest("returns"), aGuest("forgotten"), "customer:returns" as OwnerKey];
  for (const owner of [guest, forgotten, account]) await put(owner, 1, 1);
  shop.clock.advance(days(300));
  await cart.read(ctx, guest);
  shop.clock.advance(days(66));
  await sweeps["cart.forget"].run(ctx);
  expect(await contents(guest)).toEqual({ 1: 1 });
  expect(await contents(account)).toEqual({ 1: 1 });
  expect(await contents(forgotten)).toEqual({});
});
