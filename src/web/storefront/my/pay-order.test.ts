import { expect, test } from "vitest";
import type { ApiRefusal } from "#contract/client.ts";
import { notPayableWords } from "./pay-order.ts";

const refusal = (code: ApiRefusal["code"], data: unknown): ApiRefusal => ({
  code,
  data,
  status: 409,
  message: "Этот заказ уже нельзя оплатить",
  fields: {},
  retryAfter: null,
});

test.each([
  ["paid in another tab", { status: "paid" }, "Заказ 10004 уже оплачен"],
  ["assembled meanwhile", { status: "assembled" }, "Заказ 10004 уже оплачен"],
  ["its time ran out", { status: "cancelled" }, "Заказ 10004 уже отменён, деньги не списаны"],
  ["too late for a new attempt", { status: "awaiting_payment" }, "Этот заказ уже нельзя оплатить"],
  ["a server that says no more", null, "Этот заказ уже нельзя оплатить"],
])("whoever pays an order that cannot be paid any more is told how it is: %s", (_case, data, words) => {
  expect(notPayableWords(refusal("order.not_payable", data), 10_004)).toBe(words);
});

test("what may be tried again is no end", () => {
  expect(notPayableWords(refusal("payment.unavailable", null), 10_004)).toBeNull();
});
