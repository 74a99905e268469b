import { expect, test } from "vitest";
import { refusalText } from "./refusal-text.ts";

test("a seal or a payment order that another order has names that order", () => {
  const message = "Текст кода";
  expect(refusalText({ code: "order.seal_taken", message, data: { orderNumber: 1168 } })).toBe("Эта пломба уже на заказе 1168");
  expect(refusalText({ code: "order.transfer_known", message, data: { orderNumber: 1168 } })).toMatch(/^Уже учтено в заказе 1168\./);
});

test("a refused act says its reason, anything else the text of its code", () => {
  const message = "Текст кода";
  expect(refusalText({ code: "staff.act_refused", message, data: { reason: "Заказ ещё не оплачен" } })).toBe("Заказ ещё не оплачен");
  expect(refusalText({ code: "network.failed", message, data: undefined })).toBe(message);
});
