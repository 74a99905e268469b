import { expect, test } from "vitest";
import { atNewPrices, inCondition, isChanged, lineOf, offeredLine, readLines, sumOf, typedLine, withPrice } from "./lines.ts";
import { lineError } from "../ui/form/line-error.ts";
import type { DealCoin } from "./words.ts";

const coin: DealCoin = {
  id: 1001,
  title: "Георгий Победоносец",
  code: "5216-0060",
  metal: "gold",
  pureMassMg: 7_780,
  prices: { perfect: 80_000, good: 78_400, fair: 73_600, damaged: null },
};

test("a line begins at today's price, and another condition brings its own price", () => {
  const line = lineOf(coin, 2);
  expect(readLines([line]).lines).toEqual([{ coin: 1001, quantity: 2, condition: "good", unitPrice: 78_400, isTyped: false }]);
  expect(readLines([inCondition(line, "fair")]).lines[0]?.unitPrice).toBe(73_600);
  expect(inCondition(line, "damaged").price).toBe("");
  expect(readLines([inCondition(inCondition(line, "damaged"), "perfect")]).lines[0]?.unitPrice).toBe(80_000);
});

test("a price that was typed by hand stays in another condition", () => {
  const line = withPrice(lineOf(coin), "75 000");
  expect(inCondition(line, "fair").price).toBe("75 000");
  expect(readLines([line]).lines[0]).toMatchObject({ unitPrice: 75_000, isTyped: true });
  expect(readLines([withPrice(line, "78 400")]).lines[0]).toMatchObject({ unitPrice: 78_400, isTyped: false });
});

test("newer prices change the lines at the price of the list, and leave those typed by hand", () => {
  const newer = { ...coin, prices: { ...coin.prices, good: 79_000, fair: 74_000 } };
  const before = [lineOf(coin, 2), withPrice(lineOf({ ...coin, id: 1002 }), "75 000"), lineOf(coin, 1, "fair")];
  const sent = readLines(atNewPrices(before, [newer, { ...newer, id: 1002 }])).lines;
  expect(sent.map(({ unitPrice, isTyped }) => [unitPrice, isTyped])).toEqual([
    [79_000, false],
    [75_000, true],
    [74_000, false],
  ]);
});

test("an offer is edited at today's prices; a typed price stays, and so does one that the list does not have today", () => {
  const stored = { quantity: 3, condition: "good", unitPrice: 70_000, isTyped: false } as const;
  const unpriced = { ...coin, prices: { ...coin.prices, good: null } };
  const sent = [offeredLine(coin, stored), offeredLine(coin, { ...stored, isTyped: true }), offeredLine(unpriced, stored)];
  expect(readLines(sent).lines.map(({ quantity, unitPrice, isTyped }) => [quantity, unitPrice, isTyped])).toEqual([
    [3, 78_400, false],
    [3, 70_000, true],
    [3, 70_000, true],
  ]);
});

test("only whole roubles and whole pieces are sent, and each wrong field has its message", () => {
  const { wrong } = readLines([
    { ...lineOf(coin), price: "75 000,50" },
    { ...lineOf(coin), price: "", quantity: "1,5" },
  ]);
  expect(wrong).toEqual({
    "lines.0.unitPrice": "Целые рубли",
    "lines.1.quantity": "Целое число",
    "lines.1.unitPrice": "Сколько платим за одну монету",
  });
  expect(lineError({ "1.coin": "Эта монета уже есть в сделке" }, 1, "coin")).toBe("Эта монета уже есть в сделке");
});

test("the sum counts what can be read, and a check that finds the same changes nothing", () => {
  expect(sumOf([lineOf(coin, 2), { ...lineOf(coin), price: "дорого" }])).toBe(156_800);
  const offered = { quantity: 2, condition: "good", unitPrice: 78_400 } as const;
  expect(isChanged(typedLine(coin, offered), offered)).toBe(false);
  expect(isChanged({ ...typedLine(coin, offered), quantity: "1" }, offered)).toBe(true);
  expect(isChanged(inCondition(typedLine(coin, offered), "fair"), offered)).toBe(true);
});
