import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTransaction, rowsOf } from "#kit/db.ts";
import { minutes } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import { atOffice, openShopToBuy, shelf, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import { testClock } from "#tests/shop.ts";
import { pickList } from "./packing.ts";
import * as packing from "./service.ts";
import { aPaidOrder } from "./testing.ts";

let shop: ShopToBuy;
const silver = { kind: "memorable" as const, metal: "silver" as const, fixedPriceKopecks: 5_000_00, premiumBp: 0 };
beforeAll(async () => {
  shop = await openShopToBuy({
    clock: testClock(),
    stock: 300,
    coins: [
      ...shelf.map((coin) => ({ ...coin, catalogueNumber: `5111-000${coin.id}` })),
      // Two mints strike the same coin under one number.
      aCoin({ ...silver, id: 21, catalogueNumber: "5216-0060", mint: "ММД" }),
      aCoin({ ...silver, id: 22, catalogueNumber: "5216-0060", mint: "СПМД" }),
    ],
  });
});
afterAll(async () => {
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await shop.close();
});

const timur = { login: "timur", name: "Тимур Ахметов" };
const vera = { login: "vera", name: "Вера Котова" };
const paid = (content: Record<number, number>, request?: typeof atOffice): Promise<Order> => aPaidOrder(shop, content, request);

async function batchOf(...of: Order[]): Promise<number> {
  const opened = await packing.openBatch(
    shop.ctx,
    of.map(({ id }) => id),
  );
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value.id;
}
const placeOf = (batchId: number, { id }: Order) => ({ batchId, orderId: id });
async function orderIn(batchId: number, { id }: Order) {
  const found = (await packing.batch(shop.ctx, batchId))?.orders.find(({ order }) => order.id === id);
  if (!found) throw new Error("the batch does not have this order");
  return found;
}
const seal = (order: Order): string => `PK${order.number}`;

describe("a batch", () => {
  test("takes the oldest orders that are paid and not packed; an order is in one open batch only", async () => {
    const [one, two] = [await paid({ 1: 1 }), await paid({ 2: 1 })];
    const unpaid = await shop.ordered("visitor:unpaid-1", { 1: 1 });
    const opened = await packing.openBatch(shop.ctx, null);
    if (!opened.ok) throw new Error(opened.error.code);
    const batch = await packing.batch(shop.ctx, opened.value.id);
    expect(batch?.orders.map(({ order, place }) => [order.number, place])).toEqual([
      [one.number, 1],
      [two.number, 2],
    ]);
    expect(await packing.openBatch(shop.ctx, [one.id, unpaid.id])).toEqual({ ok: false, error: { code: "packing.nothing" } });
    expect((await packing.board(shop.ctx)).waiting).toEqual([]);
  });

  test("opened by two packers at once shares the orders out: each order is in one of them", async () => {
    const waiting = [await paid({ 1: 1 }), await paid({ 1: 1 }), await paid({ 1: 1 })];
    const other = await shop.another();
    const opened = await Promise.all([
      packing.openBatch(
        shop.ctx,
        waiting.map(({ id }) => id),
      ),
      packing.openBatch(other, waiting.map(({ id }) => id).toReversed()),
      packing.openBatch(other, null),
    ]);
    const batches = await Promise.all(opened.flatMap((each) => (each.ok ? [packing.batch(shop.ctx, each.value.id)] : [])));
    const placed = batches.flatMap((each) => each?.orders.map(({ order }) => order.id) ?? []);
    expect(placed.toSorted()).toEqual(waiting.map(({ id }) => id).toSorted());
  });

  test("sums pieces by coin and says to which place each goes; orders that are out need nothing", async () => {
    const [one, two, three] = [await paid({ 1: 2, 2: 1 }), await paid({ 1: 3 }), await paid({ 2: 4 })];
    const batchId = await batchOf(one, two, three);
    await packing.postpone(shop.ctx, placeOf(batchId, three), timur, "missing");
    const batch = await packing.batch(shop.ctx, batchId);
    expect(pickList(batch?.orders ?? [])).toMatchObject([
      {
        coinId: 1,
        pieces: 5,
        places: [
          { place: 1, pieces: 2 },
          { place: 2, pieces: 3 },
        ],
      },
      { coinId: 2, pieces: 1, places: [{ place: 1, pieces: 1 }] },
    ]);
    expect((await packing.board(shop.ctx)).waiting).toMatchObject([{ order: { id: three.id }, postponed: "missing" }]);
    await orders.apply(shop.ctx, two.id, "cancel");
    expect(pickList((await packing.batch(shop.ctx, batchId))?.orders ?? []).map(({ pieces }) => pieces)).toEqual([2, 1]);
    await batchOf(three);
  });
});

describe("checking pieces", () => {
  test("counts each scanned piece and refuses every piece that does not belong into the parcel", async () => {
    const order = await paid({ 1: 2 });
    const place = placeOf(await batchOf(order), order);
    const scan = (code: string) => packing.scan(shop.ctx, place, timur, code);
    const refused = (why: string) => ({ ok: false, error: { code: "packing.wrong_piece", why } });
    expect(await scan("5111-0001")).toMatchObject({ ok: true, value: { checked: 1, quantity: 2 } });
    expect(await scan("5111-0002")).toMatchObject(refused("not_in_order"));
    expect(await scan("nonsense")).toMatchObject(refused("unknown"));
    expect(await scan(" 1 ")).toMatchObject({ ok: true, value: { checked: 2 } });
    expect(await scan("5111-0001")).toMatchObject(refused("enough"));
    expect((await orderIn(place.batchId, order)).checked).toEqual(new Map([[1, 2]]));
  });

  test("by a number that two mints share does not tell which coin it is: the article does", async () => {
    const order = await paid({ 21: 1 });
    const place = placeOf(await batchOf(order), order);
    expect(await packing.scan(shop.ctx, place, timur, "5216-0060")).toMatchObject({ ok: false, error: { why: "shared" } });
    expect(await packing.scan(shop.ctx, place, timur, "22")).toMatchObject({ ok: false, error: { why: "not_in_order" } });
    expect(await packing.scan(shop.ctx, place, timur, "21")).toMatchObject({ ok: true });
  });

  test("by two packers at once: the first has the order, the second sees who; it is free after ten minutes or a takeover", async () => {
    const order = await paid({ 1: 8 });
    const place = placeOf(await batchOf(order), order);
    const other = await shop.another();
    const scans = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        index % 2 === 0 ? packing.scan(shop.ctx, place, timur, "1") : packing.scan(other, place, vera, "1"),
      ),
    );
    const counted = scans.filter(({ ok }) => ok).length;
    const taken = scans.flatMap((each) => (each.ok ? [] : [each.error]));
    expect(counted).toBe(3);
    expect(new Set(taken.map(({ code }) => code))).toEqual(new Set(["packing.taken"]));
    const { packer, checked } = await orderIn(place.batchId, order);
    expect(checked.get(1)).toBe(3);
    const [first, second] = packer?.login === "timur" ? [timur, vera] : [vera, timur];
    expect(taken[0]).toEqual({ code: "packing.taken", name: first.name });
    expect(await packing.takeOver(other, place, second)).toMatchObject({ ok: true });
    expect(await packing.scan(shop.ctx, place, first, "1")).toMatchObject({ ok: false, error: { name: second.name } });
    shop.clock.advance(minutes(10));
    expect(await packing.scan(shop.ctx, place, first, "1")).toMatchObject({ ok: true, value: { checked: 4 } });
  });

  test("a piece that was dropped from the order meanwhile has to be put back", async () => {
    const order = await paid({ 1: 2 });
    const place = placeOf(await batchOf(order), order);
    for (const _ of [1, 2]) await packing.scan(shop.ctx, place, timur, "1");
    await orders.apply(shop.ctx, order.id, "refund", { pieces: [{ coinId: 1, quantity: 1 }] });
    expect(await packing.pack(shop.ctx, place, timur, seal(order))).toMatchObject({
      ok: false,
      error: { code: "packing.incomplete", left: 1 },
    });
    expect(await packing.tick(shop.ctx, place, timur, { coinId: 1, checked: 1 })).toMatchObject({ ok: true });
    expect(await packing.pack(shop.ctx, place, timur, seal(order))).toMatchObject({ ok: true });
  });

  test("so has the only piece of a coin, which the order no longer names", async () => {
    const order = await paid({ 1: 1, 2: 1 });
    const place = placeOf(await batchOf(order), order);
    for (const code of ["1", "2"]) await packing.scan(shop.ctx, place, timur, code);
    await orders.apply(shop.ctx, order.id, "refund", { pieces: [{ coinId: 2, quantity: 1 }] });
    expect(await packing.pack(shop.ctx, place, timur, seal(order))).toMatchObject({
      ok: false,
      error: { code: "packing.incomplete", left: 1 },
    });
    expect(await packing.scan(shop.ctx, place, timur, "2")).toMatchObject({ error: { code: "packing.wrong_piece", why: "not_in_order" } });
    expect(await packing.tick(shop.ctx, place, timur, { coinId: 2, checked: 0 })).toMatchObject({ ok: true });
    expect(await packing.pack(shop.ctx, place, timur, seal(order))).toMatchObject({ ok: true });
  });
});

describe("packing", () => {
  test("needs every piece and the seal; then the order is packed with it, its label is requested and the batch is closed", async () => {
    const order = await paid({ 1: 1, 2: 1 });
    const place = placeOf(await batchOf(order), order);
    await packing.scan(shop.ctx, place, timur, "1");
    expect(await packing.pack(shop.ctx, place, timur, seal(order))).toMatchObject({
      ok: false,
      error: { code: "packing.incomplete", left: 1 },
    });
    await packing.tick(shop.ctx, place, timur, { coinId: 2, checked: 1 });
    expect(await packing.pack(shop.ctx, place, timur, null)).toMatchObject({ ok: false, error: { code: "packing.seal_missing" } });
    expect(await packing.pack(shop.ctx, place, timur, seal(order))).toMatchObject({ ok: true, value: { label: { state: "waiting" } } });
    expect(await shop.now(order)).toMatchObject({ state: "assembled", sealNumber: seal(order) });
    expect(await packing.batch(shop.ctx, place.batchId)).toMatchObject({ closedAt: expect.any(Date) as unknown });
    expect(await packing.pack(shop.ctx, place, timur, seal(order))).toMatchObject({ ok: false, error: { code: "packing.ended" } });
  });

  test("pressed by two packers at once packs once; a seal of another bag changes nothing", async () => {
    const [one, two] = [await paid({ 1: 1 }), await paid({ 1: 1 })];
    const batchId = await batchOf(one, two);
    for (const order of [one, two]) await packing.scan(shop.ctx, placeOf(batchId, order), timur, "1");
    const other = await shop.another();
    const presses = await Promise.all([
      packing.pack(shop.ctx, placeOf(batchId, one), timur, seal(one)),
      packing.pack(other, placeOf(batchId, one), timur, seal(one)),
    ]);
    expect(presses.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await packing.pack(shop.ctx, placeOf(batchId, two), timur, seal(one))).toMatchObject({
      ok: false,
      error: { code: "order.seal_taken", orderNumber: one.number },
    });
    expect(await shop.now(two)).toMatchObject({ state: "paid", sealNumber: null });
    expect(await orderIn(batchId, two)).toMatchObject({ outcome: null, checked: new Map([[1, 1]]) });
    await packing.pack(shop.ctx, placeOf(batchId, two), timur, seal(two));
  });

  test("of an order that was cancelled meanwhile is refused, and the order is taken out of the batch", async () => {
    const order = await paid({ 1: 1 });
    const place = placeOf(await batchOf(order), order);
    await packing.scan(shop.ctx, place, timur, "1");
    await orders.apply(shop.ctx, order.id, "cancel");
    expect(await orderIn(place.batchId, order)).toMatchObject({ isGone: true });
    expect(await packing.pack(shop.ctx, place, timur, seal(order))).toMatchObject({ ok: false, error: { code: "packing.gone" } });
    expect(await packing.postpone(shop.ctx, place, timur, "other")).toMatchObject({ ok: true });
    expect(await shop.now(order)).toMatchObject({ state: "cancelled" });
  });

  test("takes no coin's code for the seal: one piece too many was scanned", async () => {
    const order = await paid({ 1: 1, 21: 1 });
    const place = placeOf(await batchOf(order), order);
    for (const coinId of [1, 21]) await packing.tick(shop.ctx, place, timur, { coinId, checked: 1 });
    for (const [code, why] of [
      ["5111-0001", "enough"],
      ["5216-0060", "enough"], // of two mints, one of them in the order
      ["5111-0002", "not_in_order"],
    ] as const)
      expect([code, await packing.pack(shop.ctx, place, timur, code)]).toMatchObject([
        code,
        { ok: false, error: { code: "packing.wrong_piece", why } },
      ]);
    expect(await shop.now(order)).toMatchObject({ state: "paid", sealNumber: null });
    expect(await packing.pack(shop.ctx, place, timur, seal(order))).toMatchObject({ ok: true });
  });

  test("and dropping a piece at once, by two clerks: no bag is sealed with the dropped piece", async () => {
    const other = await shop.another();
    const drop = (order: Order, db = other.db) =>
      orders.apply({ ...other, db }, order.id, "refund", { pieces: [{ coinId: 1, quantity: 1 }] });
    const checked = async () => {
      const order = await paid({ 1: 2 });
      const place = placeOf(await batchOf(order), order);
      await packing.tick(shop.ctx, place, timur, { coinId: 1, checked: 2 });
      return { order, place };
    };

    const late = await checked();
    const isWaiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const { packed } = await inTransaction(other.db, async (tx) => {
      expect(await drop(late.order, tx)).toMatchObject({ ok: true });
      const begun = packing.pack(shop.ctx, late.place, timur, seal(late.order));
      await expect.poll(() => rowsOf(shop.ctx.db, isWaiting), { timeout: 10_000 }).toHaveLength(1);
      return { packed: begun };
    });
    expect(await packed).toMatchObject({ ok: false, error: { code: "packing.incomplete", left: 1 } });
    expect(await shop.now(late.order)).toMatchObject({ state: "paid", sealNumber: null });

    for (let round = 0; round < 4; round += 1) {
      const { order, place } = await checked();
      const [result] = await Promise.all([packing.pack(shop.ctx, place, timur, seal(order)), drop(order)]);
      const [line] = (await shop.now(order)).lines;
      expect([result.ok, line?.dropped]).toEqual(result.ok ? [true, 0] : [false, 1]);
    }
  });

  test("of an order that is collected at the office needs no seal, takes none and has no label", async () => {
    const order = await paid({ 1: 1 }, atOffice);
    const place = placeOf(await batchOf(order), order);
    await packing.scan(shop.ctx, place, timur, "1");
    expect(await packing.pack(shop.ctx, place, timur, seal(order))).toEqual({ ok: false, error: { code: "packing.seal_not_needed" } });
    expect(await packing.pack(shop.ctx, place, timur, "5111-0001")).toMatchObject({ ok: false, error: { code: "packing.wrong_piece" } });
    expect(await packing.pack(shop.ctx, place, timur, null)).toMatchObject({ ok: true, value: { label: null } });
  });
});

test("packed orders are handed over together: each has a result of its own, twice changes nothing", async () => {
  await shop.receiveRates();
  const [one, two, office] = [await paid({ 1: 1 }), await paid({ 3: 2 }), await paid({ 1: 1 }, atOffice)];
  for (const order of [one, two, office]) {
    const place = placeOf(await batchOf(order), order);
    for (const { coinId, quantity } of order.lines) await packing.tick(shop.ctx, place, timur, { coinId, checked: quantity });
    expect(await packing.pack(shop.ctx, place, timur, order === office ? null : seal(order))).toMatchObject({ ok: true });
  }
  const unpacked = await paid({ 1: 1 });
  expect((await packing.packedOrders(shop.ctx)).map(({ id }) => id)).toEqual(expect.arrayContaining([one.id, two.id, office.id]));
  const other = await shop.another();
  const ids = [one, two, office, unpacked].map(({ id }) => id);
  const [results] = await Promise.all([packing.handOver(shop.ctx, ids), packing.handOver(other, ids.toReversed())]);
  expect(results.filter(({ result }) => result.ok)).toHaveLength(3);
  expect(results.find(({ orderId }) => orderId === unpacked.id)?.result).toMatchObject({
    ok: false,
    error: { code: "order.event_refused" },
  });
  expect([
    (await shop.now(one)).state,
    (await shop.now(two)).state,
    (await shop.now(office)).state,
    (await shop.now(unpacked)).state,
  ]).toEqual(["shipped", "shipped", "ready", "paid"]);
});

test("a parcel that the carrier refused is not handed over until it was sent again", async () => {
  const order = await paid({ 1: 1 });
  const place = placeOf(await batchOf(order), order);
  await packing.scan(shop.ctx, place, timur, "1");
  await packing.pack(shop.ctx, place, timur, seal(order));
  await shop.trackParcels();
  shop.carrier.refuse(order.number);
  await shop.pass(minutes(30), minutes(10));
  const [refused] = await packing.handOver(shop.ctx, [order.id]);
  expect(refused).toMatchObject({
    number: order.number,
    before: "assembled",
    result: { ok: false, error: { code: "order.parcel_refused" } },
  });
  expect(await shop.now(order)).toMatchObject({ state: "assembled" });
  await orders.resendParcel(shop.ctx, order.id, null);
  expect(await packing.handOver(shop.ctx, [order.id])).toMatchObject([{ result: { ok: true } }]);
});
