import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import type { PayableOrder } from "#shop/orders/transfers/statement.ts";
import { isOneTypoAway, suggest, suggestEach } from "./suggestion.ts";

const anOrder = (number: number, change: Partial<PayableOrder> = {}): PayableOrder => ({
  id: `order-${number}`,
  number,
  state: "awaiting_payment",
  total: kopecks(1_000_000),
  paid: kopecks(0),
  recipient: { lastName: "Титов", name: "Сергей", secondName: "Викторович" },
  createdAt: new Date("2026-11-20T10:00:00Z"),
  reservedUntil: null,
  ...change,
});
const anEntry = (purpose: string, change: { amount?: number; payer?: string } = {}) => ({
  purpose,
  amount: kopecks(change.amount ?? 1_000_000),
  payer: change.payer ?? "ООО Ромашка",
});
const found = (entry: ReturnType<typeof anEntry>, orders: PayableOrder[]) =>
  suggest(entry, orders).map(({ order, reasons, isStrong }) => [order.number, reasons.join(" "), isStrong]);

test("an order with the sum and a mistyped number is suggested strongly, others behind it", () => {
  const others = anOrder(10_077, { total: kopecks(500), recipient: { lastName: "Орлова", name: "Мария", secondName: "" } });
  expect(found(anEntry("за монеты 10050"), [others, anOrder(10_005)])).toEqual([[10_005, "sum number_like", true]]);
  expect(found(anEntry("по счету 10005", { amount: 900_000 }), [anOrder(10_005)])).toEqual([[10_005, "number", false]]);
});

test("the payer's surname with an initial is like the order's name; another initial is not", () => {
  expect(found(anEntry("монеты", { payer: "Титов С. В." }), [anOrder(10_005)])).toEqual([[10_005, "sum name", true]]);
  expect(found(anEntry("монеты", { payer: "ТИТОВ ПЁТР" }), [anOrder(10_005)])).toEqual([[10_005, "sum", false]]);
});

test("two orders that agree equally are offered, and neither is strong", () => {
  expect(found(anEntry("монеты", { payer: "Титов Сергей" }), [anOrder(10_005), anOrder(10_006)])).toEqual([
    [10_006, "sum name", false],
    [10_005, "sum name", false],
  ]);
});

test("two transfers that agree with one order are offered it, and neither is accepted without a look", () => {
  const entries = [anEntry("монеты", { payer: "Титов Сергей" }), anEntry("за монеты 10050"), anEntry("монеты", { payer: "Орлова Мария" })];
  const other = anOrder(10_077, { recipient: { lastName: "Орлова", name: "Мария", secondName: "" } });
  expect(suggestEach(entries, [anOrder(10_005), other]).map(([best]) => [best?.order.number, best?.isStrong])).toEqual([
    [10_005, false],
    [10_005, false],
    [10_077, true],
  ]);
});

test("the rest of an order that is paid in part agrees with the sum; a paid order is suggested by its number only", () => {
  expect(found(anEntry("монеты", { amount: 400_000 }), [anOrder(10_005, { paid: kopecks(600_000) })])).toEqual([[10_005, "sum", false]]);
  expect(found(anEntry("доплата за 10005"), [anOrder(10_005, { state: "paid" })])).toEqual([[10_005, "number", false]]);
});

test("a number that another order has is not taken for a mistyped one: its money is not accepted for the neighbour", () => {
  const named = anOrder(10_050, { state: "delivered", total: kopecks(700_000) });
  expect(found(anEntry("за монеты 10050"), [named, anOrder(10_005)])).toEqual([
    [10_050, "number", false],
    [10_005, "sum", false],
  ]);
});

test("one wrong, missing, additional or swapped digit is a typo; the same number and two wrong digits are not", () => {
  for (const typed of ["10006", "1005", "100055", "10050"]) expect([typed, isOneTypoAway(typed, "10005")]).toEqual([typed, true]);
  for (const typed of ["10005", "10116", "1050", "20006"]) expect([typed, isOneTypoAway(typed, "10005")]).toEqual([typed, false]);
});
