import { expect, test } from "vitest";
import type { Coin } from "#shop/catalog/coin.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import type { SellerTax } from "#shop/tax.ts";
import { dataRows, ounces, massText } from "./data-table.ts";

const coinWith = (part: Partial<Coin> = {}): Coin => aCoin({ id: 1, ...part });
const general: SellerTax = { system: "general", simplifiedVatPercent: null, prepaymentVat: "computed", sendsTaxSystem: false };
const value = (coin: Coin, name: string) =>
  dataRows(coin, general)
    .find((row) => row.name === name)
    ?.value.replaceAll("\u00A0", " ");

test("a mass that is a part of an ounce is named in ounces", () => {
  expect([3110, 7776, 7780, 15_552, 31_103, 155_500].map((mg) => ounces(mg)?.replace("\u00A0", " "))).toEqual([
    "1/10 унции",
    "1/4 унции",
    "1/4 унции",
    "1/2 унции",
    "1 унция",
    "5 унций",
  ]);
  expect([7742, 30_000, 8000].map(ounces)).toEqual([null, null, null]);
});
test("unknown facts of a coin are left out", () => {
  expect(dataRows(coinWith(), general).map(({ name }) => name)).not.toContain("Тираж");
  expect(value(coinWith({ mintage: 300_000 }), "Тираж")).toBe("до 300 000");
  expect(value(coinWith({ mintage: 3000, kind: "memorable" }), "Тираж")).toBe("3 000");
});
test("the face value is in words; a coin without one says so", () => {
  expect(value(coinWith({ denominationValue: null, denominationCurrency: "ZAR" }), "Номинал")).toBe("без номинала");
  expect(value(coinWith(), "Номинал")).toBe("50 рублей");
  expect(value(coinWith({ denominationValue: 3 }), "Номинал")).toBe("3 рубля");
  expect(value(coinWith({ denominationValue: 0.5, denominationCurrency: "GBP" }), "Номинал")).toBe("0,5 фунта");
});
test("a rectangular coin has sides instead of a diameter", () => {
  const tile = coinWith({ shape: "rectangle", diameterMm: null, lengthMm: 35, widthMm: 23 });
  expect(value(tile, "Диаметр")).toBeUndefined();
  expect(value(tile, "Стороны")).toBe("35 мм × 23 мм");
});
test("a mass of metal is named in parts of an ounce, otherwise in grams", () => {
  expect(
    [massText("gold", 7780), massText("silver", 31_103), massText("gold", 7742)].map((each) => each.replaceAll("\u00A0", " ")),
  ).toEqual(["1/4 унции золота", "1 унция серебра", "7,74 г золота"]);
});

test("the VAT of a coin follows what the law exempts and the seller's tax system", () => {
  const vat = (vatCode: number, tax: Partial<SellerTax>) =>
    dataRows(coinWith({ vatCode }), { ...general, ...tax }).find(({ name }) => name === "НДС")?.value;
  expect([vat(1, {}), vat(11, {}), vat(11, { system: "simplified_income" })]).toEqual(["не облагается", "22%", "без НДС"]);
  expect(vat(11, { system: "simplified_income", simplifiedVatPercent: 5 })).toBe("5%");
});
