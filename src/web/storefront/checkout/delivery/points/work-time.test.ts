import { expect, test } from "vitest";
import { isEveryDay, isOpenAt, isOpenLate, weekOf } from "./work-time.ts";

const saturdayMorning = new Date("2026-11-21T07:30:00Z"); // 10:30 in Moscow

test("hours of working days and of the weekend are parsed separately", () => {
  const week = weekOf("Пн-Пт 09:00-21:00, Сб-Вс 11:00-20:00");
  expect(week && isEveryDay(week)).toBe(true);
  expect(week && isOpenAt(week, saturdayMorning)).toBe(false);
  expect(week && isOpenAt(week, new Date("2026-11-20T07:30:00Z"))).toBe(true);
});

test("a point closed on Sunday is not open every day", () => {
  const week = weekOf("Пн-Сб 10:00-20:00");
  expect(week && isEveryDay(week)).toBe(false);
});

test("«ежедневно» and hours without days mean every day", () => {
  for (const text of ["Ежедневно 9:00-22:00", "09:00–22:00"]) {
    const week = weekOf(text);
    expect(week && isEveryDay(week) && isOpenLate(week) && isOpenAt(week, saturdayMorning)).toBe(true);
  }
});

test("round the clock is open at any hour", () => {
  const week = weekOf("Круглосуточно");
  expect(week && isOpenAt(week, new Date("2026-11-21T00:10:00Z"))).toBe(true);
});

test("nothing is claimed about hours that cannot be read", () => {
  expect(weekOf("по звонку")).toBeNull();
});
