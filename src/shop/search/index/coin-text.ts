import type { Coin } from "#shop/catalog/coin.ts";
import type { Document } from "./text-index.ts";
import { impliedWords } from "../text/texts.ru.ts";

/** The searchable texts of a coin with their weights: title, then series, then other facts, then the description. */
export function documentOf(coin: Coin, categoryTitle: (slug: string) => string): Document {
  const facts = [impliedWords[coin.kind], coin.country, coin.mint, coin.quality, `${coin.finenessTenths / 10}`, coin.denominationCurrency];
  return {
    fields: [
      [coin.title, 10],
      // As much as the title: «50 рублей золото» means the metal, not coins with the metal in their name.
      [impliedWords[coin.metal], 10],
      [coin.series ?? "", 5],
      ...coin.categories.map((slug) => [categoryTitle(slug), 4] as const),
      ...facts.map((fact) => [fact ?? "", 4] as const),
      [coin.issuer, 2],
      [coin.artist ?? "", 2],
      [coin.description, 1],
    ],
    keys: [
      [`#year ${coin.year}`, 8],
      ...(coin.denominationValue !== null && coin.denominationCurrency === "RUB"
        ? [[`#roubles ${coin.denominationValue}`, 8] as const]
        : []),
      ...(coin.diameterMm === null ? [] : [[`#mm ${coin.diameterMm}`, 6] as const, [`#mm ${Math.round(coin.diameterMm)}`, 5] as const]),
      ...(coin.catalogueNumber === null
        ? []
        : [[`#number ${coin.catalogueNumber}`, 12] as const, [`#digits ${coin.catalogueNumber.replaceAll("-", "")}`, 12] as const]),
    ],
    pureMassMg: coin.pureMassMg,
  };
}
