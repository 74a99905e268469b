import { expect, test } from "vitest";
import { orderProgress } from "./order-progress.ts";

const at = new Date("2026-11-20T11:34:00Z");
const pickup = { isCollected: false, hasPoint: true, isPaidFirst: true };

test("a parcel on its way shows finished and remaining steps", () => {
  const path = orderProgress({
    ...pickup,
    state: "shipped",
    history: [
      { state: "awaiting_payment", at },
      { state: "paid", at },
      { state: "assembled", at },
      { state: "shipped", at },
    ],
  });
  expect(path.map(({ name, state }) => `${name}: ${state}`)).toEqual([
    "Оформлен: done",
    "Оплачен: done",
    "Собран: done",
    "В пути: now",
    "Готов к выдаче: ahead",
    "Получен: ahead",
  ]);
});

test("an order paid at the office has no steps of payment and shipping", () => {
  const path = orderProgress({
    isCollected: true,
    hasPoint: false,
    isPaidFirst: false,
    state: "placed",
    history: [{ state: "placed", at }],
  });
  expect(path.map(({ name }) => name)).toEqual(["Оформлен", "Собран", "Готов к выдаче", "Получен"]);
});

test("a cancelled order ends where it was cancelled", () => {
  const path = orderProgress({
    ...pickup,
    state: "cancelled",
    history: [
      { state: "awaiting_payment", at },
      { state: "paid", at },
      { state: "cancelled", at },
    ],
  });
  expect(path.map(({ name, state }) => `${name}: ${state}`)).toEqual(["Оформлен: done", "Оплачен: done", "Отменён: done"]);
});

test("a part payment does not change when the order was placed", () => {
  const later = new Date("2026-11-21T09:00:00Z");
  const path = orderProgress({
    ...pickup,
    state: "awaiting_payment",
    history: [
      { state: "awaiting_payment", at },
      { state: "awaiting_payment", at: later },
    ],
  });
  expect(path[0]).toEqual({ name: "Оформлен", state: "now", at });
});

test("a requested cancellation is the current step", () => {
  const history = [
    { state: "awaiting_payment", at },
    { state: "paid", at },
    { state: "assembled", at },
    { state: "cancellation_requested", at },
  ] as const;
  expect(orderProgress({ ...pickup, state: "cancellation_requested", history }).map(({ name, state }) => `${name}: ${state}`)).toEqual([
    "Оформлен: done",
    "Оплачен: done",
    "Собран: done",
    "Отмена запрошена: now",
  ]);
});

test("a returning parcel is shown on its way back, and then as returned", () => {
  const history = [
    { state: "awaiting_payment", at },
    { state: "paid", at },
    { state: "assembled", at },
    { state: "shipped", at },
    { state: "returning", at },
  ] as const;
  expect(orderProgress({ ...pickup, state: "returning", history }).at(-1)).toEqual({ name: "Возвращается в магазин", state: "now", at });
  expect(
    orderProgress({ ...pickup, state: "returned", history: [...history, { state: "returned", at }] })
      .slice(-2)
      .map(({ name, state }) => `${name}: ${state}`),
  ).toEqual(["Возвращается в магазин: done", "Возвращён: done"]);
});
