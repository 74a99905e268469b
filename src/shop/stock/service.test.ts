import { asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { inTransaction, rowsOf } from "#kit/db.ts";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import * as stock from "./service.ts";
import { inLockOrder, type StockLine } from "./stock.ts";
import { stockEntries, stockItems } from "./tables.ts";
import { reserve } from "./testing.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
  await putCoins(
    shop.ctx.db,
    [1, 2, 3].map((id) => aCoin({ id })),
  );
});
afterAll(() => shop.close());
beforeEach(async () => {
  await shop.ctx.db.delete(stockEntries);
  await shop.ctx.db.delete(stockItems);
  await inTransaction(shop.ctx.db, (tx) =>
    stock.openStock(tx, shop.ctx, [
      { coinId: 1, quantity: 5 },
      { coinId: 2, quantity: 1 },
    ]),
  );
});

const work = <T>(verb: (tx: Parameters<typeof stock.release>[0]) => Promise<T>): Promise<T> => inTransaction(shop.ctx.db, verb);
const shelf = async () =>
  Object.fromEntries((await shop.ctx.db.select().from(stockItems)).map((row) => [row.coinId, [row.onHand, row.reserved]]));
const ledger = async (coinId: number) =>
  (await shop.ctx.db.select().from(stockEntries).where(eq(stockEntries.coinId, coinId)).orderBy(asc(stockEntries.id))).map(
    ({ kind, quantity, orderId }) => ({ kind, quantity, orderId }),
  );

test("two lines of one coin are summed, and coins are locked in the order of their ids", () => {
  const lines: StockLine[] = [
    { coinId: 3, quantity: 1 },
    { coinId: 1, quantity: 2 },
    { coinId: 3, quantity: 4 },
  ];
  expect(inLockOrder(lines)).toEqual([
    { coinId: 1, quantity: 2 },
    { coinId: 3, quantity: 5 },
  ]);
});

/** The refusal of a reservation that is not possible. */
const refusalOf = async (lines: StockLine[]) =>
  work((tx) => reserve(tx, lines)).then(
    () => null,
    (error: unknown) => stock.shortageOf(shop.ctx.db, error),
  );

test("an order is reserved as a whole or not at all, and every short coin is named", async () => {
  await work((tx) =>
    reserve(tx, [
      { coinId: 2, quantity: 1 },
      { coinId: 1, quantity: 5 },
    ]),
  );
  expect(await shelf()).toEqual({ 1: [5, 5], 2: [1, 1] });
  await work((tx) => stock.release(tx, [{ coinId: 1, quantity: 2 }]));
  const refused = await refusalOf([
    { coinId: 1, quantity: 2 },
    { coinId: 2, quantity: 1 },
    { coinId: 3, quantity: 1 },
    { coinId: 99, quantity: 1 },
  ]);
  expect(refused).toEqual({
    code: "order.stock_short",
    short: [
      { id: 2, available: 0 },
      { id: 3, available: 0 },
      { id: 99, available: 0 },
    ],
  });
  expect(await shelf()).toEqual({ 1: [5, 3], 2: [1, 1] });
});

test("two lines of one coin that together exceed the stock are short", async () => {
  const refused = await refusalOf([
    { coinId: 1, quantity: 3 },
    { coinId: 1, quantity: 3 },
  ]);
  expect(refused).toEqual({ code: "order.stock_short", short: [{ id: 1, available: 5 }] });
  expect(await stock.shortageOf(shop.ctx.db, new Error("another"))).toBeNull();
});

test("sold and returned pieces are entered in the ledger, and never more are returned than were sold", async () => {
  const lines = [{ coinId: 1, quantity: 2 }];
  await work(async (tx) => {
    await reserve(tx, lines);
    await stock.removeSold(tx, shop.ctx, "order-1", lines);
  });
  expect(await shelf()).toMatchObject({ 1: [3, 0] });
  await work((tx) => reserve(tx, lines));
  await expect(work((tx) => stock.removeSold(tx, shop.ctx, "order-1", lines))).rejects.toThrow();
  await work((tx) => stock.release(tx, lines));
  await work((tx) => stock.returnToStock(tx, shop.ctx, "order-1", lines));
  await expect(work((tx) => stock.returnToStock(tx, shop.ctx, "order-1", lines))).rejects.toThrow("more came back");
  expect(await shelf()).toMatchObject({ 1: [5, 0] });
  expect(await ledger(1)).toEqual([
    { kind: "opening", quantity: 5, orderId: null },
    { kind: "sold", quantity: -2, orderId: "order-1" },
    { kind: "returned", quantity: 2, orderId: "order-1" },
  ]);
});

test("pieces that are not reserved cannot be released or sold", async () => {
  await expect(work((tx) => stock.release(tx, [{ coinId: 1, quantity: 1 }]))).rejects.toThrow("more than is reserved");
  await expect(work((tx) => stock.removeSold(tx, shop.ctx, "order-2", [{ coinId: 1, quantity: 1 }]))).rejects.toThrow(
    "more than is reserved",
  );
  expect(await shelf()).toEqual({ 1: [5, 0], 2: [1, 0] });
});

test("a delivery adds to the stock, also of a coin without a stock row; opening the stock again adds nothing", async () => {
  await work((tx) => stock.receive(tx, shop.ctx, 3, 4));
  await work((tx) => stock.receive(tx, shop.ctx, 1, 1));
  await work((tx) =>
    stock.openStock(tx, shop.ctx, [
      { coinId: 1, quantity: 99 },
      { coinId: 3, quantity: 99 },
    ]),
  );
  expect(await shelf()).toEqual({ 1: [6, 0], 2: [1, 0], 3: [4, 0] });
  expect(await ledger(3)).toEqual([{ kind: "receipt", quantity: 4, orderId: null }]);
  expect(await stock.available(shop.ctx.db, [1, 3, 77])).toEqual(
    new Map([
      [1, 6],
      [3, 4],
    ]),
  );
});

describe("changes of available pieces since an earlier read", () => {
  const read = async (since: string | null) => {
    const [row] = await rowsOf<{ found: string }>(shop.ctx.db, sql`select ${stock.changesSince(since)} as found`);
    const { pieces, until } = stock.readChanges(row?.found ?? "");
    return { pieces: Object.fromEntries(pieces), until };
  };

  /** The beginning of a read after which nothing changed. Transactions of other tests on the same server may keep it back for a moment. */
  const untilNow = () =>
    vi.waitFor(
      async () => {
        const { until } = await read(null);
        expect((await read(until)).pieces).toEqual({});
        return until;
      },
      { timeout: 30_000, interval: 5 },
    );

  test("the first read has all coins, the next only those that changed", async () => {
    expect((await read(null)).pieces).toEqual({ 1: 5, 2: 1 });
    const since = await untilNow();
    await work((tx) => reserve(tx, [{ coinId: 1, quantity: 2 }]));
    expect((await read(since)).pieces).toEqual({ 1: 3 });
    await work((tx) => stock.receive(tx, shop.ctx, 3, 7));
    expect((await read(since)).pieces).toEqual({ 1: 3, 3: 7 });
  });

  test("a transaction that began before a read and ended after it is not missed", async () => {
    const [reserved, isRead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const long = work(async (tx) => {
      await reserve(tx, [{ coinId: 2, quantity: 1 }]);
      reserved.resolve();
      await isRead.promise;
    });
    await reserved.promise;
    await work((tx) => reserve(tx, [{ coinId: 1, quantity: 1 }])); // a later one that ends earlier
    const between = await read(null);
    expect(between.pieces).toEqual({ 1: 4, 2: 1 });
    isRead.resolve();
    await long;
    expect((await read(between.until)).pieces).toMatchObject({ 2: 0 });
  });

  test("a change that is taken back is none", async () => {
    const since = await untilNow();
    await work((tx) => reserve(tx, [{ coinId: 1, quantity: 1 }]).then(() => Promise.reject(new Error("taken back")))).catch(() => {});
    expect((await read(since)).pieces).toEqual({});
  });
});
