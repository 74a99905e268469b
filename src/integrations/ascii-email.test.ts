import { expect, test } from "vitest";
import { asciiEmail } from "./ascii-email.ts";

test.each([
  ["ivan@example.com", "ivan@example.com"],
  ["Ivan.O'Neil+x@Пример.РФ", "Ivan.O'Neil+x@xn--e1afmkfd.xn--p1ai"],
  ["ivan@xn--e1afmkfd.xn--p1ai", "ivan@xn--e1afmkfd.xn--p1ai"],
  ["ivan@xn--a.com", "ivan@xn--a.com"],
  ["", ""],
])("%s is sent to providers as %s", (email, sent) => {
  expect(asciiEmail(email)).toBe(sent);
});
