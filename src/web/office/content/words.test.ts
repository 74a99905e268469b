import { expect, test } from "vitest";
import { fromField, toField } from "./words.ts";

test("the time of a publication is shown and read by the clock of Moscow", () => {
  expect(toField("2026-11-20T21:30:00Z")).toBe("2026-11-21T00:30");
  expect(toField(null)).toBe("");
  expect(fromField("2026-11-21T00:30")).toBe("2026-11-21T00:30:00+03:00");
  expect(fromField("")).toBeNull();
});

test("a year of five digits stays as typed, so that the field does not fail while it is typed", () => {
  expect(fromField("20261-11-21T00:30")).toBe("20261-11-21T00:30");
  expect(toField("20261-11-21T00:30")).toBe("20261-11-21T00:30");
});
