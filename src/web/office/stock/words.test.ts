import { expect, test } from "vitest";
import { stockCostText } from "./words.ts";

test("an unknown cost of the stock is said, and is no zero", () => {
  expect(stockCostText({ pieces: 5, uncosted: 5, cost: 0 })).toBe("себестоимость неизвестна");
  expect(stockCostText({ pieces: 5, uncosted: 2, cost: 1200.4 })).toMatch(/^себестоимость 1.200 ₽ без 2 шт\.$/);
  expect(stockCostText({ pieces: 5, cost: 1200 })).toMatch(/^себестоимость 1.200 ₽$/);
});
