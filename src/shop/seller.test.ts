import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { testTax } from "#tests/shop.ts";
import { sellerOf } from "./seller.ts";

const { placeholders } = JSON.parse(readFileSync(new URL("../../config/shop.json", import.meta.url), "utf8")) as {
  placeholders: Record<string, string>;
};

test("the bank details of the demonstration shop are valid", () => {
  expect(sellerOf(placeholders, testTax)).toMatchObject({ fault: null, seller: { inn: "7700000009", bic: "044525999" } });
});

test("the bank details of a real bank, Sberbank, are valid", () => {
  const sberbank = {
    LEGAL_NAME: "ПАО Сбербанк",
    INN: "7707083893",
    KPP: "773601001",
    BANK: "ПАО Сбербанк",
    BIK: "044525225",
    ACCOUNT: placeholders.ACCOUNT ?? "",
    CORR_ACCOUNT: "30101810400000000225",
  };
  expect(sellerOf(sberbank, testTax).fault).toBe("ACCOUNT fails its check digit for this BIK"); // the account belongs to another bank
});

test.each([
  ["INN", "7700000008"],
  ["INN", "770000000"],
  ["KPP", "77000100"],
  ["BIK", "04452599"],
  ["LEGAL_NAME", " "],
  ["BANK", ""],
  ["ACCOUNT", "40702810600000000002"],
  ["ACCOUNT", "4070281060000000000"],
  ["CORR_ACCOUNT", "30101810600000000998"],
])("a typo in %s is named: %s", (name, value) => {
  expect(sellerOf({ ...placeholders, [name]: value }, testTax).fault).toContain(name);
});

test("a sole trader has twelve digits and no KPP", () => {
  expect(sellerOf({ ...placeholders, INN: "500100732259", KPP: "" }, testTax).fault).toBeNull();
  expect(sellerOf({ ...placeholders, INN: "500100732258", KPP: "" }, testTax).fault).toContain("INN");
});
