import { afterEach, beforeEach, expect, test } from "vitest";
import { days, seconds } from "#kit/time.ts";
import * as rates from "#shop/rates/service.ts";
import { testClock, testShop, type TestShop } from "#tests/shop.ts";
import { seedRates } from "../../../../db/seed/invented-rates.ts";
import { ratesCsv, ratesView } from "./rates-view.server.ts";
import { defaultChoice } from "./rates-view.ts";

let shop: TestShop;
let source: { gold: number; official: number; officialOn: string };
const receiveRate = async (gold: number) => {
  source.gold = gold;
  shop.clock.advance(seconds(2));
  await rates.poll(shop.ctx);
};

beforeEach(async () => {
  const clock = testClock();
  const today = clock.now().toISOString().slice(0, 10);
  source = { gold: 11_042.6, official: 10_900, officialOn: today };
  shop = await testShop({
    clock,
    gateways: {
      rates: {
        readMarket: async () => ({
          isOpen: true,
          ticks: [
            { code: "XAU_RUB", valueE4: Math.round(source.gold * 10_000), previousCloseE4: 109_864_000, observedAt: clock.now() },
            { code: "XAG_RUB", valueE4: 1_314_800, previousCloseE4: null, observedAt: clock.now() },
          ],
        }),
        readDollar: async () => ({ valueE4: 812_400, previousE4: null, effectiveOn: today }),
        readOfficialMetals: async () => [{ code: "XAU_RUB", valueE4: source.official * 10_000, effectiveOn: source.officialOn }],
      },
    },
  });
  await seedRates(shop.ctx);
});
afterEach(() => shop.close());

test("the heading, the end of the chart, the newest row and the file have the same price of gold", async () => {
  await receiveRate(11_042.6);
  await ratesView(shop.ctx, defaultChoice); // fills the cache of the history
  await receiveRate(11_101.55);
  for (const range of ["1d", "1m", "5y"] as const) {
    const { now, points, days: table } = await ratesView(shop.ctx, { ...defaultChoice, range });
    expect([now?.value, points.at(-1)?.close, table[0]?.close], range).toEqual([11_101.55, 11_101.55, 11_101.55]);
    expect(table[0]?.high).toBeGreaterThanOrEqual(11_101.55);
    expect(table[0]?.percent).toBeCloseTo(((11_101.55 - 10_986.4) / 10_986.4) * 100, 6);
  }
  const [head, newest] = (await ratesCsv(shop.ctx, "XAU_RUB")).split("\r\n");
  expect(head).toBe("\uFEFFДень;Открытие;Максимум;Минимум;Закрытие;Банк России");
  expect(newest?.split(";")[4]).toBe("11101,55");
});

test("the official price of a week is that of its last day, the same as in the heading", async () => {
  await receiveRate(11_042.6);
  shop.clock.advance(days(1));
  Object.assign(source, { official: 10_950, officialOn: shop.clock.now().toISOString().slice(0, 10) });
  await receiveRate(11_050);
  const { beside, officialNow } = await ratesView(shop.ctx, { ...defaultChoice, range: "5y" });
  expect([beside.at(-1), officialNow?.value]).toEqual([10_950, 10_950]);
});
