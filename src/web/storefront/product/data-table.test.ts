import { expect, test } from "vitest";
import type { Coin } from "#shop/catalog/coin.ts";
import type { SellerTax } from "#shop/tax.ts";
import { dataRows, ounces, weightWords } from "./data-table.ts";

const aCoin = (part: Partial<Coin> = {}): Coin => ({
  id: 1,
  slug: "george",
  title: "Георгий Победоносец, 50 рублей 2026 (ММД)",
  metal: "gold",
  kind: "bullion",
  country: "Россия",
  issuer: "Банк России",
  mint: "Московский монетный двор (ММД)",
  year: 2026,
  denominationValue: 50,
  denominationCurrency: "RUB",
  series: null,
  catalogueNumber: "5216-0060-26",
  finenessTenths: 9990,
  pureMassMg: 7780,
  totalMassMg: 7890,
  diameterMm: 22.6,
  thicknessMm: 1.6,
  shape: "round",
  lengthMm: null,
  widthMm: null,
  mintage: null,
  quality: "АЦ",
  edge: null,
  artist: null,
  description: "",
  motif: "",
  premiumBp: 550,
  buybackBp: -450,
  fixedPriceKopecks: null,
  fixedBuybackKopecks: null,
  vatCode: 1,
  purchaseLimit: null,
  popularity: 1,
  isPublished: true,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  categories: [],
  ...part,
});
const general: SellerTax = { system: "general", simplifiedVatPercent: null, prepaymentVat: "computed", sendsTaxSystem: false };
const value = (coin: Coin, name: string) =>
  dataRows(coin, general)
    .find((row) => row.name === name)
    ?.value.replaceAll("\u00A0", " ");

test("masses that are parts of an ounce are called so", () => {
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
test("what is not known about a coin is left out", () => {
  expect(dataRows(aCoin(), general).map(({ name }) => name)).not.toContain("Тираж");
  expect(value(aCoin({ mintage: 300_000 }), "Тираж")).toBe("до 300 000");
  expect(value(aCoin({ mintage: 3000, kind: "memorable" }), "Тираж")).toBe("3 000");
});
test("a coin without a face value says so, others name it in words", () => {
  expect(value(aCoin({ denominationValue: null, denominationCurrency: "ZAR" }), "Номинал")).toBe("без номинала");
  expect(value(aCoin(), "Номинал")).toBe("50 рублей");
  expect(value(aCoin({ denominationValue: 3 }), "Номинал")).toBe("3 рубля");
  expect(value(aCoin({ denominationValue: 0.5, denominationCurrency: "GBP" }), "Номинал")).toBe("0,5 фунта");
});
test("a rectangular coin has sides in place of a diameter", () => {
  const tile = aCoin({ shape: "rectangle", diameterMm: null, lengthMm: 35, widthMm: 23 });
  expect(value(tile, "Диаметр")).toBeUndefined();
  expect(value(tile, "Стороны")).toBe("35 мм × 23 мм");
});
test("a mass of metal is named as people name it", () => {
  expect(
    [weightWords("gold", 7780), weightWords("silver", 31_103), weightWords("gold", 7742)].map((each) => each.replaceAll("\u00A0", " ")),
  ).toEqual(["1/4 унции золота", "1 унция серебра", "7,74 г золота"]);
});

test("the VAT of a coin follows what the law exempts and the seller's tax system", () => {
  const vat = (vatCode: number, tax: Partial<SellerTax>) =>
    dataRows(aCoin({ vatCode }), { ...general, ...tax }).find(({ name }) => name === "НДС")?.value;
  expect([vat(1, {}), vat(11, {}), vat(11, { system: "simplified_income" })]).toEqual(["не облагается", "22%", "без НДС"]);
  expect(vat(11, { system: "simplified_income", simplifiedVatPercent: 5 })).toBe("5%");
});
