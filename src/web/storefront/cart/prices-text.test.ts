import { expect, test } from "vitest";
import { pricesText } from "./prices-text.ts";

test("prices are not called live while the market is closed or quotes are late", () => {
  const market = { isOpen: true, opensAt: null, note: null } as unknown as Parameters<typeof pricesText>[0]["market"];
  expect(pricesText({ market, isStale: false })).toBe("Цены живые");
  expect(pricesText({ market, isStale: true })).toBe("Последние цены");
  expect(pricesText({ market: { ...market, isOpen: false }, isStale: true })).toBe("Торги закрыты");
});
