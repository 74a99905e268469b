import { expect, test } from "vitest";
import { maskContactsIn, maskName } from "./mask.ts";

test("phones and e-mail addresses inside of a text are masked, other numbers are not", () => {
  expect(maskContactsIn("Звоните +7 (916) 123-45-67 или 89161234568, пишите ivan.petrov@mail.ru.")).toBe(
    "Звоните +7 ••• •••-45-67 или +7 ••• •••-45-68, пишите i•••@mail.ru.",
  );
  for (const text of ["Сеятель 1976, 25 штук", "с 10:00 до 18:00", "ИНН 7700000009123", "5 000 000 рублей"])
    expect(maskContactsIn(text)).toBe(text);
});

test("a name that begins with an emoji is masked without breaking its surrogate pair", () => {
  expect(maskName("😀 Анна")).toBe("😀•••");
  expect(maskName("Петров")).toBe("П•••");
  expect(maskName("")).toBe("");
});
