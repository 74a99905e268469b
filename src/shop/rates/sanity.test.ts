import { expect, test } from "vitest";
import { judge, type Known, type Reading } from "./sanity.ts";

const limits = { rateJumpPercent: 5, rateDayJumpPercent: 15 };
const now = new Date("2026-11-20T09:00:00Z");
const secondsAgo = (n: number): Date => new Date(now.getTime() - n * 1000);
const last: Reading = { valueE4: 100_000_000, observedAt: secondsAgo(60) };
const known: Known = { now, last, usualE4: 100_000_000, refusedJump: null, isDaily: false };
const verdict = (reading: Partial<Reading>, change: Partial<Known> = {}) =>
  judge({ valueE4: 100_000_000, observedAt: secondsAgo(1), ...reading }, { ...known, ...change }, limits);

test("a move of exactly 5 % passes, a hair more is a jump, up and down", () => {
  expect(verdict({ valueE4: 105_000_000 })).toBe("accepted");
  expect(verdict({ valueE4: 105_000_001 })).toBe("jump");
  expect(verdict({ valueE4: 95_000_000 })).toBe("accepted");
  expect(verdict({ valueE4: 94_999_999 })).toBe("jump");
});

test("a jump that a second reading confirms passes, another jump does not confirm it", () => {
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

test("over 15 % from the day's median nothing helps, also in many small steps", () => {
  expect(verdict({ valueE4: 116_000_000 }, { refusedJump: { valueE4: 116_000_000, observedAt: secondsAgo(30) } })).toBe("far_from_usual");
  expect(verdict({ valueE4: 116_000_000 }, { last: { ...last, valueE4: 114_000_000 } })).toBe("far_from_usual");
  expect(verdict({ valueE4: 115_000_000 }, { last: { ...last, valueE4: 114_000_000 } })).toBe("accepted");
});

test("times: sixty seconds ahead are forgiven, a second more is not; older than the last is not", () => {
  expect(verdict({ observedAt: secondsAgo(-60) })).toBe("accepted");
  expect(verdict({ observedAt: secondsAgo(-61) })).toBe("from_the_future");
  expect(verdict({ observedAt: secondsAgo(60) })).toBe("accepted");
  expect(verdict({ observedAt: secondsAgo(61) })).toBe("older_than_last");
});

test("what is not a price is never one", () => {
  for (const valueE4 of [0, -1, Number.NaN, Infinity, 0.5, 10_000_000_001])
    expect(verdict({ valueE4 }, { last: null, usualE4: null })).toBe("not_a_price");
  expect(verdict({ observedAt: new Date("nonsense") })).toBe("not_a_price");
});

test("the very first reading is believed, unless an independent price contradicts it", () => {
  expect(verdict({ valueE4: 110_426_000 }, { last: null, usualE4: null })).toBe("accepted");
  expect(verdict({ valueE4: 3_434_576_000 }, { last: null, usualE4: 110_000_000 })).toBe("far_from_usual");
});
