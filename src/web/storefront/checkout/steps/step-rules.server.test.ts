import { expect, test } from "vitest";
import { noAddress, type CheckoutEntries } from "#shop/checkout/entries/entries.ts";
import { contactMistakes, firstOpenStep, isReachable, pointMistakes } from "./step-rules.server.ts";

const buyer = { lastName: "Иванова", name: "Анна", secondName: "", phone: "8 (916) 123-45-67", email: "anna@example.ru" };
const courier: CheckoutEntries = { buyer, cityCode: "0000073738", deliveryId: 45 };

test("mistakes in contacts have the API's texts, beside each field", () => {
  expect(contactMistakes({ buyer })).toEqual({});
  expect(contactMistakes({})).toEqual({
    lastName: "Обязательное поле",
    name: "Обязательное поле",
    phone: "Обязательное поле",
    email: "Обязательное поле",
  });
  expect(contactMistakes({ buyer: { ...buyer, phone: "123", email: "не почта", lastName: "я".repeat(101) } })).toEqual({
    lastName: "Слишком длинный текст",
    phone: "Телефон указан неверно",
    email: "Email указан неверно",
  });
  expect(contactMistakes({ buyer: { ...buyer, lastName: "😀", name: "123", secondName: "—" } })).toEqual({
    lastName: "Напишите буквами, как в паспорте",
    name: "Напишите буквами, как в паспорте",
    secondName: "Напишите буквами, как в паспорте",
  });
});

test("pickup needs a point, a courier needs street and house, special contact and the office need nothing", () => {
  expect(pointMistakes({ deliveryId: 76, pointId: "" })).toEqual({ pvzId: "Выберите пункт выдачи" });
  expect(pointMistakes({ deliveryId: 76, pointId: "MSK1" })).toEqual({});
  expect(pointMistakes({ deliveryId: 45, address: { ...noAddress, street: "Арбат" } })).toEqual({ house: "Обязательное поле" });
  expect(pointMistakes({ deliveryId: 43 })).toEqual({});
  expect(pointMistakes({ deliveryId: 35 })).toEqual({});
});

test("the buyer is redirected to the first unfinished step, and a step opens only after the previous ones", () => {
  expect(firstOpenStep({})).toBe("contacts");
  expect(firstOpenStep({ buyer })).toBe("city");
  expect(firstOpenStep({ buyer, cityCode: "0000073738" })).toBe("delivery");
  expect(firstOpenStep(courier)).toBe("point");
  const addressed = { ...courier, address: { ...noAddress, street: "Арбат", house: "1" } };
  expect(firstOpenStep(addressed)).toBe("payment");
  expect(firstOpenStep({ ...courier, deliveryId: 35 })).toBe("payment");
  expect(firstOpenStep({ ...addressed, quoteId: "q" })).toBe("confirm");
  expect(firstOpenStep({ ...addressed, quoteId: null })).toBe("payment");
  expect(isReachable("confirm", addressed)).toBe(false);
  expect(isReachable("contacts", addressed)).toBe(true);
});
