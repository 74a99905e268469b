import { expect, test } from "vitest";
import { countable } from "./missed.ts";

test("queries are counted, and nothing that may be of a person", () => {
  expect(countable("динозавр")).toBe("динозавр");
  expect(countable("рубль 1924")).toBe("рубль 1924");
  expect(countable("5111-0178")).toBe("5111-0178");
  for (const query of ["+7 916 123-45-67", "заказ 10234", "ivan@example.ru", "x", "слово ".repeat(20)]) expect(countable(query)).toBeNull();
});
