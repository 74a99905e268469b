import { doubles, integers } from "../index/arena.ts";
import { scoreKey } from "../index/ordered.ts";
import { intersectionOf, type Scores } from "../index/scores.ts";
import type { Finder } from "./finder.ts";

/** Documents that were found, with their sort keys (`scoreKey`). In the arenas. `named`: comes first, is not among `documents`. */
export type Ranking = { documents: Int32Array; keys: Float64Array; named: number | null };

/** A hit below this share of the best one for the same condition (a mention in a description against a title) is noise. */
const noise = 0.15;

/**
 * Documents that meet every condition; null when there are none. Rare conditions weigh more (as in inverse document frequency). `named`
 * comes first, whatever it meets.
 */
export function rank({ index, rankOf }: Finder, scores: readonly (Scores | null)[], named: number | null = null): Ranking | null {
  const present = scores.filter((each) => each !== null);
  const size = Math.log(2 + index.size);
  const { documents, weights } = intersectionOf(present);
  const keys = doubles.take(documents.length).fill(0);
  for (const [i, each] of weights.entries()) addTo(keys, each, 1 + (size - Math.log(1 + (present[i]?.documents.length ?? 0))) / size);
  const kept = integers.take(documents.length);
  let count = 0;
  for (let at = 0; at < documents.length; at += 1) {
    const document = documents[at] ?? 0;
    const total = keys[at] ?? 0;
    if (total < 0 || document === named) continue;
    kept[count] = document;
    keys[count] = scoreKey(total, rankOf[document] ?? 0);
    count += 1;
  }
  if (count === 0 && named === null) return null;
  return { documents: kept.subarray(0, count), keys: keys.subarray(0, count), named };
}

/** Adds the weights of a condition to the totals. The total of a document for which it is noise stays below 0. */
function addTo(totals: Float64Array, weights: Scores["weights"], rarity: number): void {
  let most = 0;
  for (let at = 0; at < weights.length; at += 1) most = Math.max(most, weights[at] ?? 0);
  const least = most * noise;
  for (let at = 0; at < weights.length; at += 1) {
    const weight = weights[at] ?? 0;
    totals[at] = weight < least ? Number.NEGATIVE_INFINITY : (totals[at] ?? 0) + weight * rarity;
  }
}
