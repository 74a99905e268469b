import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { actionGroups, actionName, subjectText } from "./action-words.ts";
import { factText } from "./fact-text.ts";

const contract = join(import.meta.dirname, "../../../contract/staff");
/** The actions that the calls of the contract declare. */
const actions = [
  ...new Set(
    globSync("**/*.ts", { cwd: contract }).flatMap((file) =>
      [...readFileSync(join(contract, file), "utf8").matchAll(/\baudit: "([a-z_.]+)"/g)].map(([, action = ""]) => action),
    ),
  ),
];

test("every action of the audit has Russian words, and its first part is in the filter", () => {
  expect(actions.length).toBeGreaterThan(100);
  expect(actions.filter((action) => actionName(action) === action)).toEqual([]);
  const groups = new Set(actionGroups.map(([group]) => group));
  expect(actions.map((action) => action.split(".")[0] ?? "").filter((group) => !groups.has(group))).toEqual([]);
});

test("what an entry is about and what it stored is read in words, an order by its number", () => {
  expect(subjectText("order:Zx3", 100_123)).toBe("заказ 100123");
  expect(subjectText("staff:ivanova", null)).toBe("сотрудник ivanova");
  expect(subjectText("orders", null)).toBe("заказы");
  expect(factText("order.refund", "kopecks", "9064050")).toBe("90\u00A0640,50\u00A0₽");
  expect(factText("order.move", "state", "assembled")).toBe("собран");
  expect(factText("buyback.receive", "state", "received")).toBe("монеты у нас");
  expect(factText("buyback.check", "checkedKopecks", "15680000")).toBe("156\u00A0800\u00A0₽");
  expect(factText("buyback.check", "lines.0.condition", "fair")).toBe("со следами");
  expect(factText("order.move", "event", "cancel")).toBe("Отменён");
  expect(factText("staff.change_roles", "roles", "owner, sales")).toBe("владелец, продажи");
  expect(factText("alarm.close", "note", "сделали сами")).toBe("сделали сами");
});
