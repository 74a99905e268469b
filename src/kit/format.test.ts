import { describe, expect, test } from "vitest";
import { kopecks } from "./money.ts";
import {
  clock,
  counted,
  day,
  dayAndTime,
  dayOfYear,
  daySpan,
  deadline,
  grams,
  hoursLine,
  millimetres,
  monthName,
  number,
  percent,
  plural,
  priceText,
  roublesAndKopecks,
  trimmed,
  unbroken,
  weekday,
  coinForms,
} from "./format.ts";

const plain = (text: string) => text.replaceAll("\u00A0", "_");

describe("numbers as Russians print them", () => {
  test("thousands are parted by a no-break space and the fraction by a comma", () => {
    expect(plain(number(11_042.6, 2))).toBe("11_042,60");
    expect(plain(number(11_429_100))).toBe("11_429_100");
    expect(number(999)).toBe("999");
    expect(plain(number(-1234.5, 1))).toBe("−1_234,5");
  });
  test("zeros are dropped from a fraction, never from a whole number", () => {
    expect(trimmed(31.1, 2)).toBe("31,1");
    expect(plain(trimmed(1000, 2))).toBe("1_000");
    expect(trimmed(7.776, 2)).toBe("7,78");
  });
  test("a price has kopecks only when there are some", () => {
    expect(plain(priceText(kopecks(9_064_000)))).toBe("90_640_₽");
    expect(plain(priceText(kopecks(1)))).toBe("0,01_₽");
    expect(plain(priceText(kopecks(4_512_350)))).toBe("45_123,50_₽");
  });
  test("a sum in a document has kopecks always", () => {
    expect(plain(roublesAndKopecks(kopecks(4_512_300)))).toBe("45_123,00");
    expect(plain(roublesAndKopecks(kopecks(123_456_789_05)))).toBe("123_456_789,05");
  });
  test("masses, sizes and premiums carry their units", () => {
    expect(plain(grams(7780))).toBe("7,78_г");
    expect(plain(grams(1_000_000))).toBe("1_кг");
    expect(plain(millimetres(22.05))).toBe("22,1_мм");
    expect(percent(550)).toBe("5,5");
    expect(percent(-1000)).toBe("−10");
  });
});

test("the word goes with the number", () => {
  expect([1, 2, 5, 11, 12, 14, 21, 22, 25, 111, 101].map((n) => plural(n, coinForms))).toEqual([
    "монета",
    "монеты",
    "монет",
    "монет",
    "монет",
    "монет",
    "монета",
    "монеты",
    "монет",
    "монет",
    "монета",
  ]);
  expect(plain(counted(1165, coinForms))).toBe("1_165_монет");
});

test("days and hours are Moscow's", () => {
  expect(plain(day(new Date("2026-11-19T22:30:00Z")))).toBe("20_ноября 2026");
  expect(plain(day("2026-01-01"))).toBe("1_января 2026");
  expect(plain(dayOfYear("2026-11-16"))).toBe("16_ноября");
  expect(clock(new Date("2026-11-20T21:05:00Z"))).toBe("00:05");
  expect(plain(dayAndTime(new Date("2026-11-20T21:05:00Z")))).toBe("21_ноября 2026, 00:05");
  expect(weekday(new Date("2026-11-20T21:05:00Z"))).toBe("Суббота");
  expect(monthName(new Date("2026-10-31T21:00:00Z"))).toBe("ноябрь");
});

test("a deadline at midnight is the end of the day before", () => {
  expect(plain(deadline(new Date("2026-11-30T20:59:00Z")))).toBe("до 30_ноября, 23:59");
  expect(plain(deadline(new Date("2026-11-30T21:00:00Z")))).toBe("до конца 30_ноября");
  expect(plain(deadline(new Date("2026-12-31T21:00:00Z"), day))).toBe("до конца 31_декабря 2026");
});

test("hours and telephone numbers have no place where a line may end", () => {
  expect(unbroken("пн–пт 10:00–20:00, сб–вс 10:00–18:00")).toBe("пн–пт 10:00–\u206020:00, сб–вс 10:00–\u206018:00");
  expect(unbroken("+7 800 250-27-06")).toBe("+7 800 250-\u206027-\u206006");
});

test("opening hours on one line begin with a capital letter once", () => {
  expect(hoursLine(["Понедельник — четверг 10–18", "Пятница 10–17"])).toBe("Понедельник — четверг 10–18, пятница 10–17");
});

test("a span of days names the month once, and two months when it ends in another", () => {
  const at = (date: string) => new Date(`${date}T09:00:00Z`);
  expect(plain(daySpan(at("2026-11-24"), at("2026-11-25")))).toBe("24–25_ноября");
  expect(plain(daySpan(at("2026-11-30"), at("2026-12-01")))).toBe("30_ноября — 1_декабря");
  expect(plain(daySpan(at("2026-11-25"), at("2026-11-25")))).toBe("25_ноября");
});
