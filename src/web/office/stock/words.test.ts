import { expect, test } from "vitest";
import { refusalTexts, stockCostText } from "./words.ts";

test("an unknown cost of the stock is said, and is no zero", () => {
  expect(stockCostText({ pieces: 5, uncosted: 5, cost: 0 })).toBe("себестоимость неизвестна");
  expect(stockCostText({ pieces: 5, uncosted: 2, cost: 1200.4 })).toMatch(/^себестоимость 1.200 ₽ без 2 шт\.$/);
  expect(stockCostText({ pieces: 5, cost: 1200 })).toMatch(/^себестоимость 1.200 ₽$/);
});

test("each line that cannot be posted says why, in its own words", () => {
  const coin = { id: 1, title: "Соболь", code: "5111-0033", metal: "silver" as const };
  const line = { coin, needed: 2, onHand: 3, reserved: 2 };
  const texts = refusalTexts({ lines: (["short", "cost_known", "cost_used", "corrected"] as const).map((why) => ({ ...line, why })) });
  expect(texts).toEqual([
    "Соболь: нужно убрать 2, на складе 3, из них в заказах 2",
    "Соболь: себестоимость всех монет уже известна",
    "Соболь: часть этих монет уже продана",
    "Соболь: остаток исправили после подсчёта. Уберите строку и, если нужно, пересчитайте монету заново",
  ]);
});
