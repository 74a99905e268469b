import { expect, test } from "vitest";
import { searchedPhone } from "./searched-phone.ts";

test.each([
  ["8 (912) 345-67-89", "79123456789"],
  ["+7 912 345-67-89", "79123456789"],
  ["8912", "8912"],
  ["67-89", "6789"],
  ["789", null],
  ["912345678901", null],
  ["Иванов", null],
])("%s is read as %s", (text, phone) => {
  expect(searchedPhone(text)).toBe(phone);
});
