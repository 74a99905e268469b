import { expect, test } from "vitest";
import { notPayableText, type PayRefusal } from "./pay-order.ts";

const refused = { status: 409, message: "Этот заказ уже нельзя оплатить", fields: {}, retryAfter: null };
const notPayable = (data: Extract<PayRefusal, { code: "order.not_payable" }>["data"]): PayRefusal => ({
  ...refused,
  code: "order.not_payable",
  data,
});

test.each([
  ["paid in another tab", { status: "paid" }, "Заказ 10004 уже оплачен"],
  ["assembled meanwhile", { status: "assembled" }, "Заказ 10004 уже оплачен"],
  ["its time ran out", { status: "cancelled" }, "Заказ 10004 уже отменён, деньги не списаны"],
  ["too late for a new attempt", { status: "awaiting_payment" }, "Этот заказ уже нельзя оплатить"],
  ["a server that says no more", undefined, "Этот заказ уже нельзя оплатить"],
] as const)("an order that cannot be paid any more says how it is: %s", (_case, data, words) => {
  expect(notPayableText(notPayable(data), 10_004)).toBe(words);
});

test("a payment that can be tried again is not reported as impossible", () => {
  expect(notPayableText({ ...refused, code: "payment.unavailable", data: undefined }, 10_004)).toBeNull();
});
