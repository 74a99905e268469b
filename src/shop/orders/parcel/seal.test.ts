import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import type { StoredLine } from "../order.ts";
import { insuredValue, readSealNumber } from "./seal.ts";

test("a seal's number is read without blanks and in capitals; what cannot be one is refused", () => {
  expect([" 0041 2345 ", "ab-1234567", "аб 12345"].map(readSealNumber)).toEqual(["00412345", "AB-1234567", "АБ12345"]);
  expect(["", "1234", "ABCDEF1", "12345-", "-12345", "12--345", "12345;", "1".repeat(21)].map(readSealNumber)).toEqual(
    Array.from({ length: 8 }, () => null),
  );
});

test("a parcel is insured for the full price of its pieces; collection at the office and special contact have no insurance", () => {
  const line: StoredLine = {
    coinId: 1,
    slug: "c",
    title: "c",
    quantity: 3,
    price: kopecks(100_00),
    sum: kopecks(300_00),
    vatCode: 1,
    dropped: 1,
    returned: 0,
  };
  expect([79, 80, 45, 76, 77, 75].map((deliveryId) => insuredValue({ deliveryId, lines: [line] }))).toEqual(
    Array.from({ length: 6 }, () => 200_00),
  );
  expect([35, 43].map((deliveryId) => insuredValue({ deliveryId, lines: [line] }))).toEqual([null, null]);
});
