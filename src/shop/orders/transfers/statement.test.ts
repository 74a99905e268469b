import { expect, test } from "vitest";
import { isPayer, findOrderNumbers } from "./statement.ts";

test.each([
  ["Оплата заказа № 10005. В том числе НДС 22% 32500.50", [10_005]],
  ["оплата по счёту 10005 от 20.11.2026", [10_005]],
  ["ОПЛАТА ПО СЧЕТУ НА ОПЛАТУ №10005 ОТ 20.11.26 БЕЗ НДС", [10_005]],
  ["сч.10005", [10_005]],
  ["Order No. 10005", [10_005]],
  ["zakaz 10005", [10_005]],
  [" 10005 ", [10_005]],
  ["за монеты, №№10005", [10_005]],
  ["Заказы 10005, 10006 и №10007", [10_005, 10_006, 10_007]],
  ["заказ 10005, счёт № 10005", [10_005]],
  ["Перевод с р/счета 40817810099910004312", []], // an account is not an order
  ["за монеты 20.11.2026", []],
  ["Возврат займа 100000 руб", []],
  ["заказ № 123", []],
  ["", []],
])("the purpose «%s» names %j", (purpose, numbers) => {
  expect(findOrderNumbers(purpose).numbers).toEqual(numbers);
});

test.each([
  ["Оплата заказа № 10005", []],
  ["сч.10005", []],
  ["заказ 10005 и № 10006", []],
  ["по договору № 10005 за заказ 10005", []],
  ["по договору № 10005", [10_005]],
  ["№№10005", [10_005]],
  ["10005", [10_005]],
  ["договор № 20007, заказ 10005", [20_007]],
])("in the purpose «%s» stand without a word for an order: %j", (purpose, bare) => {
  expect(findOrderNumbers(purpose).bare).toEqual(bare);
});

test("a payer is the recipient when every word of the recipient's name is in the payer's", () => {
  const recipient = { lastName: "Алёхина", name: "Анна", secondName: "Петровна" };
  for (const payer of ["АЛЕХИНА АННА ПЕТРОВНА", "Анна Петровна Алёхина", "ИНН 770000000009 АЛЕХИНА АННА ПЕТРОВНА//МОСКВА//"])
    expect([payer, isPayer(payer, recipient)]).toEqual([payer, true]);
  for (const payer of ["Алехин Анна Петровна", "Алехина А. П.", "Алехина Анна", ""])
    expect([payer, isPayer(payer, recipient)]).toEqual([payer, false]);
  expect(isPayer("Алехина Анна", { ...recipient, secondName: "" })).toBe(true);
  expect(isPayer("Анна", { name: "Анна", lastName: "", secondName: "" })).toBe(false);
});
