import { expect, test } from "vitest";
import { settlingOf } from "./settling.ts";

const order = { state: "awaiting_payment" as const, total: 12_000, paid: 0 };
const said = (...of: Parameters<typeof settlingOf>) => settlingOf(...of).text.replaceAll(/\s/g, " ");

test("an order that waits for money takes what is missing, and the rest goes back", () => {
  expect(settlingOf(order, 12_000)).toEqual({ isExact: true, text: "сумма сходится" });
  expect(said({ ...order, paid: 5_000 }, 6_000)).toBe("не хватает 1 000 ₽");
  expect(said({ ...order, paid: 5_000 }, 8_000)).toBe("лишних 1 000 ₽, вернём вручную");
});

test("kopecks agree exactly", () => {
  expect(settlingOf({ ...order, total: 451_230.55, paid: 100_000.3 }, 351_230.25).isExact).toBe(true);
});

test("an order that takes no money is not said to agree, whatever its sum", () => {
  expect(said({ ...order, state: "cancelled" }, 12_000)).toBe("отменён: 12 000 ₽ вернём вручную");
  expect(said({ ...order, state: "delivered", paid: 12_000 }, 500)).toBe("выдан: 500 ₽ вернём вручную");
  expect(said({ ...order, state: "cancellation_requested", paid: 12_000 }, 500)).toBe("отмена запрошена: 500 ₽ вернём вручную");
  expect(said({ ...order, state: "placed" }, 12_000)).toBe("заказ оплачивают в офисе");
});
