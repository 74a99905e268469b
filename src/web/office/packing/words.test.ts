import { expect, test } from "vitest";
import { statesOf } from "#kit/transitions.ts";
import { shipmentStates } from "#shop/delivery/shipment.ts";
import { labelEndText, labelFaultText, leftOutText } from "./words.ts";

test("each state of a parcel without a label, and a parcel that was packed again, has Russian words", () => {
  const printed = ["new", "accepted", "registered", "in_transit", "at_point"];
  const faults = [...statesOf(shipmentStates).filter((state) => !printed.includes(state)), "repacked"];
  expect(faults).toHaveLength(5);
  for (const fault of faults) expect(labelFaultText(fault)).not.toMatch(/код|[a-z]/);
  expect(labelFaultText("v2_entity_invalid")).toBe("СДЭК ответил отказом, код v2_entity_invalid");
});

test("the window of labels says why there is no file, and that a parcel without a label is left out of the next one", () => {
  expect(labelEndText({ state: "failed", fault: "invalid" })).toBe(
    "Файл не напечатан: СДЭК отклонил посылку. Напечатайте ещё раз с карточки заказа или с экрана партии: такой заказ в файл не войдёт",
  );
  expect(labelEndText({ state: "failed", fault: "INVALID" })).not.toContain("не войдёт");
  expect(labelEndText({ state: "expired", fault: null })).toContain("уже удалён");
  for (const state of ["waiting", "asked", "ready"] as const) expect(labelEndText({ state, fault: null })).toBeNull();
});

test("orders without a label are named with their reasons", () => {
  expect(
    leftOutText([
      { number: 1168, reason: "СДЭК отклонил посылку" },
      { number: null, reason: "Такого заказа нет" },
    ]),
  ).toBe("Без этикетки: заказ 1168, СДЭК отклонил посылку; Такого заказа нет");
});
