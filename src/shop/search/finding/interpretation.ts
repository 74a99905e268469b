import { doubles } from "../index/arena.ts";
import { intersectionOf, unionOf, withBonus, type Scores, type WeightedList } from "../index/scores.ts";
import type { TextIndex } from "../index/text-index.ts";
import { readQuery, withSynonyms, type Condition } from "../query.ts";
import { stem } from "../text/words.ts";
import type { Finder, FindOptions } from "./finder.ts";

/** Conditions of a query beyond these are left out. `relaxQuery` has a bit of a `Uint16Array` for each. */
const maxConditions = 12;

/** Factors of the weight of a hit: the typed word only begins the word of the text, or a synonym of the typed words was found. */
const prefixFactor = 0.7;
const synonymFactor = 0.9;
/** Masses that differ by at most this share are one mass, and weigh less the more they differ: an ounce is 31.1 g or 31.1035 g. */
const massTolerance = 0.012;
const massFactor = (off: number): number => 1 - off * 20;
/** The share of its weight that a coin gets in addition whose title has the mass as it was typed, `1/4`. */
const saidBonus = 0.5;

/** Scores of the conditions of one search: a corrected query shares most of them with the typed one. */
export type ScoreCache = Map<string, Scores | null>;

/** A query, typed or corrected, as conditions with the documents that meet each of them. */
export type Interpretation = {
  text: string;
  conditions: Condition[];
  /** Per condition; null where no document meets it. */
  scores: (Scores | null)[];
  /** Every condition is met by some document. */
  isKnown: boolean;
  /** Only generic words such as "coins": the whole list is meant. */
  isBrowsing: boolean;
};

/** Reads a normalised query and scores its conditions. `cache`: the scores of this search so far. */
export function interpret(
  finder: Finder,
  text: string,
  { isExact = false, isTyping = false }: FindOptions,
  cache: ScoreCache,
): Interpretation {
  const plain = readQuery(text, isTyping).slice(0, maxConditions);
  const conditions = isExact ? plain : withSynonyms(plain, finder.synonyms, isTyping);
  const scores = conditions.map((condition, i) => score(finder.index, condition, isTyping && i === conditions.length - 1, cache));
  return {
    text,
    conditions,
    scores,
    isKnown: scores.every((each) => each !== null),
    isBrowsing: conditions.length === 0 && /\p{L}/u.test(text),
  };
}

type SimpleCondition = Exclude<Condition, { kind: "either" }>;

function score(index: TextIndex, condition: Condition, isUnfinished: boolean, cache: ScoreCache): Scores | null {
  if (condition.kind === "either") return scoreEither(index, condition.options, isUnfinished, cache);
  const key = cacheKey(condition, isUnfinished);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const found = scoreOne(index, condition, isUnfinished);
  cache.set(key, found);
  return found;
}

function cacheKey(condition: SimpleCondition, isUnfinished: boolean): string {
  const prefix = `${isUnfinished ? "…" : ""}${condition.kind}`;
  if (condition.kind === "word") return `${prefix} ${condition.word}`;
  return condition.kind === "mass" ? `${prefix} ${condition.grams} ${condition.said ?? ""}` : `${prefix} ${condition.key}`;
}

function scoreOne(index: TextIndex, condition: SimpleCondition, isUnfinished: boolean): Scores | null {
  const lists: WeightedList[] = [];
  const add = (key: string, factor: number) => {
    const hits = index.hits(key);
    if (hits) lists.push({ documents: hits.documents, weights: hits.weights, factor });
  };
  if (condition.kind === "word") {
    add(stem(condition.word), 1);
    const isLongEnough = condition.word.length >= (isUnfinished ? 1 : 3) && (isUnfinished || /\p{L}/u.test(condition.word));
    if (isLongEnough && (isUnfinished || lists.length === 0)) for (const key of index.beginningWith(condition.word)) add(key, prefixFactor);
    // The first digits of a catalogue number.
    if (lists.length === 0 && /^\d{4}$/.test(condition.word))
      for (const key of index.beginningWith(`#number ${condition.word}`)) add(key, prefixFactor);
  } else if (condition.kind === "mass") {
    for (const { key, off } of index.massesNear(condition.grams * 1000, massTolerance)) add(key, massFactor(off));
  } else if (condition.kind === "key") {
    add(condition.key, 1);
  } else {
    for (const key of index.beginningWith(condition.key)) add(key, 1);
  }
  if (lists.length === 0) return null;
  const found = unionOf(index.size, lists);
  const named = condition.kind === "mass" && condition.said !== undefined ? index.hits(condition.said) : undefined;
  return named ? withBonus(found, named, saidBonus) : found;
}

/**
 * The best option for each document; an option counts only if the document meets all its conditions, with the mean of their weights. The
 * first option is what was typed.
 */
function scoreEither(index: TextIndex, options: readonly Condition[][], isUnfinished: boolean, cache: ScoreCache): Scores | null {
  const met = options.flatMap((option, nth): WeightedList[] => {
    const parts = option.map((each) => score(index, each, isUnfinished && nth === 0, cache)).filter((part) => part !== null);
    if (parts.length === 0 || parts.length < option.length) return [];
    const factor = nth === 0 ? 1 : synonymFactor;
    const [only] = parts;
    if (only && parts.length === 1) return [{ ...only, factor }];
    const { documents, weights } = intersectionOf(parts);
    const means = doubles.take(documents.length).fill(0);
    for (const of of weights) for (let at = 0; at < means.length; at += 1) means[at] = (means[at] ?? 0) + (of[at] ?? 0);
    for (let at = 0; at < means.length; at += 1) means[at] = (means[at] ?? 0) / parts.length;
    return [{ documents, weights: means, factor }];
  });
  const found = unionOf(index.size, met);
  return found.documents.length > 0 ? found : null;
}
