import { expect, test } from "vitest";
import { shipsUnpaid } from "./refund-warning.ts";

test("a refund of all money warns while the coins are still to be sent", () => {
  const whole = { leftAfter: 0, isDropped: false };
  for (const state of ["paid", "assembled"] as const) expect([state, shipsUnpaid(state, whole)]).toEqual([state, true]);
  for (const state of ["shipped", "delivered", "cancelled", "returned"] as const)
    expect([state, shipsUnpaid(state, whole)]).toEqual([state, false]);
  expect(shipsUnpaid("paid", { leftAfter: 400, isDropped: false })).toBe(false);
  expect(shipsUnpaid("paid", { leftAfter: 0, isDropped: true })).toBe(false);
});
