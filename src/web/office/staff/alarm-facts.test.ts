import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { statesOf } from "#kit/transitions.ts";
import { shipmentStates } from "#shop/delivery/shipment.ts";
import { orderStates } from "#shop/orders/order.ts";
import { alarmFact } from "./alarm-facts.ts";
import { when } from "./words.ts";

const reason = (value: string): string => alarmFact("reason", value, null);
const english = /^[^а-яё]*$|the |server/i;

test("every sentence that the shop gives as the reason of an alarm is shown in Russian", () => {
  const sentences = globSync("src/shop/**/*.service.ts")
    .flatMap((path) => [...readFileSync(path, "utf8").matchAll(/ctx\.alarm\([^;]*?reason: "([^"]+)"/g)])
    .map(([, sentence = ""]) => sentence);
  expect(sentences.length).toBeGreaterThan(3);
  for (const each of sentences) expect([each, reason(each)]).toEqual([each, expect.not.stringMatching(english)]);
  for (const state of statesOf(orderStates)) expect(reason(`the order is ${state}`)).toMatch(/^состояние заказа: [а-яё ]+$/);
  for (const state of statesOf(shipmentStates)) expect(reason(`the parcel is ${state}`)).toMatch(/^посылка [а-яё СДЭК]+$/);
});

test("a reason names the code of the carrier, and what only helps at the server says so", () => {
  expect(reason("the carrier refused the recall")).toBe("СДЭК не отдал посылку");
  expect(reason("the order is shipped")).toBe("состояние заказа: в пути");
  expect(reason("v2_entity_invalid, v2_bad_request")).toBe("СДЭК ответил: v2_entity_invalid, v2_bad_request");
  expect(reason("DELIVERED was taken back")).toBe("СДЭК отозвал состояние DELIVERED");
  expect(reason("sms: refused with 201")).toBe("оператор SMS ответил кодом 201");
  expect(reason("mail: EENVELOPE 553")).toBe("почтовый сервер ответил EENVELOPE 553");
  expect(reason("mailbox hour")).toBe("слишком много писем на один ящик за час");
  expect(reason("I2 coin 3: on hand 101, entries sum to 100")).toMatch(/^для администратора сервера: I2 coin 3/);
});

test("times are shown in Moscow time, orders by their number, codes in words", () => {
  const at = "2026-01-20T21:30:00.000Z";
  expect(alarmFact("provedAt", at, null)).toBe(when(at));
  expect(alarmFact("provedAt", at, null)).toContain("00:30");
  expect(alarmFact("provedAt", "", null)).toBe("не было");
  expect(alarmFact("orderId", "Zx3aB8", 100_168)).toBe("100168");
  expect(alarmFact("orderId", "Zx3aB8", null)).toBe("Zx3aB8");
  expect(alarmFact("difference", "unknown_there", null)).toBe("платёжная система не знает этого платежа");
  expect(alarmFact("usedPercent", 91, null)).toBe("91");
});
