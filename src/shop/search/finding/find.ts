import { resetArenas } from "../index/arena.ts";
import { beginningOf, listed, ranked, type Ordered } from "../index/ordered.ts";
import { maxQueryLength, normalise } from "../text/words.ts";
import { correct } from "./correction.ts";
import type { Finder, FindOptions, FindResult } from "./finder.ts";
import { interpret, type Interpretation, type ScoreCache } from "./interpretation.ts";
import { rank, type Ranking } from "./ranking.ts";
import { relaxQuery } from "./relaxation.ts";

/**
 * Of a query that found more documents, the first places and the set are stored; of one that found fewer, the whole order, which takes as
 * much memory as the set of a hundred thousand documents.
 */
const maxStoredWhole = 1_000;

/** Finds documents for a typed query, best first. A query with unknown words is corrected; one that no document meets whole is relaxed. */
export function find(finder: Finder, typed: string, options: FindOptions = {}): FindResult {
  const { ranking, ...found } = search(finder, typed, options);
  const isWholeStored = ranking === null || ranking === "all" || ranking.documents.length <= maxStoredWhole;
  // Many visitors type the same first letters, and without a limit of the price the set is all that is needed of them besides the first.
  const documents =
    isWholeStored && !options.isTyping
      ? stored(finder, ranking)
      : beginningOf(orderOf(finder, ranking), finder.index.size, () => stored(finder, search(finder, typed, options).ranking));
  return { documents, ...found };
}

/** `all`: every document is meant; null: none is found. */
type Outcome = Omit<FindResult, "documents"> & { ranking: Ranking | "all" | null };

const orderOf = ({ inRankOrder }: Finder, ranking: Outcome["ranking"]): Ordered =>
  ranking === null || ranking === "all"
    ? listed(ranking === null ? [] : inRankOrder)
    : ranked(ranking.documents, ranking.keys, inRankOrder, ranking.named);

/** The order, copied from the arenas, which the next search overwrites. */
const stored = (finder: Finder, ranking: Outcome["ranking"]): Ordered =>
  ranking === null || ranking === "all"
    ? orderOf(finder, ranking)
    : orderOf(finder, { ...ranking, documents: ranking.documents.slice(), keys: ranking.keys.slice() });

/** The order of attempts: the named document, the query as typed, the corrected query, and of what is known the most valuable part. */
function search(finder: Finder, typed: string, options: FindOptions): Outcome {
  resetArenas();
  const text = normalise(typed.slice(0, maxQueryLength));
  const cache: ScoreCache = new Map();
  const literal = interpret(finder, text, options, cache);
  const named = finder.exact.get(text) ?? finder.exact.get(text.replaceAll(" ", "-"));
  if (named !== undefined) {
    const scores = literal.conditions.length > 0 && literal.isKnown ? literal.scores : [];
    return { ranking: rank(finder, scores, named), corrected: null, named };
  }
  if (literal.conditions.length === 0) return { ranking: literal.isBrowsing ? "all" : null, corrected: null };

  const ranking = rankKnown(finder, literal);
  if (ranking !== null || options.isExact || options.isStrict) return { ranking, corrected: null };
  if (literal.isKnown) return relax(finder, literal, typed, text);
  const corrected = correct(finder, literal, options, cache);
  const correctedRanking = rankKnown(finder, corrected);
  if (correctedRanking !== null) return { ranking: correctedRanking, corrected: { from: typed.trim(), to: corrected.text } };
  return relax(finder, corrected, typed, text);
}

/** Null also when a condition is unknown: no document meets that. */
const rankKnown = (finder: Finder, { isKnown, scores }: Interpretation): Ranking | null => (isKnown ? rank(finder, scores) : null);

function relax(finder: Finder, interpretation: Interpretation, typed: string, asTyped: string): Outcome {
  const relaxed = relaxQuery(finder, interpretation, asTyped);
  if (relaxed === null) return { ranking: null, corrected: null };
  return { ranking: relaxed.ranking, corrected: { from: typed.trim(), to: relaxed.text } };
}
