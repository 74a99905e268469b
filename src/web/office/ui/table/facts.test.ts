import { expect, test } from "vitest";
import { differences, factsOf, fieldName } from "./facts.ts";

test("a stored record is shown field by field", () => {
  expect(factsOf({ roles: ["owner", "admin"], isDisabled: false, limit: { sum: 100 }, note: null })).toEqual([
    { name: "roles", value: "owner, admin" },
    { name: "isDisabled", value: "нет" },
    { name: "limit.sum", value: "100" },
    { name: "note", value: "нет" },
  ]);
});

test("steps of prices have words", () => {
  const [first] = factsOf({ steps: [{ quantity: 5, discountBp: 50 }] });
  expect(fieldName(first?.name ?? "")).toBe("Ступень 1: от, штук");
  expect(fieldName("steps.1.discountBp")).toBe("Ступень 2: скидка, б. п.");
});

test("before and after are side by side, also when a field is new or gone", () => {
  expect(differences({ state: "paid", note: "x" }, { state: "packed", seal: 7 })).toEqual([
    { name: "state", before: "paid", after: "packed", isChanged: true },
    { name: "note", before: "x", after: "", isChanged: true },
    { name: "seal", before: "", after: "7", isChanged: true },
  ]);
  expect(differences(null, null)).toEqual([]);
});
