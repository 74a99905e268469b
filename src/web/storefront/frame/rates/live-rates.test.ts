import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readState } from "#contract/calls.ts";
import { followRates, type LiveRates } from "./live-rates.ts";

/** A stream whose messages the test sends. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static opened: Source[] = [];
  readyState = 0;
  constructor() {
    super();
    Source.opened.push(this);
  }
  close(): void {
    this.readyState = Source.CLOSED;
  }
  say(name: string, data: object = {}): void {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data), lastEventId: "7.3" }));
  }
  refuse(): void {
    this.close();
    this.dispatchEvent(new Event("error"));
  }
}

const course = (gold: number) => ({ time: "2026-11-21T12:00:00+03:00", courses: { XAU_RUB: { course: gold } } });
const requests: string[] = [];
let received: LiveRates[];
let stop: () => void;
let sight: { visibilityState: string } & EventTarget;

beforeEach(async () => {
  vi.useFakeTimers();
  Source.opened = [];
  requests.length = 0;
  received = [];
  sight = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("window", Object.assign(new EventTarget(), { EventSource: Source, BroadcastChannel: true }));
  vi.stubGlobal("EventSource", Source);
  vi.stubGlobal(
    "BroadcastChannel",
    class extends EventTarget {
      postMessage() {}
      close() {}
    },
  );
  vi.stubGlobal("navigator", { locks: { request: async (_: string, __: object, work: () => Promise<void>) => work() } });
  vi.stubGlobal("document", sight);
  vi.stubGlobal("fetch", async (address: string) => {
    requests.push(address);
    return Response.json(address.endsWith("/work") ? { work: true } : course(11_200));
  });
  stop = followRates((news) => received.push(news));
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const golds = (): number[] => received.map(({ courses }) => courses.courses.XAU_RUB.course);
const speak = (source: Source | undefined, gold: number): void => {
  source?.say("courses", course(gold));
  source?.say("work", { work: true });
};

test("while the stream sends rates or heartbeats, rates are not polled", async () => {
  speak(Source.opened[0], 11_100);
  for (let minute = 0; minute < 30; minute += 1) {
    await vi.advanceTimersByTimeAsync(20_000);
    Source.opened[0]?.say("beat");
  }
  expect([golds(), requests, Source.opened.length]).toEqual([[11_100], [], 1]);
});

test("a stream that opens and stays silent, as behind a buffering proxy, is closed and rates are polled", async () => {
  Source.opened[0]?.dispatchEvent(new Event("open"));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(golds()).toEqual([11_200]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(golds()).toHaveLength(3);
  expect(Source.opened).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(60_000); // later it is tried again
  expect(Source.opened).toHaveLength(2);
  speak(Source.opened[1], 11_300);
  const before = requests.length;
  await vi.advanceTimersByTimeAsync(45_000);
  expect([golds().at(-1), requests.length]).toEqual([11_300, before]);
});

test("a stream that falls silent, as after a change of network, is opened again within a minute", async () => {
  speak(Source.opened[0], 11_100);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(Source.opened[0]?.readyState).toBe(Source.CLOSED);
  expect(Source.opened).toHaveLength(2);
});

test("instead of a refused stream rates are polled: soon, every half minute, and when the page becomes visible", async () => {
  Source.opened[0]?.refuse();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(golds()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(golds()).toHaveLength(2);
  sight.visibilityState = "hidden";
  await vi.advanceTimersByTimeAsync(60_000);
  expect(golds()).toHaveLength(2);
  sight.visibilityState = "visible";
  sight.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(0);
  expect(golds()).toHaveLength(3);
});

test("after the page stops following, no more requests are sent", async () => {
  Source.opened[0]?.refuse();
  stop();
  await vi.advanceTimersByTimeAsync(300_000);
  expect([requests, Source.opened.length]).toEqual([[], 1]);
});

test("the stream waits for the first answer, because two at once would give a new browser two ids", async () => {
  stop();
  Source.opened = [];
  vi.resetModules();
  const { callApi } = await import("#contract/client.ts");
  const { followRates: follow } = await import("./live-rates.ts");
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", () => answer.promise);
  const called = callApi(readState);
  stop = follow(() => {});
  await vi.advanceTimersByTimeAsync(0);
  expect(Source.opened).toHaveLength(0);
  answer.resolve(Response.json({ data: {} }));
  await called;
  await vi.advanceTimersByTimeAsync(0);
  expect(Source.opened).toHaveLength(1);
});
