import { expect, test, vi, beforeEach, afterEach } from "vitest";
import { createCoalescer } from "./coalesce.ts";
import {
  DeadlineError,
  inTime,
  pauseDeadline,
  pauseDeadlineAfter,
  requireTime,
  timeForStatements,
  withDeadline,
  withoutDeadline,
} from "./deadline.ts";

const limits = { answerMs: 1_000, reserveMs: 200 };
const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
/** How the work ended, and after how many milliseconds. */
const outcome = (work: () => Promise<unknown>): Promise<[unknown, number]> => {
  const started = performance.now();
  return withDeadline(limits, work).then(
    (value) => [value, performance.now() - started],
    (error: unknown) => [error instanceof DeadlineError ? "late" : error, performance.now() - started],
  );
};

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());
async function run<T>(work: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(60_000);
  return work;
}

test("a request that takes too long is answered at its deadline, also when its work never ends", async () => {
  expect(await run(outcome(() => sleep(999).then(() => "done")))).toEqual(["done", 999]);
  expect(await run(outcome(() => sleep(5_000)))).toEqual(["late", 1_000]);
  expect(await run(outcome(() => new Promise(() => {})))).toEqual(["late", 1_000]);
});

test("in the last part of its time a request sends no statement any more", async () => {
  const sent: number[] = [];
  const work = async () => {
    for (let n = 1; ; n += 1) {
      await sleep(150);
      requireTime();
      sent.push(n);
    }
  };
  expect(await run(outcome(work))).toEqual(["late", 900]);
  expect(sent).toEqual([1, 2, 3, 4, 5]);
});

test("time in which a provider is called does not count", async () => {
  const provider = () => pauseDeadline(() => sleep(3_000));
  const work = async () => {
    await sleep(500);
    await Promise.all([provider(), provider().then(provider)]);
    await sleep(400);
    return "done";
  };
  expect(await run(outcome(work))).toEqual(["done", 6_900]);
  expect(await run(outcome(() => provider().then(() => sleep(1_001))))).toEqual(["late", 4_000]);
  expect(await run(outcome(async () => pauseDeadline(() => 7)))).toEqual([7, 0]);
});

test("waiting for an equal request counts for its first part only", async () => {
  const wait = (milliseconds: number) =>
    outcome(() =>
      pauseDeadlineAfter(500, sleep(milliseconds))
        .then(() => sleep(499))
        .then(() => "done"),
    );
  expect(await run(wait(500))).toEqual(["done", 999]);
  expect(await run(wait(5_000))).toEqual(["done", 5_499]);
  expect(await run(outcome(() => pauseDeadlineAfter(500, sleep(5_000)).then(() => sleep(600))))).toEqual(["late", 5_500]);
});

test("a failed call to a provider starts the time again", async () => {
  const failing = () => pauseDeadline(() => sleep(100).then(() => Promise.reject(new Error("out"))));
  expect(await run(outcome(() => failing().catch(() => sleep(2_000))))).toEqual(["late", 1_100]);
});

test("the time of a request that waits for the run of another one pauses while that one calls a provider", async () => {
  const coalesce = createCoalescer();
  const slow = async () => {
    await pauseDeadline(() => sleep(3_000));
    return "done";
  };
  const calls = [0, 1, 2].map(() => outcome(() => coalesce("order", slow)));
  expect(await run(Promise.all(calls))).toEqual([
    ["done", 3_000],
    ["done", 6_000],
    ["done", 6_000],
  ]);
});

test("a request that waits for the run of another one is late when that one is slow by itself", async () => {
  const coalesce = createCoalescer();
  const calls = [0, 1].map(() => outcome(() => coalesce("order", () => sleep(3_000))));
  expect(await run(Promise.all(calls))).toEqual([
    ["late", 1_000],
    ["late", 1_000],
  ]);
});

test("a request that joins a shared run gets its result, also when the one that started it may send no statement any more", async () => {
  const coalesce = createCoalescer();
  const first = outcome(() => coalesce("points", () => sleep(600).then(() => "first")));
  const lastStatement = async () => {
    await sleep(400);
    requireTime(); // 950 ms after the start of the second request
    return "second";
  };
  const second = sleep(50).then(() => outcome(() => coalesce("points", lastStatement)));
  const third = sleep(300).then(() => outcome(() => coalesce("points", lastStatement)));
  expect(await run(Promise.all([first, second, third]))).toEqual([
    ["first", 600],
    ["second", 950],
    ["second", 700],
  ]);
});

test("shared work goes on when the time of the request that started it is over", async () => {
  let left = 0;
  const shared = async () => {
    await sleep(2_000);
    left = timeForStatements();
    return "page";
  };
  let page: Promise<string> | undefined;
  const work = () => inTime((page = withoutDeadline(shared)));
  expect(await run(outcome(work))).toEqual(["late", 800]);
  expect([await page, left]).toEqual(["page", Infinity]);
});
