import { expect, test } from "vitest";
import { fromMoscow, isoMoscow, moscow } from "./moscow-time.ts";

test("after nine in the evening of UTC it is the next day in Moscow", () => {
  expect(moscow(new Date("2026-11-20T20:59:59Z"))).toMatchObject({ date: "2026-11-20", weekday: "Fri", hour: 23, minute: 59, second: 59 });
  expect(moscow(new Date("2026-11-20T21:00:00Z"))).toEqual({
    date: "2026-11-21",
    weekday: "Sat",
    year: 2026,
    month: 11,
    day: 21,
    hour: 0,
    minute: 0,
    second: 0,
  });
});

test("the year changes at Moscow's midnight", () => {
  expect(moscow(new Date("2026-12-31T21:00:00Z"))).toMatchObject({ date: "2027-01-01", year: 2027, month: 1, day: 1 });
});

test("there is no daylight saving time: the clock agrees with the time zone database in summer and in winter", () => {
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/Moscow", dateStyle: "short", timeStyle: "medium", hourCycle: "h23" });
  for (let month = 1; month <= 12; month += 1) {
    const at = new Date(Date.UTC(2026, month - 1, 28, 22, 15, 7));
    const { date, hour, minute, second } = moscow(at);
    const two = (n: number) => String(n).padStart(2, "0");
    expect(parts.format(at)).toBe(`${date}, ${two(hour)}:${two(minute)}:${two(second)}`);
  }
});

test("a day and a time of the wall clock name one instant, a day alone its midnight", () => {
  expect(fromMoscow("2026-11-20", "10:00")).toEqual(new Date("2026-11-20T07:00:00Z"));
  expect(fromMoscow("2026-11-20", "10:00:30")).toEqual(new Date("2026-11-20T07:00:30Z"));
  expect(fromMoscow("2026-11-20")).toEqual(new Date("2026-11-19T21:00:00Z"));
  expect(fromMoscow("2026-11-20", "25:00").getTime()).toBeNaN();
});

test("an instant in an API answer carries Moscow's offset and no fraction", () => {
  expect(isoMoscow(new Date("2026-11-20T21:05:09.999Z"))).toBe("2026-11-21T00:05:09+03:00");
  expect(fromMoscow(moscow(new Date("2026-11-20T21:05:09Z")).date)).toEqual(new Date("2026-11-20T21:00:00Z"));
});
