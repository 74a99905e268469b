import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { days, hours, minutes, seconds } from "#kit/time.ts";
import { type TestShop, testClock, testShop } from "#tests/shop.ts";
import { inventRates, seedRates } from "../../../db/seed/invented-rates.ts";
import type { ShownRateCode } from "./rate.ts";
import * as history from "./history.service.ts";
import * as rates from "./service.ts";

let shop: TestShop;
let says: { gold: number; isOpen: boolean };
const poll = async (gold: number) => {
  says.gold = gold;
  await rates.poll(shop.ctx);
};
/** Advances the clock past the cache lifetime first. */
const candles = async (code: ShownRateCode, range: Parameters<typeof history.history>[2]) => {
  shop.clock.advance(seconds(11));
  return (await history.history(shop.ctx, code, range)).candles.map(({ openE4, highE4, lowE4, closeE4 }) =>
    [openE4, highE4, lowE4, closeE4].map((e4) => e4 / 10_000),
  );
};

beforeEach(async () => {
  const clock = testClock();
  says = { gold: 11_000, isOpen: true };
  shop = await testShop({
    clock,
    gateways: {
      rates: {
        readMarket: async () => ({
          isOpen: says.isOpen,
          ticks: [
            { code: "XAU_RUB", valueE4: says.gold * 10_000, previousCloseE4: null, observedAt: clock.now() },
            { code: "XAG_RUB", valueE4: 1_314_800, previousCloseE4: null, observedAt: clock.now() },
          ],
        }),
        readDollar: async () => ({ valueE4: 800_000, previousE4: null, effectiveOn: "2026-11-20" }),
        readOfficialMetals: async () => [{ code: "XAU_RUB", valueE4: 109_000_000, effectiveOn: "2026-11-20" }],
      },
    },
  });
});
afterEach(() => shop.close());

describe("the history of a rate", () => {
  test("every accepted rate updates high, low and close of its candle; the first one sets the open", async () => {
    await poll(11_000);
    for (const gold of [11_050, 10_990, 11_020]) {
      shop.clock.advance(seconds(5));
      await poll(gold);
    }
    expect(await candles("XAU_RUB", "1d")).toEqual([[11_000, 11_050, 10_990, 11_020]]);
    expect(await candles("XAU_RUB", "1y")).toEqual([[11_000, 11_050, 10_990, 11_020]]);
    expect(await candles("USD_RUB", "1d")).toEqual([[80, 80, 80, 80]]);
    expect((await candles("XAU_USD", "1d"))[0]?.[0]).toBe(4276.73); // 11 000 × 31.1034768 / 80
  });

  test("a refused jump changes no candle", async () => {
    await poll(11_000);
    shop.clock.advance(seconds(5));
    await poll(13_000);
    expect(await candles("XAU_RUB", "1d")).toEqual([[11_000, 11_000, 11_000, 11_000]]);
  });

  test("a closed exchange that repeats its price adds no candle; the range then starts with the last trade before it", async () => {
    await poll(11_000);
    says.isOpen = false;
    shop.clock.advance(days(2));
    await poll(11_000);
    expect(await candles("XAU_RUB", "1d")).toEqual([[11_000, 11_000, 11_000, 11_000]]);
    expect((await candles("XAU_RUB", "1w")).length).toBe(1);
  });

  test("the bank's gold price is shown beside the exchange's and never mixed into its candles", async () => {
    await poll(11_000);
    const [today] = await history.daily(shop.ctx, "XAU_RUB", 5);
    expect(today).toMatchObject({ candle: { closeE4: 110_000_000 }, official: 109_000_000 });
    expect(await history.daily(shop.ctx, "XAU_USD", 5)).toMatchObject([{ official: null }]);
  });

  test("minute candles are deleted when no range reads them, daily candles stay", async () => {
    await poll(11_000);
    shop.clock.advance(days(60));
    await rates.deleteOld(shop.ctx);
    expect(await candles("XAU_RUB", "1y")).toHaveLength(1);
    shop.clock.advance(-days(60));
    expect(await candles("XAU_RUB", "1d")).toEqual([]);
  });
});

describe("the generated history of demo mode", () => {
  test("five years of days end at yesterday's close, today ends at the opening rate; written once and marked as generated", async () => {
    expect(await seedRates(shop.ctx)).toBeGreaterThan(9_000);
    expect(await seedRates(shop.ctx)).toBe(0);
    const rows = await history.daily(shop.ctx, "XAU_RUB", 1827);
    expect(rows.length).toBeGreaterThan(1_250);
    expect(rows[0]?.candle.closeE4).toBe(110_426_000);
    expect(rows[1]?.candle.closeE4).toBe(109_864_000);
    expect((await history.history(shop.ctx, "XAU_RUB", "5y")).isGenerated).toBe(true);
  });

  test("no range has more than 370 candles, and five years are read in 30 ms", async () => {
    await seedRates(shop.ctx);
    const first = await history.history(shop.ctx, "XAG_RUB", "5y");
    expect(first.candles.length).toBeGreaterThan(250);
    // The fastest of five reads of a range: what else the machine does lengthens some, a slow read all of them.
    const fastest = new Map<string, number>();
    for (const code of ["XAU_RUB", "XAG_RUB", "XAU_USD", "XAG_USD", "USD_RUB"] as const) {
      for (const range of ["1d", "1w", "1m", "1y", "5y"] as const) {
        const from = performance.now();
        const { candles: found } = await history.history(shop.ctx, code, range);
        fastest.set(range, Math.min(performance.now() - from, fastest.get(range) ?? Infinity));
        expect(found.length, `${code} ${range}`).toBeLessThanOrEqual(370);
        expect(found.length, `${code} ${range}`).toBeGreaterThan(0);
      }
    }
    expect(Math.max(...fastest.values())).toBeLessThan(30);
  });

  test("it is the same for the same moment, and its candles are consistent", () => {
    const now = new Date("2026-11-20T12:00:00Z");
    const rows = inventRates(now);
    expect(rows).toEqual(inventRates(now));
    expect(
      rows.every(
        ({ lowE4, highE4, openE4, closeE4 }) => lowE4 > 0 && lowE4 <= Math.min(openE4, closeE4) && highE4 >= Math.max(openE4, closeE4),
      ),
    ).toBe(true);
    expect(
      rows.every(({ at }) => at <= now && at.getTime() > now.getTime() - days(1827) - hours(1) && at.getTime() % minutes(1) === 0),
    ).toBe(true);
  });
});
