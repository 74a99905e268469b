import { expect, test } from "vitest";
import { alarmGroups, alarmsOf, type WaitingGroupId } from "#contract/staff/waiting/waiting.ts";
import { alarmWords } from "./alarm-words.ts";

test("every alarm that a person settles says what happened and what to do", () => {
  const settled = [...new Set(Object.values(alarmGroups))].flatMap((group: WaitingGroupId) => alarmsOf(group));
  expect(settled.length).toBeGreaterThan(15);
  expect(settled.filter((name) => alarmWords(name).title === name || alarmWords(name).act === "")).toEqual([]);
});
