import { expect, test } from "vitest";
import { nextOpening, presentClose, reasonAt, type MarketCalendar } from "./calendar.ts";

const calendar: MarketCalendar = {
  sessions: [{ days: ["Mon", "Tue", "Wed", "Thu", "Fri"], from: "07:00", till: "19:00" }],
  closed: ["2026-12-31", "2027-01-01"], extra: ["2026-11-28"],
};
const at = (moment: string): Date => new Date(`${moment}+03:00`);

test("a session runs from its first second to the last before its end", () => {
  expect(presentClose(calendar, at("2026-11-20T06:59:59"))).toBeNull();
  expect(presentClose(calendar, at("2026-11-20T07:00:00"))).toEqual(at("2026-11-20T19:00:00"));
  expect(presentClose(calendar, at("2026-11-20T18:59:59"))).toEqual(at("2026-11-20T19:00:00"));
  expect(presentClose(calendar, at("2026-11-20T19:00:00"))).toBeNull();
});

test("after Friday's evening comes Monday's morning", () => {
  expect(nextOpening(calendar, at("2026-11-20T19:00:00"))).toEqual(at("2026-11-23T07:00:00"));
  expect(nextOpening(calendar, at("2026-11-20T06:00:00"))).toEqual(at("2026-11-20T07:00:00"));
});

test("a working Saturday opens, holidays do not, and a halted exchange is expected at the next session", () => {
  expect(nextOpening(calendar, at("2026-11-27T20:00:00"))).toEqual(at("2026-11-28T07:00:00"));
  expect(nextOpening(calendar, at("2026-12-30T20:00:00"))).toEqual(at("2027-01-04T07:00:00"));
  expect(nextOpening(calendar, at("2026-11-20T12:00:00"))).toEqual(at("2026-11-23T07:00:00"));
});

test("each closed hour has its reason", () => {
  expect(reasonAt(calendar, at("2026-11-20T23:00:00"))).toBe("night");
  expect(reasonAt(calendar, at("2026-11-21T12:00:00"))).toBe("weekend");
  expect(reasonAt(calendar, at("2026-12-31T12:00:00"))).toBe("holiday");
  expect(reasonAt(calendar, at("2026-11-20T12:00:00"))).toBe("halt");
});

test("a calendar without sessions promises nothing", () => {
  expect(nextOpening({ sessions: [], closed: [], extra: [] }, at("2026-11-20T12:00:00"))).toBeNull();
});
