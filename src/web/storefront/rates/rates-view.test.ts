import { expect, test } from "vitest";
import { gramsFrom } from "./rates-view.ts";

test.each<[string, number]>([
  ["7,78", 7.78],
  ["31.1 г", 31.1],
  [" 1 000 ", 1000],
  ["8,6гр.", 8.6],
  ["1\u00a0000 грамм", 1000],
  ["100000", 100_000],
])("a mass of «%s» is %d g", (text, grams) => expect(gramsFrom(text)).toBe(grams));
test.each(["", "0", "-5", "1e3", "abc", "99999999", "7,78,1", "100001", "1 oz", "Infinity"])("«%s» is not a mass", (text) =>
  expect(gramsFrom(text)).toBeNull(),
);
