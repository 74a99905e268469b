import { expect, test } from "vitest";
import type { RateLimitName } from "#contract/call.ts";
import { defaultLimits, type Limits } from "#shop/settings.ts";
import { createRateLimiter, type RateLimiter, type SharedUse } from "./rate-limit.ts";

const windowMs = 60_000;
const who = { visitor: "anna", address: "1.1.1.1" };

/** Several processes with one store, as the database has it (processes/repository.ts). */
function severalProcesses(count: number, limits: Partial<Limits> = {}) {
  let now = 0;
  let exchanges = 0;
  let isOut = false;
  const ends = new Map<string, number>();
  const shared: SharedUse = {
    others: () => count - 1,
    async add(uses) {
      exchanges += 1;
      if (isOut) throw new Error("the database is away");
      for (const [key, ms] of uses) ends.set(key, Math.max(ends.get(key) ?? 0, now) + ms);
      const result = new Map([...uses.keys()].map((key) => [key, ends.get(key) ?? 0]));
      await Promise.resolve();
      return result;
    },
  };
  const processes = Array.from({ length: count }, () => createRateLimiter({ ...defaultLimits, ...limits }, () => new Date(now), shared));
  return {
    processes,
    exchanges: () => exchanges,
    loseDatabase: () => (isOut = true),
    /** Moves the clock; every process exchanges each second. */
    async advance(ms: number): Promise<void> {
      for (const end = now + ms; now < end;) {
        now = Math.min(end, now + 1_000);
        for (const each of processes) await each.shareAll();
      }
    },
  };
}

/** How many of so many events the processes grant in turn. */
async function granted(processes: RateLimiter[], limit: RateLimitName, events: number, key = who): Promise<number> {
  let count = 0;
  for (let n = 0; n < events; n += 1) if ((await processes[n % processes.length]?.take(limit, key)) === 0) count += 1;
  return count;
}

test.each([2, 8])("%i processes together grant what one would, and at most a tenth more", async (count) => {
  const { processes, advance } = severalProcesses(count, { addressRequestsPerMinute: 1e9 });
  const limit = defaultLimits.requestsPerMinute;
  const first = await granted(processes, "request", limit * 4);
  expect(first).toBeGreaterThanOrEqual(limit);
  expect(first).toBeLessThanOrEqual(limit * 1.1);
  let more = 0;
  for (let second = 0; second < 300; second += 1) {
    await advance(1_000);
    more += await granted(processes, "request", 100);
  }
  expect(more).toBeGreaterThanOrEqual(limit * 4.9);
  expect(more).toBeLessThanOrEqual(limit * 5 * 1.1);
});

test("a client that is a little slower than the limit at each process is limited all the same", async () => {
  const { processes, advance } = severalProcesses(4, { requestsPerMinute: 600, addressRequestsPerMinute: 1e9 });
  let all = 0;
  for (let second = 0; second < 600; second += 1) {
    await advance(1_000);
    all += await granted(processes, "request", 4 * 9);
  }
  expect(all).toBeLessThanOrEqual(600 * 11 * 1.1);
});

test("orders, locked prices and promo codes are counted one by one, also when they come at once", async () => {
  for (const limit of ["order", "quote", "promo"] as const) {
    const { processes } = severalProcesses(8, { promoCodesPerMinute: 10, ordersPerMinute: 10, quotesPerMinute: 10 });
    const waits = await Promise.all(Array.from({ length: 160 }, async (_, n) => processes[n % 8]?.take(limit, who)));
    expect([limit, waits.filter((wait) => wait === 0).length]).toEqual([limit, 10]);
    expect(waits.every((wait) => wait === 0 || (wait ?? 0) > 0)).toBe(true);
  }
});

test("what the other processes refuse is given back: the visitor does not pay for the others of its address", async () => {
  const { processes, advance } = severalProcesses(2, { ordersPerMinute: 10, addressOrdersPerMinute: 10 });
  expect(await granted(processes, "order", 10, { visitor: "boris", address: who.address })).toBe(10);
  expect(await granted(processes, "order", 6)).toBe(0);
  await advance(windowMs);
  expect(await granted(processes, "order", 20)).toBe(10);
});

test("one request a second causes an exchange every half a minute, and a single process never exchanges", async () => {
  const several = severalProcesses(2);
  for (let second = 0; second < 120; second += 1) {
    expect(await granted(several.processes, "request", 1)).toBe(1);
    await several.advance(1_000);
  }
  expect(several.exchanges()).toBeLessThanOrEqual(4);
  const one = severalProcesses(1);
  await granted(one.processes, "order", 100);
  await one.advance(1_000);
  expect(one.exchanges()).toBe(0);
});

test("what was used while a process was alone counts when another one starts", async () => {
  let others = 0;
  const sent: number[] = [];
  const shared: SharedUse = {
    others: () => others,
    add: async (uses) => {
      sent.push(...uses.values());
      return new Map([...uses.keys()].map((key) => [key, 0]));
    },
  };
  const limiter = createRateLimiter({ ...defaultLimits, ordersPerMinute: 10 }, () => new Date(0), shared);
  expect(await granted([limiter], "order", 4)).toBe(4);
  others = 1;
  await limiter.take("order", who);
  expect(sent[0]).toBe(5 * (windowMs / 10));
});

test("without the database each process limits by itself", async () => {
  const { processes, loseDatabase } = severalProcesses(2, { ordersPerMinute: 10 });
  loseDatabase();
  expect(await granted(processes, "order", 100)).toBe(20);
});

test("the cached pages' path never waits: it leaves to the router what the other processes must know first", async () => {
  const { processes, exchanges } = severalProcesses(2, { addressRequestsPerMinute: 1e9 });
  const grants = Array.from({ length: 40 }, () => processes[0]?.tryTake("request", who));
  expect([grants.filter(Boolean).length, grants[30], exchanges()]).toEqual([30, false, 0]); // 0.05 of 1,200, for two processes
  expect(await processes[0]?.take("request", who)).toBe(0);
  expect([processes[0]?.tryTake("request", who), exchanges()]).toEqual([true, 1]);
});
