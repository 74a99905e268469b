import { expect, test } from "vitest";
import { hours } from "#kit/time.ts";
import { isBankingDay, nextOpening, plusBankingTime, presentClose, reasonAt, type MarketCalendar } from "./calendar.ts";

const calendar: MarketCalendar = {
  sessions: [{ days: ["Mon", "Tue", "Wed", "Thu", "Fri"], from: "07:00", till: "19:00" }],
  closed: ["2026-12-31", "2027-01-01"],
  extra: ["2026-11-28"],
};
const at = (moment: string): Date => new Date(`${moment}+03:00`);

test("a session runs from its first second to the last before its end", () => {
  expect(presentClose(calendar, at("2026-11-20T06:59:59"))).toBeNull();
  expect(presentClose(calendar, at("2026-11-20T07:00:00"))).toEqual(at("2026-11-20T19:00:00"));
  expect(presentClose(calendar, at("2026-11-20T18:59:59"))).toEqual(at("2026-11-20T19:00:00"));
  expect(presentClose(calendar, at("2026-11-20T19:00:00"))).toBeNull();
});

test("the session after Friday evening opens on Monday morning", () => {
  expect(nextOpening(calendar, at("2026-11-20T19:00:00"))).toEqual(at("2026-11-23T07:00:00"));
  expect(nextOpening(calendar, at("2026-11-20T06:00:00"))).toEqual(at("2026-11-20T07:00:00"));
});

test("a working Saturday has a session, holidays have none, and a halted exchange is expected at the next session", () => {
  expect(nextOpening(calendar, at("2026-11-27T20:00:00"))).toEqual(at("2026-11-28T07:00:00"));
  expect(nextOpening(calendar, at("2026-12-30T20:00:00"))).toEqual(at("2027-01-04T07:00:00"));
  expect(nextOpening(calendar, at("2026-11-20T12:00:00"))).toEqual(at("2026-11-23T07:00:00"));
});

test("every closed hour has a reason", () => {
  expect(reasonAt(calendar, at("2026-11-20T23:00:00"))).toBe("night");
  expect(reasonAt(calendar, at("2026-11-21T12:00:00"))).toBe("weekend");
  expect(reasonAt(calendar, at("2026-12-31T12:00:00"))).toBe("holiday");
  expect(reasonAt(calendar, at("2026-11-20T12:00:00"))).toBe("halt");
});

test("a calendar without sessions has no next opening", () => {
  expect(nextOpening({ sessions: [], closed: [], extra: [] }, at("2026-11-20T12:00:00"))).toBeNull();
});

test("the 24 hours of an invoice count on banking days only", () => {
  const waits = (moment: string) => plusBankingTime(calendar, at(moment), hours(24));
  expect(waits("2026-11-18T10:00:00")).toEqual(at("2026-11-19T10:00:00"));
  expect(waits("2026-11-20T18:30:00")).toEqual(at("2026-11-23T18:30:00")); // Friday evening, Monday evening
  expect(waits("2026-11-22T12:00:00")).toEqual(at("2026-11-24T00:00:00")); // Sunday: the whole Monday
  expect(waits("2026-11-27T18:30:00")).toEqual(at("2026-11-30T18:30:00")); // the working Saturday between does not count
  expect(waits("2026-12-30T15:00:00")).toEqual(at("2027-01-11T15:00:00")); // 31 December is closed, then New Year holidays and a weekend
  expect(waits("2027-02-22T09:00:00")).toEqual(at("2027-02-24T09:00:00"));
});

test("banks are closed at weekends, on the holidays of the Labour Code and on days moved by decree", () => {
  const resting = [
    "2026-11-21",
    "2026-11-22",
    "2026-11-28",
    "2026-12-31",
    "2027-01-04",
    "2027-01-08",
    "2027-03-08",
    "2027-05-01",
    "2027-06-12",
    "2027-11-04",
  ];
  for (const day of resting) expect([day, isBankingDay(calendar, at(`${day}T12:00:00`))]).toEqual([day, false]);
  for (const day of ["2026-11-20", "2026-12-30", "2027-01-11", "2027-11-05"])
    expect([day, isBankingDay(calendar, at(`${day}T12:00:00`))]).toEqual([day, true]);
  expect(isBankingDay(calendar, new Date("2026-11-20T21:00:00Z"))).toBe(false); // midnight of Saturday in Moscow
});
