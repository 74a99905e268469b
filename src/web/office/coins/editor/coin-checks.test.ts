import { expect, test } from "vitest";
import { aCoin } from "#shop/catalog/testing.ts";
import { coinsOf, seedCoins } from "../../../../../db/seed/seed-coins.ts";
import { aboveMetal, massLine, meanThickness, sizeLine, twinLine, vatLine } from "./coin-checks.ts";

const gold = aCoin({ id: 1 });
const silver = aCoin({
  id: 2,
  metal: "silver",
  finenessTenths: 9250,
  pureMassMg: 31_100,
  totalMassMg: 33_940,
  diameterMm: 39,
  thicknessMm: null,
});

test("a price at the metal is bad, whatever the rounding to whole roubles adds", () => {
  expect(aboveMetal("bullion", null, null)).toEqual({ fact: "премии нет", isBad: true });
  expect(aboveMetal("bullion", 0, 40)).toEqual({ fact: "премия 0 %", isBad: true });
  expect(aboveMetal("bullion", 550, 4_500_00)).toEqual({ fact: "+4\u00A0500\u00A0₽", isBad: false });
  expect(aboveMetal("bullion", -100, -900_00)).toMatchObject({ isBad: true });
  expect(aboveMetal("memorable", 0, 0)).toMatchObject({ isBad: true });
  expect(aboveMetal("memorable", null, 100_00)).toMatchObject({ isBad: false });
  expect(aboveMetal("bullion", 550, null)).toEqual({ fact: "курса или цены нет", isBad: true });
});

test("a coin with a face value is money and has no VAT; what has none may have it", () => {
  const of = (denominationValue: number | null, denominationCurrency: string | null, vatCode: number) =>
    vatLine({ denominationValue, denominationCurrency, vatCode });
  expect(of(50, "RUB", 1)).toEqual({ text: "НДС", fact: "без НДС", isBad: false });
  expect(of(50, "RUB", 11)).toMatchObject({ fact: "22 %, а монета с номиналом — без НДС", isBad: true });
  expect(of(null, null, 11)).toMatchObject({ isBad: false });
});

test("an exemption without a face value is to be checked, but foreign money may name no sum, as a Krugerrand does", () => {
  const exempt = (denominationValue: number | null, denominationCurrency: string | null) =>
    vatLine({ denominationValue, denominationCurrency, vatCode: 1 });
  const toCheck = { text: "НДС", fact: "без НДС, а номинала нет: проверьте льготу", isBad: true };
  expect([exempt(null, null), exempt(null, "RUB")]).toEqual([toCheck, toCheck]);
  expect([exempt(null, "ZAR"), exempt(Number.NaN, "RUB")].map(({ isBad }) => isBad)).toEqual([false, false]);
});

test("size and mass must make a coin: a slip in one of them, or another metal, makes a foil or a cube", () => {
  expect(meanThickness(gold)).toBeCloseTo(1.02, 2);
  expect(sizeLine(gold)).toEqual({ text: "Размер и масса", fact: "⌀ 22,6 мм", isBad: false });
  expect(sizeLine(silver)).toMatchObject({ fact: "⌀ 39 мм", isBad: false });
  expect(sizeLine({ ...gold, diameterMm: 2.26 })).toMatchObject({ isBad: true });
  expect(sizeLine({ ...gold, diameterMm: 62.2, thicknessMm: null })).toMatchObject({
    fact: "⌀ 62,2 мм: по массе толщина 0,13 мм",
    isBad: true,
  });
  expect(sizeLine({ ...gold, totalMassMg: 78_900 })).toMatchObject({ isBad: true });
  // The mass fits the diameter, but not the thickness that is stated.
  expect(sizeLine({ ...gold, thicknessMm: 0.8 })).toMatchObject({
    fact: "⌀ 22,6 мм: по массе толщина 1,02 мм, а указана 0,8 мм",
    isBad: true,
  });
  expect(sizeLine({ ...gold, diameterMm: null })).toMatchObject({ fact: "не указан", isBad: true });
  const bar = { ...gold, shape: "rectangle", diameterMm: null, lengthMm: 26, widthMm: 15, thicknessMm: null };
  expect(sizeLine(bar)).toMatchObject({ fact: "26 × 15 мм", isBad: false });
});

test("the coins that the shop is delivered with pass", async () => {
  const coins = coinsOf(await seedCoins(new Date()));
  expect(coins.length).toBeGreaterThan(300);
  expect(coins.filter((coin) => sizeLine(coin).isBad || vatLine(coin).isBad).map(({ slug }) => slug)).toEqual([]);
});

test("a pure mass is compared with coins of the same metal and face value, if there are any", () => {
  const known = [{ metal: "gold" as const, currency: "RUB", value: 50, pureMassMg: 7_780 }];
  expect(massLine(gold, known)).toMatchObject({ fact: "как у других", isBad: false });
  expect(massLine({ ...gold, pureMassMg: 31_100 }, known)).toMatchObject({ fact: "у других 7,78 г", isBad: true });
  expect([massLine(silver, known), massLine(gold, [])]).toEqual([null, null]);
});

test("a coin that exists already is named", () => {
  expect(twinLine({ why: "issue", id: 7, title: "Барс 2025" })).toMatchObject({ fact: "тот же выпуск: Барс 2025, артикул 7", isBad: true });
  expect([twinLine(undefined), twinLine(null), twinLine("unknown")].map(({ isBad }) => isBad)).toEqual([false, false, false]);
});
