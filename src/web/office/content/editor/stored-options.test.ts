import { expect, test } from "vitest";
import { optionsWith } from "./stored-options.ts";

const groups = [
  ["Монеты", "Монеты"],
  ["Доставка", "Доставка"],
] as const;
const words = { gone: "такого раздела нет", none: "Не выбран" };

test("what is stored is chosen from the list; what is gone stays chosen and says so", () => {
  expect(optionsWith("Доставка", groups, words)).toEqual(groups);
  expect(optionsWith("Подарки", groups, words)).toEqual([["Подарки", "Подарки — такого раздела нет"], ...groups]);
  expect(optionsWith("7", [["20", "Как выбрать"]], words)[0]).toEqual(["7", "7 — такого раздела нет"]);
});

test("nothing is offered as long as something must be chosen, unless nothing is chosen yet", () => {
  expect(optionsWith("", groups, words)).toEqual([["", "Не выбран"], ...groups]);
  expect(optionsWith("Монеты", groups, { ...words, isOptional: true })[0]).toEqual(["", "Не выбран"]);
});

test("while the list is loaded nothing that is stored looks wrong", () => {
  expect(optionsWith("Монеты", null, words)).toEqual([["Монеты", "Монеты"]]);
});
