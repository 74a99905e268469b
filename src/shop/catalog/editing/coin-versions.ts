import type { Coin } from "../coin.ts";
import { differingFields, factFields, type CoinFacts } from "../coin-rules.ts";

/** Earlier versions of a coin, as the audit has them: each edit stores the fields that it changed, before and after. */
export type CoinChange = { before?: Readonly<Record<string, unknown>>; after?: Readonly<Record<string, unknown>> };

/** What an edit changed, for the audit. A new coin is named by its title and prices. */
export function changesOf(before: Coin | null, after: Coin): CoinChange {
  if (!before) {
    const { slug, title, premiumBp, buybackBp, fixedPriceKopecks, fixedBuybackKopecks, isPublished } = after;
    return { after: { slug, title, premiumBp, buybackBp, fixedPriceKopecks, fixedBuybackKopecks, isPublished } };
  }
  const fields = [
    ...differingFields(before, after),
    ...(before.isPublished === after.isPublished ? [] : (["isPublished"] as const)),
    ...(before.pictures.revision === after.pictures.revision ? [] : (["pictures"] as const)),
  ];
  const pick = (coin: Coin) => Object.fromEntries(fields.map((field) => [field, coin[field]]));
  return { before: pick(before), after: pick(after) };
}

/** The facts of a coin before the last of these changes, which come newest first and go back from `now`. */
export function factsBefore(now: CoinFacts, changes: readonly CoinChange[]): CoinFacts {
  const known = changes.map(({ before = {} }) =>
    Object.fromEntries(factFields.filter((field) => field in before).map((field) => [field, before[field]])),
  );
  return Object.assign({}, now, ...known) as CoinFacts;
}
