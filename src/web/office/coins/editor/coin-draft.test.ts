import { expect, test } from "vitest";
import { aCoin } from "#shop/catalog/testing.ts";
import { factsOf } from "#shop/catalog/coin-rules.ts";
import { draftOf, emptyDraft, parseDecimal, readDraft, readPrices } from "./coin-draft.ts";

test("the facts of a coin come back from its fields unchanged", () => {
  const facts = factsOf(aCoin({ id: 1, finenessTenths: 9999, pureMassMg: 31_103, totalMassMg: 31_107, categories: ["gold"] }));
  expect(draftOf(facts)).toMatchObject({ finenessTenths: "999,9", pureMassMg: "31,103" });
  expect(readDraft(draftOf(facts))).toEqual({ facts, errors: {} });
});

test("what is not a number is named beside its field, and what is missing too", () => {
  const draft = { ...emptyDraft(2026, []), pureMassMg: "семь", totalMassMg: "7,89012", diameterMm: "" };
  expect(readDraft(draft).errors).toEqual({
    pureMassMg: "Введите число",
    totalMassMg: "Слишком много знаков после запятой",
    finenessTenths: "Обязательное поле",
  });
});

test("numbers are read with comma, point, spaces and a true minus", () => {
  expect(["7,78", "7.78", "1 234,5", "−3", "7,7,8", ""].map(parseDecimal)).toEqual([7.78, 7.78, 1_234.5, -3, Number.NaN, Number.NaN]);
});

test("first prices are per cent and roubles; what is not named is none", () => {
  const prices = { premiumBp: 550, buybackBp: -450, fixedPrice: null, fixedBuyback: null };
  expect(readPrices({ premium: "5,5", buyback: "-4,5", fixedPrice: "", fixedBuyback: "" }, "bullion")).toEqual({ prices, errors: {} });
});

test("a blank price that its kind of coin needs is named beside its field, and fields of the other kind do not count", () => {
  const typed = { premium: "", buyback: "", fixedPrice: "", fixedBuyback: "" };
  const none = { premiumBp: null, buybackBp: null, fixedPrice: null, fixedBuyback: null };
  expect(readPrices(typed, "bullion")).toEqual({ prices: none, errors: { premiumBp: "Обязательное поле" } });
  expect(readPrices({ ...typed, premium: "пять" }, "memorable").errors).toEqual({ fixedPriceKopecks: "Обязательное поле" });
  expect(readPrices({ ...typed, fixedPrice: "9 000,50" }, "memorable")).toEqual({ prices: { ...none, fixedPrice: 9_000.5 }, errors: {} });
});
