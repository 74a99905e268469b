import { expect, test } from "vitest";
import { maskedPhone, phoneDigits } from "./phone.ts";

test.each([
  "+7 (916) 123-45-67",
  "+79161234567",
  "89161234567",
  "8 (916) 123-45-67",
  "8-916-123-45-67",
  "7 916 123 45 67",
  "9161234567",
  "916 123 45 67",
  " +7 916 123–45–67 ",
  "тел. 8 916 123 45 67",
  "tel:+79161234567",
  "8\u00A0916\u00A0123\u00A045\u00A067",
  "+7\u202F916\u2009123\u201145\u201167",
  "+7 8 916 123-45-67",
  "+7 (+7 916) 123-45-67",
  "＋７９１６１２３４５６７",
  "8 916 123 45 67 доб. 2",
])("a phone pasted as «%s» is understood", (spelling) => {
  expect(maskedPhone(phoneDigits(spelling))).toBe("+7 (916) 123-45-67");
});

test("the mask grows with the number", () => {
  expect(["", "9", "916", "9161", "916123", "9161234", "9161234567"].map(maskedPhone)).toEqual([
    "+7 (",
    "+7 (9",
    "+7 (916",
    "+7 (916) 1",
    "+7 (916) 123",
    "+7 (916) 123-4",
    "+7 (916) 123-45-67",
  ]);
});

test("digits past the tenth are dropped", () => {
  expect(phoneDigits("+7 (916) 123-45-67 8")).toBe("9161234567");
});
