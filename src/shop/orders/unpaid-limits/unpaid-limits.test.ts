import { expect, test } from "vitest";
import { fromRoubles } from "#kit/money.ts";
import { defaultLimits } from "#shop/settings.ts";
import { isOverForAddress, isOverForPerson, normaliseMailbox, type ReservedCoins } from "./unpaid-limits.ts";

const coins = (pieces: number, roubles: number, coinId = 1): ReservedCoins => ({ coinId, pieces, value: fromRoubles(roubles) });
const limits = {
  ...defaultLimits,
  reservedPiecesPerPerson: 10,
  reservedRoublesPerPerson: 1_000_000,
  reservedPiecesPerAddress: 20,
  reservedRoublesPerAddress: 3_000_000,
  addressSharePercent: 50,
  addressFreePieces: 4,
};
const stock = (onHand: number) => new Map([[1, onHand]]);

test("a person may reserve up to the limit of pieces and of value, across all coins", () => {
  expect(isOverForPerson([coins(6, 500_000)], [coins(4, 500_000, 2)], limits)).toBe(false);
  expect(isOverForPerson([coins(6, 500_000)], [coins(5, 100, 2)], limits)).toBe(true);
  expect(isOverForPerson([coins(1, 500_000)], [coins(1, 500_001, 2)], limits)).toBe(true);
});

test("an address may reserve half of a coin's pieces, and a few pieces of every coin", () => {
  expect(isOverForAddress([coins(4, 100)], [coins(1, 100)], stock(10), limits)).toBe(false);
  expect(isOverForAddress([coins(4, 100)], [coins(2, 100)], stock(10), limits)).toBe(true);
  // Another coin's pieces are none of this one's
  expect(isOverForAddress([coins(9, 100, 2)], [coins(5, 100)], stock(10), limits)).toBe(false);
  expect(isOverForAddress([coins(3, 100)], [coins(1, 100)], stock(4), limits)).toBe(false);
  expect(isOverForAddress([], [coins(1, 100)], stock(1), { ...limits, addressFreePieces: 0 })).toBe(false); // the last piece may be ordered
});

test("a limit of nothing is off", () => {
  const off = {
    ...limits,
    reservedPiecesPerPerson: 0,
    reservedRoublesPerPerson: 0,
    reservedPiecesPerAddress: 0,
    reservedRoublesPerAddress: 0,
    addressSharePercent: 0,
  };
  expect(isOverForPerson([], [coins(1_000, 1e9)], off)).toBe(false);
  expect(isOverForAddress([], [coins(1_000, 1e9)], stock(1_000), off)).toBe(false);
});

test.each([
  ["Ivan@Example.RU", "ivan@example.ru"],
  [" ivan+1@example.ru", "ivan@example.ru"],
  ["ivan@example.ru", "ivan@example.ru"],
])("%s is the mailbox %s", (spelled, mailbox) => {
  expect(normaliseMailbox(spelled)).toBe(mailbox);
});
