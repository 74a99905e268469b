import { expect, test } from "vitest";
import { groupOptions } from "./question-groups.ts";

const names = ["Монеты", "Доставка"];

test("a question's group is chosen from the stored ones; a group that is gone stays chosen and says so", () => {
  expect(groupOptions("Доставка", names).map(([value]) => value)).toEqual(names);
  expect(groupOptions("", names)[0]).toEqual(["", "Не выбран"]);
  expect(groupOptions("Подарки", names)).toEqual([["Подарки", "Подарки — такого раздела нет"], ...names.map((name) => [name, name])]);
});

test("while the groups are loaded nothing that is stored looks wrong", () => {
  expect(groupOptions("Монеты", null)).toEqual([["Монеты", "Монеты"]]);
});

test("the page of a coin may have no group", () => {
  expect(groupOptions("Монеты", names, "Без вопросов")[0]).toEqual(["", "Без вопросов"]);
});
