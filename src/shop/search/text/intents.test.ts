import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unknownFilterNames } from "../facets/facets.ts";
import { allOf } from "../index/ordered.ts";
import { find } from "../finding/find.ts";
import { intentOf, intents, type QueryIntent } from "./intents.ts";
import { createResults, type ReadModel } from "../index/read-model.service.ts";
import { sortKeys, type SortKey } from "../listing.ts";
import { resolveQuery } from "../service.ts";
import { realModel } from "../testing.ts";
import { normalise } from "./words.ts";

const model = await realModel();
const { coins } = model.catalogue;
const meant = (query: string) => {
  const found = intentOf(normalise(query));
  return found && { id: found.intent.id, rest: found.rest, roubles: found.sum === null ? null : found.sum / 100 };
};
const answered = (query: string) => {
  const { documents, list } = resolveQuery(model, query, false, 2026);
  return {
    list,
    found: allOf(documents).map((place) => ({
      coin: coins[place]!,
      price: model.pricing.price[place]!,
      spread: model.pricing.spread[place]!,
      available: model.available[place]!,
    })),
  };
};

describe("the table of intents", () => {
  test.each(intents.map((intent) => [intent.id, intent] as const))(
    "«%s» has a list: known filters, a known order, some coins, and pages that exist",
    (_, { phrases, filters, sort, links }) => {
      expect(unknownFilterNames(model.catalogue.columns, filters)).toEqual([]);
      expect(sortKeys).toContain(sort);
      expect(answered(phrases[0] ?? "").found.length).toBeGreaterThanOrEqual(10);
      for (const { href } of links) expect(href).toMatch(/^\/[a-z-]+$/);
    },
  );

  test("each intent is recognised by each of its phrases", () => {
    for (const { id, phrases } of intents) for (const phrase of phrases) expect([phrase, meant(phrase)?.id]).toEqual([phrase, id]);
  });
});

describe("a prepared list", () => {
  /** What `resolveQuery` returns, by checking every coin. */
  function plainly({ intent, rest, sum }: QueryIntent, { pricing, available, catalogue }: ReadModel): number[] {
    const { filters, years, sort } = intent;
    const has = (wanted: readonly string[] | undefined, value: string | null) => !wanted || wanted.includes((value ?? "").toLowerCase());
    const passes = (place: number, priceTo = filters.priceTo): boolean => {
      const [coin, price] = [coins[place]!, pricing.price[place]!];
      return (
        has(filters.kind, coin.kind) &&
        has(filters.series, coin.series) &&
        has(filters.country, coin.country) &&
        (!filters.inStock || available[place]! > 0) &&
        (filters.priceFrom === undefined || price >= filters.priceFrom) &&
        (priceTo === undefined || price <= priceTo) &&
        (years === undefined || (coin.year > 2026 - years && coin.year <= 2026))
      );
    };
    const orders: Record<SortKey, Int32Array> = { ...catalogue.orders, ...pricing.orders };
    const affordable = [...orders[sort]].filter((place) => passes(place, sum ?? filters.priceTo));
    const prepared = sum !== null && affordable.length === 0 ? [...orders.price].filter((place) => passes(place)) : affordable;
    const named = rest === "" ? null : find(catalogue.coinFinder, rest);
    const wanted = named && named.corrected === null ? allOf(named.documents) : [];
    const both = prepared.filter((place) => wanted.includes(place));
    return wanted.length === 0 ? prepared : both.length === 0 ? wanted : both;
  }

  test("has the coins that a look at every coin finds, in its order, for any sum, other words and stock, also when it is stored", () => {
    const anyQuery = fc.record({
      phrase: fc.constantFrom(...intents.flatMap(({ phrases }) => phrases)),
      roubles: fc.option(fc.oneof(fc.integer({ min: 3_000, max: 20_000 }), fc.integer({ min: 20_000, max: 2_000_000 }))),
      words: fc.subarray(["золото", "серебро", "соболь", "2025", "ммд", "рубля", "собль", "пруф"], { maxLength: 2 }),
    });
    const anyStock = fc.array(fc.constantFrom(0, 0, 1, 5), { minLength: coins.length, maxLength: coins.length });
    fc.assert(
      fc.property(anyStock, fc.array(anyQuery, { minLength: 1, maxLength: 6 }), (pieces, queries) => {
        const ofStock = { ...model, available: Int32Array.from(pieces), ...createResults() };
        for (const { phrase, roubles, words } of queries) {
          const query = [phrase, roubles === null ? "" : `на ${roubles} рублей`, ...words].join(" ");
          const intent = intentOf(normalise(query))!;
          for (let time = 0; time < 2; time += 1) {
            const { documents, list } = resolveQuery(ofStock, query, false, 2026);
            if (list) expect([query, allOf(documents)]).toEqual([query, plainly(intent, ofStock)]);
          }
        }
      }),
    );
  });
});

describe("the intent of a query", () => {
  test.each([
    ["подарок маме", "gift", "", null],
    ["монета на рождение ребёнка", "birth", "", null],
    ["подарок на рождение внука", "birth", "", null],
    ["золотая монета в подарок", "gift", "золотая", null],
    ["юбилей 50 лет", "anniversary", "", null],
    ["вложить 500 тысяч", "investment", "", 500_000],
    ["на 100000 рублей", "investment", "", 100_000],
    ["на сумму 1 млн", "investment", "", 1_000_000],
    ["купить золото на 300 тысяч", "investment", "золото", 300_000],
    ["вложить миллион в серебро", "investment", "серебро", 1_000_000],
    ["куда вложить сто тысяч рублей", "investment", "", 100_000],
    ["подарок на 30 тыс", "gift", "", 30_000],
  ])("«%s»", (query, id, rest, roubles) => {
    expect(meant(query)).toEqual({ id, rest, roubles });
  });

  test.each([
    "10 000 рублей",
    "на 50 рублей",
    "монета на 31,1 г",
    "георгий победоносец",
    "белка на дереве 2023 года",
    "50 рублей 2025",
    "на 10000 г",
  ])("«%s» names coins only", (query) => {
    expect(meant(query)).toBeNull();
  });

  test("a sum to invest shows bullion in stock that costs no more, with the smallest spread first", () => {
    fc.assert(
      fc.property(fc.integer({ min: 6_000, max: 20_000_000 }), (roubles) => {
        const { found, list } = answered(`вложить ${roubles} рублей`);
        expect(list?.heading.replaceAll("\u00a0", "")).toContain(`${roubles}руб.`);
        expect(found.length).toBeGreaterThan(0);
        for (const { coin, price, available } of found)
          expect([coin.kind, price <= roubles * 100, available > 0]).toEqual(["bullion", true, true]);
        for (let at = 1; at < found.length; at += 1) expect(found[at - 1]!.spread).toBeLessThanOrEqual(found[at]!.spread);
      }),
      { numRuns: 40 },
    );
  });

  test("a sum below every coin says so and shows the cheapest", () => {
    const { found, list } = answered("вложить 3000 рублей");
    expect(list?.text).toMatch(/^Дешевле 3\u00a0000\u00a0руб\. таких монет сейчас нет/);
    expect(found[0]!.price).toBe(Math.min(...found.map(({ price }) => price)));
  });

  test("a metal beside the intent narrows its list; a named coin that is not in the list is shown anyway", () => {
    expect(new Set(answered("золотая свадьба").found.map(({ coin }) => coin.metal))).toEqual(new Set(["gold"]));
    expect(new Set(answered("вложить миллион в серебро").found.map(({ coin }) => coin.metal))).toEqual(new Set(["silver"]));
    expect(answered("подарок соболь").found.length).toBeGreaterThan(0);
    expect(answered("подарок соболь").found.every(({ coin }) => coin.slug.startsWith("sobol"))).toBe(true);
  });

  test("the list for a birth has coins of this year and the last", () => {
    expect(answered("монета на рождение ребёнка").found.every(({ coin }) => coin.year >= 2025)).toBe(true);
  });

  test("an exact query has no intent", () => {
    expect(resolveQuery(model, "подарок маме", true, 2026).list).toBeUndefined();
  });
});
