import { afterEach, beforeEach, expect, test } from "vitest";
import { seconds } from "#kit/time.ts";
import * as pricing from "#shop/pricing/service.ts";
import type { RatesGateway } from "#shop/rates/gateway.ts";
import { type TestShop, testClock, testShop } from "#tests/shop.ts";
import { openWithRates } from "./first-rates.ts";

const pollSeconds = 60;
let shop: TestShop;
/** What happens, in this order. */
let events: string[];
let gold: number;
let isSilent: boolean;

beforeEach(async () => {
  [events, gold, isSilent] = [[], 110_000_000, false];
  const clock = testClock();
  const source: RatesGateway = {
    async readMarket() {
      events.push("polled");
      if (isSilent) throw new Error("no answer");
      const metal = { previousCloseE4: 1_300_000, observedAt: clock.now() };
      return {
        isOpen: true,
        ticks: [
          { ...metal, code: "XAU_RUB", valueE4: gold, previousCloseE4: 110_000_000 },
          { ...metal, code: "XAG_RUB", valueE4: 1_310_000 },
        ],
      };
    },
    readDollar: async () => ({ valueE4: 812_400, previousE4: 810_000, effectiveOn: "2026-11-20" }),
    readOfficialMetals: async () => [],
  };
  shop = await testShop({ gateways: { rates: source }, clock });
});
afterEach(() => shop.close());

/** Starts a process. Returns the prices of gold that it opened with, and those after the poll. */
async function start(): Promise<{ first: number; after: number }> {
  events = [];
  const ctx = await shop.another();
  const price = () => pricing.current(ctx).then(({ goldE4 }) => goldE4);
  const { opened, polled } = await openWithRates(ctx, pollSeconds, async () => {
    events.push("opened");
    return price();
  });
  await polled;
  return { first: opened, after: await price() };
}

test("a shop without prices opens after the first poll, and also if the exchange does not answer", async () => {
  isSilent = true;
  expect(await start()).toEqual({ first: 0, after: 0 });
  isSilent = false;
  expect(await start()).toEqual({ first: 110_000_000, after: 110_000_000 });
  expect(events).toEqual(["polled", "opened"]);
});

test("a process opens with prices of the last two polls, and polls afterwards", async () => {
  await start();
  gold = 110_100_000;
  shop.clock.advance(seconds(2 * pollSeconds));
  expect(await start()).toEqual({ first: 110_000_000, after: 110_100_000 });
  expect(events).toEqual(["opened", "polled"]);
});

test("with older prices it polls first", async () => {
  await start();
  gold = 110_100_000;
  shop.clock.advance(seconds(2 * pollSeconds + 1));
  expect(await start()).toEqual({ first: 110_100_000, after: 110_100_000 });
  expect(events).toEqual(["polled", "opened"]);
});
