import { expect, test } from "vitest";
import { lostMessages } from "./first-wrong.ts";

test("a message is lost only when the screen shows none of them", () => {
  const fields = { password: "Не короче 12 символов", code: "Шесть цифр из приложения" };
  expect(lostMessages(fields, "Пароль Не короче 12 символов")).toEqual([]);
  expect(lostMessages(fields, "Пароль и код")).toEqual(["Не короче 12 символов", "Шесть цифр из приложения"]);
  expect(lostMessages({ first: "Обязательное поле", second: "Обязательное поле" }, "")).toEqual(["Обязательное поле"]);
});
