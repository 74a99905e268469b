import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isTrue } from "#kit/db.ts";
import { seconds } from "#kit/time.ts";
import * as notifications from "#shop/notifications/service.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import type { Leadership } from "../database/leadership.ts";
import type { Queue } from "../database/queue.ts";
import { sweepsOf } from "../jobs-and-sweeps.ts";
import { createWait, startWorker } from "../worker.ts";
import { startPulse, type PulsePart } from "./pulse.ts";
import { presencePart, settingsPart } from "./pulse-parts.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
});
afterAll(() => shop.close());

const until = async (isDone: () => boolean): Promise<void> => {
  for (const giveUpAt = performance.now() + seconds(5); !isDone() && performance.now() < giveUpAt;)
    await new Promise((resolve) => setTimeout(resolve, 10));
};

/** The shop with a count of its statements. */
function counted(): { ctx: TestShop["ctx"]; sent: () => number } {
  let sent = 0;
  const db = new Proxy(shop.ctx.db, {
    get(target, name) {
      if (name === "execute") sent += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ctx: { ...shop.ctx, db }, sent: () => sent };
}

const aPart = (name: string, received: unknown[], rest: Partial<PulsePart> = {}): PulsePart => ({
  name,
  read: () => sql`${name}::text`,
  receive: async (value) => void received.push(value),
  ...rest,
});

test("a turn of the pulse is one statement for all parts, with what they write, and a part that hangs delays no other", async () => {
  const { ctx, sent } = counted();
  const received: unknown[] = [];
  let release = (): void => {};
  const pulse = startPulse(ctx, [
    aPart("hanging", received, { receive: () => new Promise((resolve) => (release = resolve)) }),
    settingsPart(ctx),
    presencePart(ctx),
    aPart("silent", received, { read: () => null }),
    aPart("broken", received, { receive: () => Promise.reject(new Error("broken")) }),
    aPart("good", received),
  ]);
  await until(() => received.length === 2);
  expect([received, sent()]).toEqual([["good", "good"], 2]);
  release();
  await pulse.stop();
});

test("every condition of a sweep can be read together, and nothing is due in a shop where nothing happens", async () => {
  const due = Object.values(sweepsOf(60)).flatMap((sweep) => sweep.due?.(shop.ctx) ?? []);
  expect(due.length).toBeGreaterThanOrEqual(10);
  expect(await Promise.all(due.map((each) => isTrue(shop.ctx.db, each)))).toEqual(due.map(() => false));
});

test("the leader runs a sweep as soon as something is due and it is not busy; another process runs none", async () => {
  let isLeader = false;
  let isBusy = true;
  let busyTurns = 0;
  const leadership: Leadership = { isLeader: () => isLeader, stop: async () => {} };
  const letters: string[] = [];
  const ctx = {
    ...shop.ctx,
    gateways: {
      ...shop.ctx.gateways,
      email: { send: async ({ to }: { to: string }) => void letters.push(to) } as unknown as TestShop["ctx"]["gateways"]["email"],
    },
  };
  const woken: number[] = [];
  const queue = {
    work: async () => {},
    hasWaiting: sql`true`,
    wake: () => void woken.push(1),
    stop: async () => {},
  } as unknown as Queue;
  const measureUse = () => () => {
    busyTurns += isBusy ? 1 : 0;
    return isBusy ? 1 : 0;
  };
  const worker = await startWorker(ctx, { queue, leadership, ratesPollSeconds: 3_600, measureUse });
  await notifications.addAccountLetter(ctx.db, ctx, {
    kind: "account_deleted",
    about: "customer:1",
    email: "buyer@example.ru",
    at: ctx.now(),
  });
  const pulse = startPulse(ctx, worker.parts);
  await until(() => woken.length === 1);
  expect(letters).toEqual([]);
  isLeader = true;
  await until(() => busyTurns === 2);
  expect(letters).toEqual([]);
  isBusy = false;
  await until(() => letters.length === 1);
  expect(letters).toEqual(["buyer@example.ru"]);
  await pulse.stop();
  await worker.stop();
});

test("what is due waits while the process is busy, but not longer than it may, and then again", () => {
  let isBusy = true;
  const waits = createWait(5, () => isBusy);
  expect([0, 1_000, 4_900, 5_000, 6_000, 10_900, 11_000].map(waits)).toEqual([true, true, true, false, true, true, false]);
  isBusy = false;
  expect(waits(12_000)).toBe(false);
  isBusy = true;
  expect([20_000, 24_000].map(waits)).toEqual([true, true]);
  const never = createWait(0, () => true);
  expect(never(0)).toBe(false);
});
