import { eq, sql } from "drizzle-orm";
import * as fc from "fast-check";
import { afterAll, beforeEach, beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "#kit/db.ts";
import { hours, minutes, plus } from "#kit/time.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import { pricesOnly, type CoinPrices } from "#shop/catalog/prices/prices.ts";
import * as catalog from "#shop/catalog/service.ts";
import { coins } from "#shop/catalog/tables.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import * as checkout from "#shop/checkout/service.ts";
import { aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { Ctx } from "#shop/context.ts";
import * as search from "#shop/search/service.ts";
import { testClock } from "#tests/shop.ts";
import * as pricing from "../service.ts";
import type { PriceAction } from "./price-change.ts";
import * as changes from "./service.ts";

const shelf = [
  ...[1, 2, 3, 4].map((id) => aCoin({ id })),
  aCoin({ id: 5, kind: "memorable", metal: "silver", pureMassMg: 31_100, totalMassMg: 33_940, fixedPriceKopecks: 9_000_00, premiumBp: 0 }),
];
let shop: ShopToBuy;
let ctx: Ctx;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), coins: shelf, stock: 20 });
  ctx = shop.ctx;
});
afterAll(async () => {
  expect(await checkLedger(ctx.db)).toEqual([]);
  await shop.close();
});
beforeEach(async () => {
  for (const { id, ...coin } of shelf) await ctx.db.update(coins).set(pricesOnly(coin)).where(eq(coins.id, id));
  await shop.receiveRates();
});

const pricesNow = async (): Promise<Map<number, CoinPrices>> =>
  new Map((await catalog.coinsByIds(ctx.db, [1, 2, 3, 4, 5])).map((coin) => [coin.id, pricesOnly(coin)]));
const premiums = async (): Promise<number[]> => [...(await pricesNow()).values()].slice(0, 4).map(({ premiumBp }) => premiumBp);
const down: PriceAction = { field: "premium", mode: "add", bp: -50 };

async function seen(...ids: number[]): Promise<changes.SeenPrices[]> {
  const now = await pricesNow();
  return ids.map((coinId) => ({ coinId, seen: now.get(coinId)! }));
}
async function bulk(action: PriceAction, list: changes.SeenPrices[], dueAt: Date | null = null) {
  const made = await changes.change(ctx, { action, coins: list, label: "test", dueAt });
  if (!made.ok) throw new Error(made.error.code);
  return made.value;
}
const itemsOf = async (id: number) => (await changes.read(ctx.db, id, { after: 0, limit: 100 }))?.items ?? [];

describe("a change of premiums", () => {
  test("is previewed with prices before and after, and changes nothing by that", async () => {
    const { rows, summary } = await changes.preview(ctx, { metals: ["gold"], isInStock: true }, down);
    expect(rows.map(({ id, after }) => [id, after.premiumBp])).toEqual([1, 2, 3, 4].map((id) => [id, 500]));
    expect(rows[0]!.priceAfter!).toBeLessThan(rows[0]!.priceBefore!);
    expect(summary).toMatchObject({ coins: 4, changed: 4, reason: null });
    expect(await premiums()).toEqual([550, 550, 550, 550]);
  });

  test("changes the prices of its coins, and the catalogue shows them with the next version of the price list", async () => {
    const before = await pricing.current(ctx);
    const cardBefore = (await search.cards(ctx, [1]))[0]!;
    const done = await bulk(down, await seen(1, 2));
    expect(done).toMatchObject({ state: "applied", changed: 2, stale: 0 });
    expect(await premiums()).toEqual([500, 500, 550, 550]);
    expect((await pricing.current(ctx)).version).toBeGreaterThan(before.version);
    expect((await search.cards(ctx, [1]))[0]!.price!).toBeLessThan(cardBefore.price!);
  });

  test("a second process shows the new price within a second", async () => {
    const other = await shop.another();
    const cardBefore = (await search.cards(other, [1]))[0]!;
    await bulk(down, await seen(1));
    shop.clock.advance(1_000);
    expect((await search.cards(other, [1]))[0]!.price!).toBeLessThan(cardBefore.price!);
  });

  test("keeps a price that was changed since the preview, and reports the coin", async () => {
    const list = await seen(1, 2);
    await bulk({ field: "premium", mode: "set", bp: 600 }, await seen(2));
    const done = await bulk(down, list);
    expect(done).toMatchObject({ changed: 1, stale: 1 });
    expect(await premiums()).toEqual([500, 600, 550, 550]);
    expect((await itemsOf(done.id)).map(({ coinId, outcome }) => [coinId, outcome])).toEqual([
      [1, "changed"],
      [2, "stale"],
    ]);
  });

  test("two clerks at once: each coin gets the price of one of them, and the other gets a conflict", async () => {
    const list = await seen(1, 2, 3, 4);
    const [a, b] = await Promise.all([
      bulk({ field: "premium", mode: "set", bp: 610 }, list),
      bulk({ field: "premium", mode: "set", bp: 620 }, list.toReversed()),
    ]);
    expect([a.changed + b.changed, a.stale + b.stale]).toEqual([4, 4]);
    expect(new Set(await premiums()).size).toBe(1);
  });

  test("leaves out prices that cannot be meant, and says so", async () => {
    const done = await bulk({ field: "premium", mode: "add", bp: -2_200 }, [
      ...(await seen(1)),
      { coinId: 2, seen: { ...(await pricesNow()).get(2)!, premiumBp: 2_000 } },
    ]);
    expect((await itemsOf(done.id)).map(({ outcome }) => outcome)).toEqual(["changed", "stale"]);
    expect(
      await changes.change(ctx, { action: { field: "premium", mode: "set", bp: -5_000 }, coins: await seen(3), label: "", dueAt: null }),
    ).toEqual({ ok: false, error: { code: "price_change.nothing" } });
  });

  test("a price that a buyer has locked stays until the lock ends", async () => {
    const buyer = aVisitor("price-changes");
    await shop.fill(buyer, { 1: 1 });
    const quote = await shop.quoted(buyer);
    await bulk({ field: "premium", mode: "add", bp: 100 }, await seen(1));
    const placed = await checkout.placeOrder(ctx, buyer, shop.orderRequestFor(quote));
    expect(placed.ok && placed.value.order.lines[0]!.price).toBe(quote.lines[0]!.price);
  });
});

describe("a scheduled change", () => {
  const inAnHour = () => plus(ctx.now(), hours(1));

  test("is applied when its time has come, once, also by two processes after a restart", async () => {
    const scheduled = await bulk(down, await seen(1, 2), inAnHour());
    await changes.applyDue(ctx);
    expect(await premiums()).toEqual([550, 550, 550, 550]);
    shop.clock.advance(minutes(90));
    await shop.receiveRates();
    const [one, two] = [await shop.another(), await shop.another()];
    await Promise.all([changes.applyDue(one), changes.applyDue(two)]);
    await changes.applyDue(ctx);
    expect(await premiums()).toEqual([500, 500, 550, 550]);
    expect((await changes.list(ctx.db, { before: null, limit: 1 }))[0]).toMatchObject({ id: scheduled.id, state: "applied", changed: 2 });
  });

  test("starts from the prices of its moment", async () => {
    const scheduled = await bulk(down, await seen(1), inAnHour());
    await bulk({ field: "premium", mode: "set", bp: 640 }, await seen(1));
    shop.clock.advance(hours(1));
    await shop.receiveRates();
    await changes.applyDue(ctx);
    expect((await premiums())[0]).toBe(590);
    expect((await itemsOf(scheduled.id))[0]).toMatchObject({ before: { premiumBp: 640 }, after: { premiumBp: 590 }, outcome: "changed" });
  });

  test("does not go below the metal unapproved when prices have moved meanwhile", async () => {
    const scheduled = await bulk({ field: "premium", mode: "add", bp: -100 }, await seen(1), inAnHour());
    await bulk({ field: "premium", mode: "set", bp: 60 }, await seen(1));
    shop.clock.advance(hours(1));
    await shop.receiveRates();
    await changes.applyDue(ctx);
    expect((await premiums())[0]).toBe(60);
    const read = await changes.read(ctx.db, scheduled.id, { after: 0, limit: 1 });
    expect(read?.change).toMatchObject({ state: "refused", refusal: expect.stringContaining("ниже металла") });
  });

  test("can be cancelled, and then nothing happens", async () => {
    const scheduled = await bulk(down, await seen(1), inAnHour());
    expect(await changes.cancel(ctx, scheduled.id)).toMatchObject({ ok: true, value: { state: "cancelled" } });
    shop.clock.advance(hours(2));
    await changes.applyDue(ctx);
    expect((await premiums())[0]).toBe(550);
    expect(await changes.undo(ctx, scheduled.id)).toEqual({ ok: false, error: { code: "price_change.not_applied" } });
  });

  test("an applied one cannot be cancelled, and none is made for the past", async () => {
    const done = await bulk(down, await seen(1));
    expect(await changes.cancel(ctx, done.id)).toEqual({ ok: false, error: { code: "price_change.not_scheduled" } });
    const past = await changes.change(ctx, { action: down, coins: await seen(1), label: "", dueAt: plus(ctx.now(), -1) });
    expect(past).toEqual({ ok: false, error: { code: "price_change.past" } });
  });
});

describe("undo", () => {
  test("gives back what the change changed, reports what others changed since, and can be undone", async () => {
    const done = await bulk(down, await seen(1, 2));
    await bulk({ field: "premium", mode: "set", bp: 700 }, await seen(2));
    const undone = await changes.undo(ctx, done.id);
    expect(undone).toMatchObject({ ok: true, value: { kind: "undo", changed: 1, stale: 1, undoes: done.id } });
    expect(await premiums()).toEqual([550, 700, 550, 550]);
    const again = await changes.undo(ctx, undone.ok ? undone.value.id : 0);
    expect(again).toMatchObject({ ok: true, value: { changed: 1 } });
    expect(await premiums()).toEqual([500, 700, 550, 550]);
    expect((await changes.list(ctx.db, { before: null, limit: 10 })).find(({ id }) => id === done.id)?.undoneBy).not.toBeNull();
  });

  test("twice refuses: nothing is left of the change", async () => {
    const done = await bulk(down, await seen(1));
    await changes.undo(ctx, done.id);
    expect(await changes.undo(ctx, done.id)).toEqual({ ok: false, error: { code: "price_change.nothing" } });
  });

  test("a large step back needs a second person as well", async () => {
    const done = await bulk({ field: "premium", mode: "add", bp: 300 }, await seen(1));
    expect(await changes.reasonForUndo(ctx, done.id)).toContain("больше чем на 2 п. п.");
  });

  test("for any changes in any order, undoing them from the last one gives the prices of before", async () => {
    const record: typeof fc.record = (model: object) => fc.record(model, { noNullPrototype: true }) as never;
    const action = fc.oneof(
      record({
        field: fc.constantFrom("premium" as const, "buyback" as const),
        mode: fc.constantFrom("set" as const, "add" as const, "spread" as const),
        bp: fc.integer({ min: 1, max: 900 }),
      }),
      record({
        field: fc.constant("price" as const),
        mode: fc.constant("percent" as const),
        bp: fc.integer({ min: -900, max: 900 }),
        roundTo: fc.constantFrom(1, 10, 50),
      }),
      record({
        field: fc.constantFrom("price" as const, "price_buyback" as const),
        mode: fc.constant("set" as const),
        roubles: fc.integer({ min: 100, max: 20_000 }),
      }),
    );
    const steps = fc.array(fc.tuple(action, fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1 })), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const before = await pricesNow();
        const made: number[] = [];
        for (const [each, ids] of plan) {
          const done = await changes.change(ctx, { action: each, coins: await seen(...ids), label: "", dueAt: null });
          if (done.ok) made.push(done.value.id);
        }
        for (const id of made.toReversed()) expect(await changes.undo(ctx, id)).toMatchObject({ ok: true, value: { stale: 0 } });
        expect(await pricesNow()).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });
});

describe("prices of an import", () => {
  test("are set coin by coin in one document, unknown coins and equal prices left out", async () => {
    const done = await changes.setPrices(
      ctx,
      [
        { coinId: 1, premiumBp: 480 },
        { coinId: 2, premiumBp: 550 },
        { coinId: 5, fixedPriceKopecks: 9_500_00 },
        { coinId: 99, premiumBp: 1 },
      ],
      "Прайс",
    );
    expect(done).toMatchObject({ kind: "values", changed: 2, coins: 2 });
    expect((await pricesNow()).get(5)?.fixedPriceKopecks).toBe(9_500_00);
    expect(await changes.setPrices(ctx, [{ coinId: 1, premiumBp: 480 }], "Прайс")).toBeNull();
  });

  test("vanish with the transaction they are part of", async () => {
    const version = (await pricing.latest(ctx.db, ctx))?.version;
    await inTransaction(ctx.db, async (tx) => {
      await changes.setPrices({ ...ctx, db: tx }, [{ coinId: 1, premiumBp: 480 }], "Прайс");
      throw new Error("a bad row");
    }).catch(() => {});
    expect((await premiums())[0]).toBe(550);
    expect((await pricing.latest(ctx.db, ctx))?.version).toBe(version);
  });

  test("ten thousand coins are one document of a few statements", async () => {
    await ctx.db
      .execute(sql`insert into coins (id, slug, title, metal, kind, country, issuer, year, fineness_tenths, pure_mass_mg, total_mass_mg,
        quality, description, motif, premium_bp, popularity, created_at)
      select 10000 + n, 'many-' || n, 'Many ' || n, 'gold', 'bullion', 'Россия', 'Банк', 2020, 9990, 7780, 7890,
        'АЦ', '', '', 500, 0, now() from generate_series(1, 9990) n`);
    const done = await changes.setPrices(
      ctx,
      Array.from({ length: 9_990 }, (_, n) => ({ coinId: 10_001 + n, premiumBp: 510 })),
      "Прайс",
    );
    expect(done).toMatchObject({ changed: 9_990, stale: 0 });
  });
});
