import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { moneyInField, parseMoney } from "./money.ts";

test("a sum is understood with spaces, a comma or a point, and the rouble sign", () => {
  for (const text of ["1234,5", "1 234.50", "1\u00A0234,50\u00A0₽", "1234.5"]) expect(parseMoney(text)).toBe(123_450);
  expect(parseMoney("90640")).toBe(9_064_000);
  expect(parseMoney("0")).toBe(0);
});

test("what is not a sum is not guessed", () => {
  for (const text of ["", "abc", "-5", "1,234", "12.345", "1.2.3", "1e5"]) expect(parseMoney(text)).toBeNull();
});

test("a sum is shown as it can be typed again", () => {
  for (const amount of [0, 50, 9_064_000, 123_456_789]) expect(parseMoney(moneyInField(kopecks(amount)))).toBe(amount);
});
