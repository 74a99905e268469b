import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { days, hours, minutes, seconds } from "#kit/time.ts";
import * as pricing from "#shop/pricing/service.ts";
import { type TestShop, testClock, testShop } from "#tests/shop.ts";
import type { DollarRate, OfficialMetal, RatesGateway } from "./gateway.ts";
import * as rates from "./service.ts";

/** A source with settable answers, at the time of the test clock; `isSilent` makes it fail. */
function source(clock: { now: () => Date }) {
  const says = {
    gold: 11_042.6,
    silver: 131.48,
    dollar: 81.24,
    isOpen: true,
    isSilent: false,
    official: [] as OfficialMetal[],
    goldAt: null as Date | null,
    silverAt: null as Date | null,
  };
  const answer =
    <T>(value: () => T) =>
    async (): Promise<T> => {
      if (says.isSilent) throw new Error("no answer");
      return value();
    };
  const e4 = (roubles: number): number => Math.round(roubles * 10_000);
  const gateway: RatesGateway = {
    readMarket: answer(() => ({
      isOpen: says.isOpen,
      ticks: [
        { code: "XAU_RUB" as const, valueE4: e4(says.gold), previousCloseE4: e4(10_986.4), observedAt: says.goldAt ?? clock.now() },
        { code: "XAG_RUB" as const, valueE4: e4(says.silver), previousCloseE4: e4(132), observedAt: says.silverAt ?? clock.now() },
      ],
    })),
    readDollar: answer((): DollarRate => ({ valueE4: e4(says.dollar), previousE4: e4(81), effectiveOn: "2026-11-20" })),
    readOfficialMetals: answer(() => says.official),
  };
  return { says, gateway };
}

let shop: TestShop;
let says: ReturnType<typeof source>["says"];
const poll = async () => {
  await rates.poll(shop.ctx);
  return pricing.refresh(shop.ctx);
};
/** Polls this many times, a minute apart. */
const pollFor = async (times: number) => {
  for (let each = 0; each < times; each += 1) {
    shop.clock.advance(minutes(1));
    await poll();
  }
};
const gold = async (): Promise<number | undefined> => (await rates.shown(shop.ctx))?.rates.XAU_RUB.value;
const refusals = (): unknown[] => shop.alarms.filter(({ name }) => name === "rates.refused").map(({ fields }) => fields?.reason);

beforeEach(async () => {
  const clock = testClock();
  const made = source(clock);
  says = made.says;
  shop = await testShop({ gateways: { rates: made.gateway }, clock });
});
afterEach(() => shop.close());

describe("the five rates", () => {
  test("before the first answer there are none, and the market is closed", async () => {
    expect(await rates.shown(shop.ctx)).toBeNull();
    expect((await rates.market(shop.ctx)).isOpen).toBe(false);
    expect(await pricing.current(shop.ctx)).toMatchObject({ version: 0, isDead: true });
    expect(await pricing.latest(shop.ctx.db, shop.ctx)).toBeNull();
  });

  test("roubles per gram as received, dollars per ounce derived, changes against the previous close", async () => {
    await poll();
    const { rates: shown, stale, time } = (await rates.shown(shop.ctx))!;
    expect(shown.XAU_RUB).toEqual({ code: "XAU_RUB", value: 11_042.6, diff: 56.2, direction: "up" });
    expect(shown.XAG_RUB).toEqual({ code: "XAG_RUB", value: 131.48, diff: -0.52, direction: "down" });
    expect(shown.USD_RUB).toEqual({ code: "USD_RUB", value: 81.24, diff: 0.24, direction: "up" });
    expect(shown.XAU_USD.value).toBe(4227.76); // 11 042.60 × 31.1034768 / 81.24
    expect(shown.XAU_USD.diff).toBe(9.05); // the close was 4 218.71
    expect(shown.XAG_USD.value).toBe(50.34);
    expect(stale).toBe(false);
    expect(time).toEqual(shop.clock.now());
  });

  test("an unchanged rate adds no row and no price list; a changed one adds both", async () => {
    await poll();
    await pollFor(3);
    expect((await pricing.current(shop.ctx)).version).toBe(1);
    says.gold = 11_050;
    await pollFor(1);
    expect(await pricing.current(shop.ctx)).toMatchObject({ version: 2, goldE4: 110_500_000 });
  });

  test("two processes that receive the same change make one price list", async () => {
    await poll();
    says.gold = 11_060;
    shop.clock.advance(seconds(5));
    await rates.poll(shop.ctx);
    const other = await shop.another();
    await Promise.all([pricing.refresh(shop.ctx), pricing.refresh(other), pricing.refresh(other)]);
    expect((await pricing.current(shop.ctx)).version).toBe(2);
  });
});

describe("stale rates", () => {
  test("after three minutes rates are marked stale, after ten no new quotes are made; both limits are exact to the second", async () => {
    await poll();
    says.isSilent = true;
    shop.clock.advance(seconds(180));
    expect((await pricing.refresh(shop.ctx)).isStale).toBe(false);
    shop.clock.advance(seconds(1));
    expect(await pricing.refresh(shop.ctx)).toMatchObject({ isStale: true, isDead: false, goldE4: 110_426_000 });
    expect((await rates.shown(shop.ctx))?.stale).toBe(true);
    shop.clock.advance(seconds(419));
    expect((await pricing.current(shop.ctx)).isDead).toBe(false);
    shop.clock.advance(seconds(1));
    expect((await pricing.current(shop.ctx)).isDead).toBe(true);
    expect((await pricing.latest(shop.ctx.db, shop.ctx))?.isDead).toBe(true);
  });

  test("one alarm is raised, and prices return with the first answer", async () => {
    await poll();
    says.isSilent = true;
    await pollFor(9);
    expect(shop.alarms.map(({ name }) => name)).toEqual(["rates.stale"]);
    says.isSilent = false;
    await pollFor(1);
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: false, isDead: false });
    expect((await rates.shown(shop.ctx))?.stale).toBe(false);
  });

  test("a closed exchange may be silent", async () => {
    says.isOpen = false;
    await poll();
    says.isSilent = true;
    shop.clock.advance(hours(14));
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: false, isDead: false });
    expect((await rates.market(shop.ctx)).isOpen).toBe(false);
  });

  test("a feed whose time does not advance is stale after three minutes and dead after ten, although it answers each minute", async () => {
    await poll();
    Object.assign(says, { goldAt: shop.clock.now(), silverAt: shop.clock.now() });
    await pollFor(3);
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: false });
    expect(shop.alarms).toEqual([]);
    shop.clock.advance(seconds(1));
    await poll();
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: true, isDead: false });
    expect(shop.alarms).toEqual([{ name: "rates.stale", fields: { silentSeconds: 181 } }]);
    expect((await rates.shown(shop.ctx))?.time).toEqual(says.goldAt);
    await pollFor(6);
    shop.clock.advance(seconds(59));
    await poll();
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: true, isDead: false });
    shop.clock.advance(seconds(1));
    await poll();
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: true, isDead: true });
    Object.assign(says, { goldAt: null, silverAt: null });
    await pollFor(1);
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: false, isDead: false });
  });

  test.each(["goldAt", "silverAt"] as const)("one metal whose time does not advance is enough: %s", async (at) => {
    await poll();
    says[at] = shop.clock.now();
    await pollFor(4);
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: true });
  });

  test("a feed with a publication delay is fresh while its time advances", async () => {
    for (let each = 0; each < 15; each += 1) {
      const late = new Date(shop.clock.now().getTime() - minutes(15));
      Object.assign(says, { goldAt: late, silverAt: late });
      await pollFor(1);
    }
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: false });
  });

  test("a tick of hours ago that is received for the first time is not fresh", async () => {
    const old = (secondsOld: number) => new Date(shop.clock.now().getTime() - seconds(secondsOld));
    Object.assign(says, { goldAt: old(1_200 + 600), silverAt: old(1_200 + 600) });
    await poll();
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: true, isDead: false });
    shop.clock.advance(seconds(1));
    await poll();
    expect(await pricing.current(shop.ctx)).toMatchObject({ isDead: true });
  });

  test("a time that goes backwards or runs ahead does not keep the feed fresh", async () => {
    await poll();
    const opened = shop.clock.now().getTime();
    for (let each = 1; each <= 4; each += 1) {
      says.goldAt = new Date(each % 2 ? opened - minutes(each) : opened + hours(1));
      await pollFor(1);
    }
    expect(new Set(refusals())).toEqual(new Set(["older_than_last", "from_the_future"]));
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: true });
  });

  test("overnight the time may stop, and the first trade of the morning may come three minutes late", async () => {
    await poll();
    Object.assign(says, { goldAt: shop.clock.now(), silverAt: shop.clock.now(), isOpen: false });
    await pollFor(5);
    shop.clock.advance(hours(14));
    await poll();
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: false });
    says.isOpen = true;
    await pollFor(1); // the session opens with this answer
    await pollFor(3);
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: false });
    shop.clock.advance(seconds(1));
    expect(await pricing.refresh(shop.ctx)).toMatchObject({ isStale: true, isDead: false });
    await pollFor(6);
    shop.clock.advance(seconds(59));
    expect(await pricing.refresh(shop.ctx)).toMatchObject({ isDead: false });
    shop.clock.advance(seconds(1));
    expect(await pricing.refresh(shop.ctx)).toMatchObject({ isDead: true });
  });

  test("the Bank of Russia sets the dollar once a day: its time does not advance and nothing is stale", async () => {
    await poll();
    await pollFor(30);
    expect((await rates.shown(shop.ctx))?.stale).toBe(false);
    expect(shop.alarms).toEqual([]);
  });

  test("a source that sends only invalid gold prices makes gold stale", async () => {
    await poll();
    says.gold = 20_000;
    await pollFor(4);
    expect(await pricing.current(shop.ctx)).toMatchObject({ isStale: true, goldE4: 110_426_000 });
  });
});

describe("jumps", () => {
  beforeEach(() => poll());

  test("a jump of 7 % is refused once, and accepted when the next tick confirms it", async () => {
    says.gold = 11_042.6 * 1.07;
    await pollFor(1);
    expect(await gold()).toBe(11_042.6);
    expect(refusals()).toEqual(["jump"]);
    await pollFor(1);
    expect(await gold()).toBeCloseTo(11_815.58, 1);
  });

  test("a tick with a jump that is read again and again confirms nothing; a newer one that agrees does", async () => {
    says.gold = 11_800;
    says.goldAt = new Date(shop.clock.now().getTime() + seconds(30));
    await pollFor(3);
    expect(await gold()).toBe(11_042.6);
    says.goldAt = null;
    await pollFor(1);
    expect(await gold()).toBe(11_800);
  });

  test("a jump of the dollar needs a second poll, not a second day", async () => {
    says.dollar = 88;
    await pollFor(1);
    expect((await rates.shown(shop.ctx))?.rates.USD_RUB.value).toBe(81.24);
    await pollFor(1);
    expect((await rates.shown(shop.ctx))?.rates.USD_RUB.value).toBe(88);
  });

  test("a spike that is gone in the next tick is never shown", async () => {
    says.gold = 11_800;
    await pollFor(1);
    says.gold = 11_043;
    await pollFor(1);
    expect(await gold()).toBe(11_043);
  });

  test("a confirmation counts within three polls only", async () => {
    says.gold = 11_800;
    await pollFor(1);
    says.isSilent = true;
    await pollFor(2);
    says.isSilent = false;
    await pollFor(1); // the third poll after the refusal
    expect(await gold()).toBe(11_800);

    says.gold = 10_900;
    await pollFor(1);
    says.isSilent = true;
    await pollFor(3);
    says.isSilent = false;
    await pollFor(1);
    expect(await gold()).toBe(11_800);
    expect(refusals()).toEqual(["jump", "jump", "jump"]);
  });

  test("a jump of 20 % is never accepted, however often it is repeated", async () => {
    says.gold = 13_300;
    await pollFor(6);
    expect(await gold()).toBe(11_042.6);
    expect(new Set(refusals())).toEqual(new Set(["far_from_usual"]));
  });

  test("wrong gold does not hold up silver and the dollar", async () => {
    Object.assign(says, { gold: 30_000, silver: 132.1, dollar: 81.5 });
    await pollFor(1);
    expect((await rates.shown(shop.ctx))?.rates).toMatchObject({
      XAU_RUB: { value: 11_042.6 },
      XAG_RUB: { value: 132.1 },
      USD_RUB: { value: 81.5 },
    });
  });

  test("an answer older than the last one changes nothing", async () => {
    says.goldAt = new Date(shop.clock.now().getTime() - 1000);
    says.gold = 11_100;
    await pollFor(1);
    expect(await gold()).toBe(11_042.6);
    expect(refusals()).toEqual(["older_than_last"]);
  });

  test("after holidays a move of 18 % passes when the Bank of Russia says so too", async () => {
    shop.clock.advance(days(10));
    says.gold = 13_030;
    says.official = [
      { code: "XAU_RUB", valueE4: 128_000_000, effectiveOn: "2026-11-28" },
      { code: "XAG_RUB", valueE4: 1_310_000, effectiveOn: "2026-11-28" },
    ];
    await pollFor(2);
    expect(await gold()).toBe(13_030);
  });

  test("demo mode can check beforehand whether a change would be accepted", async () => {
    expect(await rates.verdictFor(shop.ctx, "XAU_RUB", 112_000_000)).toBe("accepted");
    expect(await rates.verdictFor(shop.ctx, "XAU_RUB", 117_000_000)).toBe("jump");
    expect(await rates.verdictFor(shop.ctx, "XAG_RUB", 2_000_000)).toBe("far_from_usual");
    expect(await rates.verdictFor(shop.ctx, "USD_RUB", 0)).toBe("not_a_price");
    expect(shop.alarms).toEqual([]);
  });
});

test("all rates of the last two days are kept, of older ones one a minute", async () => {
  for (let each = 0; each < 6; each += 1) {
    says.gold += 0.01;
    await poll();
    shop.clock.advance(seconds(20));
  }
  const count = async (): Promise<number> => {
    const { rows } = (await shop.ctx.db.execute("select count(*)::int as n from rates where code = 'XAU_RUB'")) as unknown as {
      rows: { n: number }[];
    };
    return rows[0]?.n ?? 0;
  };
  await rates.deleteOld(shop.ctx);
  expect(await count()).toBe(6);
  shop.clock.advance(days(3));
  await rates.deleteOld(shop.ctx);
  expect(await count()).toBe(2);
});
