import { expect, test } from "vitest";
import { readPrice } from "./price-limits.ts";
import { normalise } from "./words.ts";

const read = (query: string, isTyping = false) => {
  const { priceFrom, priceTo, words } = readPrice(normalise(query), isTyping);
  return [priceFrom === undefined ? null : priceFrom / 100, priceTo === undefined ? null : priceTo / 100, words];
};

test.each<[query: string, from: number | null, to: number | null, words: string]>([
  ["золото до 100000", null, 100_000, "золото"],
  ["до 100 000 ₽ золото", null, 100_000, "золото"],
  ["серебро до 10 тысяч рублей", null, 10_000, "серебро"],
  ["серебро до 10к", null, 10_000, "серебро"],
  ["от 50000 до 100000", 50_000, 100_000, ""],
  ["золото от 50 до 100 тыс", 50_000, 100_000, "золото"],
  ["дешевле 20 тыс. руб", null, 20_000, ""],
  ["не дороже 15000 рублей пруф", null, 15_000, "пруф"],
  ["дороже 1 млн", 1_000_000, null, ""],
  ["георгий 50 рублей до 95000", null, 95_000, "георгий 50 рублей"],
  ["до 500 рублей", null, 500, ""],
])("«%s» limits the price", (query, from, to, words) => expect(read(query)).toEqual([from, to, words]));

test.each([
  "слиток до 10 г",
  "до 1 унции",
  "сеятель до 1990 года",
  "монеты до 1980",
  "до 39 мм",
  "10 000 рублей",
  "до победы",
  "от",
  "победа 9 мая",
])("«%s» says nothing about the price", (query) => {
  expect(read(query)).toEqual([null, null, normalise(query)]);
});

test("a number that is still being typed is left out, not taken for the limit", () => {
  expect(read("золото до 10", true)).toEqual([null, null, "золото"]);
  expect(read("золото до 10000", true)).toEqual([null, null, "золото"]);
  expect(read("золото до 100 тысяч", true)).toEqual([null, 100_000, "золото"]);
});
