import { expect, test } from "vitest";
import { processorMs } from "#tests/processor-time.ts";
import { cityOf } from "./buy-profile.ts";
import { fullNameOf, isEmail, isPhone, normalisePhone, splitFullName } from "./customer.ts";

test.each([
  "+79161234567",
  "79161234567",
  "89161234567",
  "9161234567",
  "8 916 123-45-67",
  "+7 (916) 123-45-67",
  "+7 916 123 45 67",
  "8(916)1234567",
  "8\u00A0916\u00A0123\u00A045\u00A067",
  "+7\u202F916\u2009123\u201145\u201167",
  "916.123.45.67",
  "916/123-45-67",
  " \u202A+7 916 123-45-67\u202C ",
  "tel:+79161234567",
  "+7 8 916 123-45-67",
  "+7 (+7 916) 123-45-67",
  "＋７９１６１２３４５６７",
  "8–916–123—45−67",
])("%s is one and the same phone", (pasted) => {
  expect(normalisePhone(pasted)).toBe("+79161234567");
});

test.each([
  "",
  "+7",
  "+8 916 123 45 67",
  "+1 916 123 45 67",
  "69161234567",
  "791612345678",
  "+791612345678901",
  "916 123 45 6x",
  "+7 916 123+45 67",
  "телефон",
  "+9161234567",
  "7".repeat(65),
  "<script>",
])("%s is no Russian phone", (pasted) => {
  expect(normalisePhone(pasted)).toBeNull();
});

test("ten digits without a prefix are a number without its country code, whatever they begin with", () => {
  expect(normalisePhone("8432 12 34 56")).toBe("+78432123456");
});

test("stored phones are plus seven and ten digits, nothing else", () => {
  expect(isPhone("+79161234567")).toBe(true);
  for (const other of ["79161234567", "+7916123456", "+7916123456\n", "+7916123456٧"]) expect(isPhone(other)).toBe(false);
});

test.each([
  ["Иван", { name: "Иван", lastName: "", secondName: "" }],
  ["Иванов Иван", { name: "Иван", lastName: "Иванов", secondName: "" }],
  ["  Иванов   Иван\u00A0Иванович ", { name: "Иван", lastName: "Иванов", secondName: "Иванович" }],
  ["Мамедов Али Гейдар оглы", { name: "Али", lastName: "Мамедов", secondName: "Гейдар оглы" }],
  ["Иванов И И", { name: "И", lastName: "Иванов", secondName: "И" }],
  ["", { name: "", lastName: "", secondName: "" }],
])("the full name «%s» is split as people write it", (text, parts) => {
  expect(splitFullName(text)).toEqual(parts);
  expect(fullNameOf(parts).split(" ").length).toBe(text.trim() === "" ? 1 : text.trim().split(/\s+/).length);
});

test.each(["a@b.ru", "ivan.petrov+shop@mail.example.com", "i_p-1@xn--80a.xn--p1ai", "ivan@почта.рф", `${"a".repeat(64)}@example.com`])(
  "%s is a valid address",
  (email) => {
    expect(isEmail(email)).toBe(true);
  },
);

test.each([
  "",
  "a",
  "a@b",
  "@b.ru",
  "a@",
  "a@@b.ru",
  "a b@c.ru",
  "a@b..ru",
  ".a@b.ru",
  "a.@b.ru",
  "a..b@c.ru",
  "a@-b.ru",
  "a@b-.ru",
  "a@b.r",
  "a@b.12",
  "a@b.ru,c@d.ru",
  "a@b.ru\nBcc: c@d.ru",
  '"a b"@c.ru',
  "a@[127.0.0.1]",
  `${"a".repeat(65)}@example.com`,
  `a@${"b".repeat(64)}.ru`,
  `a@${"b.".repeat(130)}ru`,
])("%s cannot be written to", (email) => {
  expect(isEmail(email)).toBe(false);
});

test("malicious texts of fifty thousand letters are rejected at once", () => {
  const took = processorMs(() => {
    for (const text of ["a".repeat(50_000), `${"a.".repeat(25_000)}@`, " ".repeat(50_000), "1-".repeat(25_000)]) {
      expect(isEmail(text)).toBe(false);
      expect(normalisePhone(text)).toBeNull();
    }
  });
  expect(took).toBeLessThan(100); // time in the square of the length would be seconds
});

test("a city is filled in from a profile only if its name is longer than two characters", () => {
  const of = (name: string) => cityOf({ city: { code: "0000073738", name } });
  expect(of("Уфа")).toEqual({ code: "0000073738", name: "Уфа" });
  expect(of("Ош")).toBeNull();
  expect(of(" Ош ")).toBeNull();
  expect(cityOf({})).toBeNull();
  expect(cityOf(null)).toBeNull();
});
