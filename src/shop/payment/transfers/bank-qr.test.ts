import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import type { Seller } from "#shop/seller.ts";
import { testTax } from "#tests/shop.ts";
import { bankQrText } from "./bank-qr.ts";

const seller: Seller = {
  name: "ООО «Чекан»",
  inn: "7700000009",
  kpp: "770001001",
  address: "Москва",
  bank: "АО «Демонстрационный банк»",
  bic: "044525999",
  account: "40702810600000000001",
  corrAccount: "30101810600000000999",
  tax: testTax,
};
const request = { purpose: "Оплата заказа № 10001. Без НДС", sum: kopecks(4_512_350) };
const fieldsOf = (text: string, separator = "|") =>
  Object.fromEntries(
    text
      .split(separator)
      .slice(1)
      .map((field) => field.split(/=(.*)/s, 2)),
  );

test("an invoice as a bank reads it: the fields of the standard in their order, the sum in kopecks", () => {
  expect(bankQrText(seller, request)).toBe(
    "ST00012|Name=ООО «Чекан»|PersonalAcc=40702810600000000001|BankName=АО «Демонстрационный банк»" +
      "|BIC=044525999|CorrespAcc=30101810600000000999|PayeeINN=7700000009|KPP=770001001|Purpose=Оплата заказа № 10001. Без НДС|Sum=4512350",
  );
});

test("a separator inside a value makes another separator be used, so that no field is split", () => {
  const text = bankQrText({ ...seller, name: "ООО «Чекан|Москва»" }, request);
  expect(text.startsWith("ST00012~Name=ООО «Чекан|Москва»~PersonalAcc=")).toBe(true);
  expect(fieldsOf(text, "~")).toMatchObject({ Name: "ООО «Чекан|Москва»", Sum: "4512350" });
  expect(bankQrText({ ...seller, name: "a|b~c" }, request).startsWith("ST00012^Name=a|b~c^")).toBe(true);
  expect(() => bankQrText({ ...seller, name: "|~^;#" }, request)).toThrow("separator");
});

test("fields end at the length of the standard, also when a letter takes two units", () => {
  const long = fieldsOf(bankQrText({ ...seller, name: "я".repeat(200), bank: "𝔸".repeat(60) }, { ...request, purpose: "о".repeat(300) }));
  expect([long.Name?.length, Array.from(long.BankName ?? "").length, long.Purpose?.length]).toEqual([160, 45, 210]);
  expect(long.BankName).toBe("𝔸".repeat(45));
});

test("line breaks and doubled blanks become one blank, an equals sign stays, a missing KPP leaves no empty field", () => {
  const text = bankQrText({ ...seller, kpp: "" }, { ...request, purpose: "Заказ\r\n  № 1 = монеты " });
  expect(fieldsOf(text).Purpose).toBe("Заказ № 1 = монеты");
  expect(text).not.toContain("KPP");
  expect(text).not.toMatch(/[\r\n]/);
});
