import { expect, test } from "vitest";
import { kopecks } from "#kit/money.ts";
import { cardOf } from "#shop/search/card.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import { issueRows } from "./issue-list.tsx";

const issue = (id: number, year: number, price: number | null, available: number) =>
  cardOf(
    aCoin({ id, year, mint: "Московский монетный двор (ММД)" }),
    { price: price === null ? null : kopecks(price), premium: null, perGram: null, buyback: null, spreadBp: null },
    1,
    available,
    2026,
  );

test("«любой год» is the cheapest issue in stock, and of equal prices the newest", () => {
  const issues = [issue(1, 2026, 900, 5), issue(2, 2025, 800, 0), issue(3, 2024, 850, 3), issue(4, 2023, 850, 3), issue(5, 2022, null, 3)];
  const { rows, anyYear } = issueRows(issues, 1);
  expect(anyYear?.slug).toBe("coin-3");
  expect(rows.map(({ name }) => name)[0]).toBe("2026, ММД");
  expect(rows.filter(({ isHere }) => isHere).map(({ slug }) => slug)).toEqual(["coin-1"]);
});
test("a product of one coin has no choice of issues, and a sold-out product has no «любой год»", () => {
  expect(issueRows([issue(1, 2026, 900, 5)], 1)).toEqual({ rows: [], anyYear: null });
  expect(issueRows([issue(1, 2026, 900, 0), issue(2, 2025, 900, 0)], 1).anyYear).toBeNull();
});
