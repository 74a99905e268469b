import { expect, test } from "vitest";
import { assigneeOptions } from "./assignee-options.ts";

const colleagues = [
  { login: "anna", name: "Анна Продажина" },
  { login: "oleg", name: "Олег Владельцев" },
];

test("orders are filtered by no one, oneself and each colleague who looks after orders", () => {
  expect(assigneeOptions(colleagues, "anna", "oleg")).toEqual([
    ["", "любой"],
    ["nobody", "никто"],
    ["anna", "вы"],
    ["oleg", "Олег Владельцев"],
  ]);
});

test("a colleague of the address who no longer looks after orders stays chosen", () => {
  expect(assigneeOptions(colleagues, "anna", "maria").at(-1)).toEqual(["maria", "maria"]);
});
