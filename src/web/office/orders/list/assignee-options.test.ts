import { expect, test } from "vitest";
import { assigneeOptions } from "./assignee-options.ts";

const colleagues = [
  { login: "anna", name: "Анна Продажина" },
  { login: "oleg", name: "Олег Владельцев" },
];

test("orders are filtered by no assignee, oneself and each colleague who has orders", () => {
  expect(assigneeOptions(colleagues, "anna", "oleg")).toEqual([
    ["", "любой"],
    ["nobody", "никто"],
    ["anna", "вы"],
    ["oleg", "Олег Владельцев"],
  ]);
});

test("a colleague named in the address stays chosen without orders", () => {
  expect(assigneeOptions(colleagues, "anna", "maria").at(-1)).toEqual(["maria", "maria"]);
});
