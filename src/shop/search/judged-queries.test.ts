import { describe, expect, test } from "vitest";
import { allOf } from "./index/ordered.ts";
import { find } from "./finding/find.ts";
import { resolveQuery } from "./service.ts";
import { judge, judgedQueries, realModel } from "./testing.ts";

const model = await realModel();
const { catalogue } = model;

describe("buyers find what they mean", () => {
  test.each(judgedQueries())("$level: $query", (judged) => {
    const { documents, corrected, list } = resolveQuery(model, judged.query, false, 2026);
    expect(
      judge(
        judged,
        allOf(documents).map((place) => catalogue.coins[place]?.slug ?? ""),
        corrected,
        list?.id,
      ),
    ).toEqual([]);
  });

  test("every coin is the first answer to its own title and its own address", () => {
    for (const [place, coin] of catalogue.coins.entries()) {
      expect([coin.title, find(catalogue.coinFinder, coin.title).documents.prefix(1)[0]]).toEqual([coin.title, place]);
      expect([coin.slug, find(catalogue.coinFinder, coin.slug).documents.prefix(1)[0]]).toEqual([coin.slug, place]);
    }
  });

  test("every coin is found by its catalogue number, with and without hyphens, and nothing else is", () => {
    for (const [place, coin] of catalogue.coins.entries()) {
      if (coin.catalogueNumber === null) continue;
      for (const query of [coin.catalogueNumber, coin.catalogueNumber.replaceAll("-", "")]) {
        const { corrected, ...found } = find(catalogue.coinFinder, query);
        const documents = allOf(found.documents);
        expect([query, documents.includes(place), corrected]).toEqual([query, true, null]);
        expect(documents.every((each) => catalogue.coins[each]?.catalogueNumber?.startsWith(coin.catalogueNumber ?? "x"))).toBe(true);
      }
    }
  });

  test("every coin is still found when one letter of its name is wrong", () => {
    const misses: string[] = [];
    for (const [place, coin] of catalogue.coins.entries()) {
      const word = coin.title.toLowerCase().match(/[а-яё]{7,}/)?.[0];
      if (!word) continue;
      const typo = `${word.slice(0, 3)}${word[3] === "ъ" ? "ы" : "ъ"}${word.slice(4)}`;
      if (!allOf(find(catalogue.coinFinder, typo).documents).includes(place)) misses.push(`${typo} ${coin.slug}`);
    }
    expect(misses.length).toBeLessThanOrEqual(catalogue.coins.length * 0.05);
  });
});
