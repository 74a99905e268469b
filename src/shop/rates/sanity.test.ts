import { expect, test } from "vitest";
import { judge, type SanityContext, type RateTick } from "./sanity.ts";

const limits = { rateJumpPercent: 5, rateDayJumpPercent: 15 };
const now = new Date("2026-11-20T09:00:00Z");
const secondsAgo = (n: number): Date => new Date(now.getTime() - n * 1000);
const last: RateTick = { valueE4: 100_000_000, observedAt: secondsAgo(60) };
const known: SanityContext = { now, last, referenceE4: 100_000_000, refusedJump: null, isDaily: false };
const verdict = (reading: Partial<RateTick>, change: Partial<SanityContext> = {}) =>
  judge({ valueE4: 100_000_000, observedAt: secondsAgo(1), ...reading }, { ...known, ...change }, limits);

test("a change of exactly 5 % is accepted, slightly more is a jump, up and down", () => {
  expect(verdict({ valueE4: 105_000_000 })).toBe("accepted");
  expect(verdict({ valueE4: 105_000_001 })).toBe("jump");
  expect(verdict({ valueE4: 95_000_000 })).toBe("accepted");
  expect(verdict({ valueE4: 94_999_999 })).toBe("jump");
});

test("a jump that a second tick confirms is accepted, another jump does not confirm it", () => {
  expect(verdict({ valueE4: 110_100_000 }, { refusedJump: { valueE4: 110_000_000, observedAt: secondsAgo(30) } })).toBe("accepted");
  expect(verdict({ valueE4: 112_000_000 }, { refusedJump: { valueE4: 110_000_000, observedAt: secondsAgo(30) } })).toBe("jump");
});

test("a jump is confirmed only by a newer tick: the same one read twice and an older one do not count", () => {
  const refusedJump = { valueE4: 110_000_000, observedAt: secondsAgo(30) };
  expect(verdict({ valueE4: 110_000_000, observedAt: secondsAgo(30) }, { refusedJump })).toBe("jump");
  expect(verdict({ valueE4: 110_000_000, observedAt: secondsAgo(31) }, { refusedJump })).toBe("jump");
  expect(verdict({ valueE4: 110_000_000, observedAt: secondsAgo(29) }, { refusedJump })).toBe("accepted");
});

test("a value that is set once a day is confirmed by reading it again", () => {
  const refusedJump = { valueE4: 110_000_000, observedAt: secondsAgo(30) };
  expect(verdict({ valueE4: 110_000_000, observedAt: secondsAgo(30) }, { refusedJump, isDaily: true })).toBe("accepted");
  expect(verdict({ valueE4: 112_000_000, observedAt: secondsAgo(30) }, { refusedJump, isDaily: true })).toBe("jump");
});

test("more than 15 % from the day's median is refused, also in many small steps", () => {
  expect(verdict({ valueE4: 116_000_000 }, { refusedJump: { valueE4: 116_000_000, observedAt: secondsAgo(30) } })).toBe("far_from_usual");
  expect(verdict({ valueE4: 116_000_000 }, { last: { ...last, valueE4: 114_000_000 } })).toBe("far_from_usual");
  expect(verdict({ valueE4: 115_000_000 }, { last: { ...last, valueE4: 114_000_000 } })).toBe("accepted");
});

test("a time sixty seconds ahead is accepted; a second more, or older than the last tick, is refused", () => {
  expect(verdict({ observedAt: secondsAgo(-60) })).toBe("accepted");
  expect(verdict({ observedAt: secondsAgo(-61) })).toBe("from_the_future");
  expect(verdict({ observedAt: secondsAgo(60) })).toBe("accepted");
  expect(verdict({ observedAt: secondsAgo(61) })).toBe("older_than_last");
});

test("zero, negative, fractional and huge values are refused", () => {
  for (const valueE4 of [0, -1, Number.NaN, Infinity, 0.5, 10_000_000_001])
    expect(verdict({ valueE4 }, { last: null, referenceE4: null })).toBe("not_a_price");
  expect(verdict({ observedAt: new Date("nonsense") })).toBe("not_a_price");
});

test("the first tick is accepted, unless an independent price contradicts it", () => {
  expect(verdict({ valueE4: 110_426_000 }, { last: null, referenceE4: null })).toBe("accepted");
  expect(verdict({ valueE4: 3_434_576_000 }, { last: null, referenceE4: 110_000_000 })).toBe("far_from_usual");
});
