import { expect, test } from "vitest";
import { differences, factsOf } from "./facts.ts";

test("a stored record is shown field by field", () => {
  expect(factsOf({ roles: ["owner", "admin"], isDisabled: false, limit: { sum: 100 }, note: null })).toEqual([
    { name: "roles", value: "owner, admin" },
    { name: "isDisabled", value: "нет" },
    { name: "limit.sum", value: "100" },
    { name: "note", value: "нет" },
  ]);
});

test("before and after stand side by side, also when a field is new or gone", () => {
  expect(differences({ state: "paid", note: "x" }, { state: "packed", seal: 7 })).toEqual([
    { name: "state", before: "paid", after: "packed", isChanged: true },
    { name: "note", before: "x", after: "", isChanged: true },
    { name: "seal", before: "", after: "7", isChanged: true },
  ]);
  expect(differences(null, null)).toEqual([]);
});
