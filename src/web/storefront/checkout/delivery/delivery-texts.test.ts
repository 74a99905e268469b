import { expect, test } from "vitest";
import { daysText } from "./delivery-texts.ts";

const friday = new Date("2026-11-20T11:00:00Z");
const plain = (text: string | null) => text?.replaceAll("\u00A0", " ");

test("delivery days skip the weekend", () => {
  expect(plain(daysText(friday, 1, 2))).toBe("23–24 ноября");
  expect(plain(daysText(friday, 1, 1))).toBe("23 ноября");
});

test("a range of days across two months names both", () => {
  expect(plain(daysText(friday, 5, 8))).toBe("27 ноября — 2 декабря");
});

test("no delivery date is shown while the carrier does not answer", () => {
  expect(daysText(friday, null, null)).toBeNull();
});
