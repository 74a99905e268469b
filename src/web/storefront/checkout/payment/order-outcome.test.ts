import { expect, test } from "vitest";
import { outcomeOf } from "./order-outcome.ts";

const waiting = {
  state: "awaiting_payment",
  methodId: 4,
  status: "pending",
  isPaid: false,
  isRefunded: false,
  isRefunding: false,
  isCertain: true,
} as const;

test("a captured payment is never shown as failed", () => {
  for (const state of ["paid", "assembled", "shipped", "ready", "delivered"] as const) {
    expect(outcomeOf({ ...waiting, state, isPaid: true, status: "canceled" })).toBe("paid");
  }
  expect(outcomeOf({ ...waiting, isPaid: true, status: "canceled" })).toBe("paid");
});

test("an order that is not paid waits for its payment", () => {
  expect(outcomeOf(waiting)).toBe("waiting");
});

test("until the provider answers, the page says that it is checking", () => {
  expect(outcomeOf({ ...waiting, isCertain: false })).toBe("checking");
  expect(outcomeOf({ ...waiting, status: "waiting_for_capture" })).toBe("checking");
});

test("only the provider's answer makes a payment declined", () => {
  expect(outcomeOf({ ...waiting, status: "canceled" })).toBe("declined");
});

test("an invoice and payment at the office are not waited for on this page", () => {
  expect(outcomeOf({ ...waiting, methodId: 6 })).toBe("invoice");
  expect(outcomeOf({ ...waiting, state: "placed", methodId: 7 })).toBe("on_collection");
});

test("a cancelled order says where the money is", () => {
  expect(outcomeOf({ ...waiting, state: "cancelled", status: "canceled" })).toBe("cancelled");
  expect(outcomeOf({ ...waiting, state: "cancelled", status: "succeeded", isRefunding: true })).toBe("refunding");
  expect(outcomeOf({ ...waiting, state: "cancelled", isPaid: true, isRefunded: true, status: "refunded" })).toBe("refunded");
});

test("an order that was returned to the shop is not called cancelled", () => {
  expect(outcomeOf({ ...waiting, state: "returned", isPaid: true, status: "succeeded" })).toBe("returned");
});
