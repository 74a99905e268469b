import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coinsOf, seedCoins } from "../../../db/seed/seed-coins.ts";
import { designName, productKey } from "./product.ts";
import { aCoin } from "./testing.ts";

const coins = coinsOf(await seedCoins(new Date("2026-11-20T09:00:00Z")));
const bySlug = (slug: string) => coins.find((coin) => coin.slug === slug) ?? aCoin({ id: 0 });

describe("coins grouped as products", () => {
  test("the 168 bullion coins of the catalogue are 71 products; each memorable coin is its own product", () => {
    const keys = (kind: "bullion" | "memorable") => new Set(coins.filter((coin) => coin.kind === kind).map(productKey)).size;
    expect(keys("bullion")).toBe(71);
    expect(keys("memorable")).toBe(coins.filter(({ kind }) => kind === "memorable").length);
  });

  test("years and mints of one coin are one product, whatever its catalogue number is", () => {
    const quarter = [
      "georgij-pobedonosec-50-rublej-2026-mmd",
      "georgij-pobedonosec-50-rublej-2026-spmd",
      "georgij-pobedonosec-50-rublej-2013",
    ].map(bySlug);
    expect(new Set(quarter.map(productKey)).size).toBe(1);
    expect(quarter[0]?.catalogueNumber).not.toBe(quarter[2]?.catalogueNumber);
    const chervontsy = coins.filter(({ slug, kind }) => kind === "bullion" && slug.startsWith("chervonec-seyatel-10-rublej-19"));
    expect([chervontsy.length, new Set(chervontsy.map(productKey)).size]).toEqual([10, 1]);
  });

  test("another mass, metal, quality, denomination, country or variant is another product", () => {
    const coin = aCoin({ id: 1, title: "Соболь, 3 рубля 1995 (ММД)", catalogueNumber: "5111-0033" });
    const others = [
      { pureMassMg: 15_550 },
      { metal: "silver" as const },
      { quality: "пруф" },
      { denominationValue: 100 },
      { denominationCurrency: "USD" },
      { country: "Канада" },
      { finenessTenths: 9000 },
      { title: "Соболь, 3 рубля 1995 (второе исполнение)" },
      { title: "Леопард, 3 рубля 1995 (ММД)" },
      { motif: "leopard" },
      { series: "Сохраним наш мир" },
      { kind: "memorable" as const },
    ];
    for (const other of others) expect([other, productKey({ ...coin, ...other }) === productKey(coin)]).toEqual([other, false]);
  });

  test("two coins of the Bank of Russia with different catalogue numbers are different designs, even with one name", () => {
    expect(productKey(bySlug("znaki-zodiaka-ryby-25-rublej-2003"))).not.toBe(productKey(bySlug("znaki-zodiaka-ryby-25-rublej-2005")));
  });

  test("equal catalogue numbers alone are not one product", () => {
    expect(productKey(aCoin({ id: 1, title: "Соболь 1995", catalogueNumber: "5111-0033" }))).not.toBe(
      productKey(aCoin({ id: 2, title: "Рысь 1995", catalogueNumber: "5111-0033" })),
    );
  });

  test("year, mint, prices and stock are not compared", () => {
    const coin = aCoin({ id: 1, title: "Соболь, 3 рубля 1995 (ММД)" });
    fc.assert(
      fc.property(
        fc.integer({ min: 1900, max: 2099 }),
        fc.constantFrom("", " (ММД)", " (СПМД)", " (ММД, СПМД)", " (ЛМД)"),
        fc.integer(),
        (year, mint, premiumBp) => {
          const other = { ...coin, id: 2, slug: "another", year, mint, premiumBp, title: `Соболь, 3 рубля ${year}${mint}` };
          expect(productKey(other)).toBe(productKey(coin));
        },
      ),
    );
  });
});

test("the name of a design is the title without year and mint", () => {
  expect(designName("Георгий Победоносец, 50 рублей 2026 (ММД)")).toBe("Георгий Победоносец, 50 рублей");
  expect(designName("Роза, 25 рублей 2025 (второе исполнение)")).toBe("Роза, 25 рублей (второе исполнение)");
  expect(designName("Чемпионат мира по футболу FIFA 2018, 3 рубля 2016")).toBe("Чемпионат мира по футболу FIFA 2018, 3 рубля");
  expect(designName("Крюгерранд 1 унция 2024")).toBe("Крюгерранд 1 унция");
});
