import { commonStems } from "./text/intents.ts";
import type { Correction } from "./listing.ts";
import { otherLayout } from "./text/keyboard-layout.ts";
import { nearestWord, russianReadings, typosAllowed, editDistance } from "./text/spelling.ts";
import { readQuery, withSynonyms, type Synonyms, type Condition, type WordCondition } from "./query.ts";
import { beginningOf, listed, ranked, scoreKey, type Ordered } from "./facets/ordered.ts";
import { doubles, integers, resetArenas } from "./index/arena.ts";
import { haveCommon, intersectionOf, unionOf, withBonus, type Scores, type Weighted } from "./index/scores.ts";
import type { TextIndex } from "./index/text-index.ts";
import { stopWords } from "./text/texts.ru.ts";
import { maxQueryLength, normalise, stem } from "./text/words.ts";

export type Finder = {
  index: TextIndex;
  synonyms: Synonyms;
  /** Normalised titles and slugs: a query equal to one of them means that document. */
  exact: ReadonlyMap<string, number>;
  /** All documents by rank; breaks ties between equal scores. */
  inRankOrder: ArrayLike<number>;
  /** The rank of each document: the inverse of `inRankOrder`. */
  rankOf: ArrayLike<number>;
  /** Words that other lists (articles, categories) have are not typos, although no document here has them. */
  isKnownElsewhere: (stem: string) => boolean;
};
/** `documents`: best first. `named`: the document whose title or slug was typed. */
export type FindResult = { documents: Ordered; corrected: Correction | null; named?: number };
export type FindOptions = {
  /** Take the words as they are: no correction, no synonyms, no words left out. */
  isExact?: boolean;
  /** No correction and no words left out, but synonyms apply. */
  isStrict?: boolean;
  /** The last word may be unfinished. */
  isTyping?: boolean;
};

const maxConditions = 12;
/** A hit below this share of the best one for the same condition (a mention in a description against a title) is noise. */
const noise = 0.15;

/**
 * Of a query that found more documents the first places and the set are stored, of fewer the whole order, which takes as much as the set
 * of a hundred thousand documents.
 */
const maxStoredWhole = 1_000;

/** Finds documents for a typed query, best first. */
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

/** Documents that were found, with the keys that put them into order, in the arenas. */
type Ranking = { documents: Int32Array; keys: Float64Array; named: number | null };
/** `all`: every document is meant; null: none is found. */
type Outcome = Omit<FindResult, "documents"> & { ranking: Ranking | "all" | null };

const orderOf = ({ inRankOrder }: Finder, ranking: Outcome["ranking"]): Ordered =>
  ranking === null || ranking === "all"
    ? listed(ranking === null ? [] : inRankOrder)
    : ranked(ranking.documents, ranking.keys, inRankOrder, ranking.named);

/** The order outside the arenas. */
const stored = (finder: Finder, ranking: Outcome["ranking"]): Ordered =>
  ranking === null || ranking === "all"
    ? orderOf(finder, ranking)
    : orderOf(finder, { ...ranking, documents: ranking.documents.slice(), keys: ranking.keys.slice() });

function search(finder: Finder, typed: string, options: FindOptions): Outcome {
  resetArenas();
  const text = normalise(typed.slice(0, maxQueryLength));
  const cache: ScoreCache = new Map();
  const literal = evaluate(finder, text, options, cache);
  const named = finder.exact.get(text) ?? finder.exact.get(text.replaceAll(" ", "-"));
  if (named !== undefined) {
    const scores = literal.conditions.length > 0 && literal.isKnown ? literal.scores : [];
    return { ranking: rank(finder, scores, named), corrected: null, named };
  }
  if (literal.conditions.length === 0) return { ranking: literal.isBrowsing ? "all" : null, corrected: null };

  const isLiteral = options.isExact === true || options.isStrict === true;
  if (literal.isKnown || isLiteral) {
    const ranking = literal.isKnown ? rank(finder, literal.scores) : null;
    if (ranking !== null || isLiteral) return { ranking, corrected: null };
    return relaxQuery(finder, literal, typed, text);
  }
  const corrected = correct(finder, literal, options, cache);
  const ranking = corrected.isKnown ? rank(finder, corrected.scores) : null;
  if (ranking !== null) return { ranking, corrected: { from: typed.trim(), to: corrected.text } };
  return relaxQuery(finder, corrected, typed, text);
}

/** Scores of the conditions of one search: a corrected query shares most of them with the typed one. */
type ScoreCache = Map<string, Scores | null>;

type Interpretation = {
  text: string;
  conditions: Condition[];
  /** Per condition; null where no document meets it. */
  scores: (Scores | null)[];
  isKnown: boolean;
  /** Only generic words such as "coins": the whole list is meant. */
  isBrowsing: boolean;
};

function evaluate(finder: Finder, text: string, { isExact = false, isTyping = false }: FindOptions, cache: ScoreCache): Interpretation {
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

function valueOf(condition: Exclude<Condition, { kind: "either" }>): string {
  if (condition.kind === "word") return condition.word;
  return condition.kind === "mass" ? `${condition.grams} ${condition.said ?? ""}` : condition.key;
}

function score(index: TextIndex, condition: Condition, isUnfinished: boolean, cache: ScoreCache): Scores | null {
  if (condition.kind === "either") return scoreEither(index, condition.options, isUnfinished, cache);
  const name = `${isUnfinished ? "…" : ""}${condition.kind} ${valueOf(condition)}`;
  const before = cache.get(name);
  if (before !== undefined) return before;
  const found = scoreOne(index, condition, isUnfinished);
  cache.set(name, found);
  return found;
}

function scoreOne(index: TextIndex, condition: Exclude<Condition, { kind: "either" }>, isUnfinished: boolean): Scores | null {
  const lists: Weighted[] = [];
  const add = (key: string, factor: number) => {
    const hits = index.hits(key);
    if (hits) lists.push({ documents: hits.documents, weights: hits.weights, factor });
  };
  if (condition.kind === "word") {
    add(stem(condition.word), 1);
    const isLongEnough = condition.word.length >= (isUnfinished ? 1 : 3) && (isUnfinished || /\p{L}/u.test(condition.word));
    if (isLongEnough && (isUnfinished || lists.length === 0)) for (const key of index.beginningWith(condition.word)) add(key, 0.7);
    // The first digits of a catalogue number.
    if (lists.length === 0 && /^\d{4}$/.test(condition.word))
      for (const key of index.beginningWith(`#number ${condition.word}`)) add(key, 0.7);
  } else if (condition.kind === "mass") {
    for (const { key, off } of index.massesNear(condition.grams * 1000, 0.012)) add(key, 1 - off * 20);
  } else if (condition.kind === "key") {
    add(condition.key, 1);
  } else {
    for (const key of index.beginningWith(condition.key)) add(key, 1);
  }
  if (lists.length === 0) return null;
  const found = unionOf(index.size, lists);
  const named = condition.kind === "mass" && condition.said !== undefined ? index.hits(condition.said) : undefined;
  return named ? withBonus(found, named, 0.5) : found;
}

/** The best option for each document; an option counts only if the document meets all its conditions. */
function scoreEither(index: TextIndex, options: readonly Condition[][], isUnfinished: boolean, cache: ScoreCache): Scores | null {
  const met = options.flatMap((option, nth): Weighted[] => {
    const parts = option.map((each) => score(index, each, isUnfinished && nth === 0, cache)).filter((part) => part !== null);
    if (parts.length === 0 || parts.length < option.length) return [];
    const factor = nth === 0 ? 1 : 0.9;
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

/**
 * Documents that meet every condition; null when there are none. Rare conditions weigh more (as in inverse document frequency). `named`
 * comes first, whatever it meets.
 */
function rank({ index, rankOf }: Finder, scores: readonly (Scores | null)[], named: number | null = null): Ranking | null {
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

/**
 * The best correction of a query: typos, transliteration, joined or split words, or the wrong keyboard layout.
 * The candidate that makes most of the query known wins.
 */
function correct(finder: Finder, literal: Interpretation, options: FindOptions, cache: ScoreCache): Interpretation {
  const candidates = [correctWords(finder, literal, options, cache)];
  const switched = switchLayout(literal);
  if (switched !== null) {
    const reading = evaluate(finder, normalise(switched), options, cache);
    if (reading.isKnown) candidates.push({ reading, cost: 0.2 });
    // A text that becomes Latin must be known as it is: reading it in Russian again («втб», `dn,`, «дн») would be a second guess.
    else if (/[а-я]/.test(switched)) candidates.push(correctWords(finder, reading, options, cache));
  }
  const quality = ({ reading, cost }: { reading: Interpretation; cost: number }) =>
    reading.conditions.length === 0 ? -1 : (reading.scores.filter((each) => each !== null).length - cost * 0.2) / reading.conditions.length;
  return candidates.reduce((best, each) => (quality(each) > quality(best) ? each : best)).reading;
}

/** Switches the keyboard layout of the words that are unknown. */
function switchLayout({ text, conditions, scores }: Interpretation): string | null {
  let at = 0;
  let isSwitched = false;
  const pieces = text.split(" ").map((piece) => {
    const start = at;
    at += piece.length + 1;
    const isUnknown = conditions.some(
      (condition, i) =>
        scores[i] === null &&
        (condition.kind === "word" || condition.kind === "either") &&
        condition.start < start + piece.length &&
        condition.end > start,
    );
    const other = isUnknown ? otherLayout(piece) : null;
    if (other !== null) isSwitched = true;
    return other ?? piece;
  });
  return isSwitched ? pieces.join(" ") : null;
}

type Patch = { start: number; end: number; text: string; cost: number };

function correctWords(
  finder: Finder,
  reading: Interpretation,
  options: FindOptions,
  cache: ScoreCache,
): { reading: Interpretation; cost: number } {
  const patches: Patch[] = [];
  reading.conditions.forEach((condition, i) => {
    if (reading.scores[i] !== null || (patches.at(-1)?.end ?? 0) > condition.start) return;
    const joined = joinWords(finder, reading.conditions, i);
    const word = condition.kind === "word" ? condition : firstWord(condition);
    const patch = joined ?? (word && !finder.isKnownElsewhere(stem(word.word)) ? correctWord(finder, word) : null);
    if (patch) patches.push(patch);
  });
  if (patches.length === 0) return { reading, cost: 0 };
  const endings = reading.conditions.flatMap((condition, i) => {
    const word = reading.scores[i] === null ? null : condition.kind === "word" ? condition : firstWord(condition);
    const isPatched = patches.some(({ start, end }) => condition.start < end && condition.end > start);
    return (word && !isPatched && correctEnding(finder.index, word)) || [];
  });
  let text = reading.text;
  for (const patch of [...patches, ...endings].toSorted((a, b) => b.start - a.start))
    text = text.slice(0, patch.start) + patch.text + text.slice(patch.end);
  return {
    reading: evaluate(finder, text, { ...options, isTyping: false }, cache),
    cost: patches.reduce((sum, patch) => sum + patch.cost, 0),
  };
}

const firstWord = (condition: Condition): WordCondition | null => {
  const typed = condition.kind === "either" ? condition.options[0]?.[0] : undefined;
  return typed?.kind === "word" ? typed : null;
};

function correctWord(finder: Finder, { word, start, end }: WordCondition): Patch | null {
  if (commonStems.has(stem(word))) return null; // «маме» is not a typo of a name
  const { index } = finder;
  const isKnown = (each: string) => index.hits(stem(each)) !== undefined;
  const isName = (each: string) => index.isName(stem(each));
  const readings = russianReadings(word);
  // «moneta» is a word that needs no condition, and not the inflection of it that some description has.
  const stopWord = readings.find((each) => each.length >= 4 && stopWords.has(each));
  if (stopWord !== undefined) return { start, end, text: stopWord, cost: 0.5 };
  const read = readings.find(isKnown) ?? (word.length >= 4 ? readings.find((each) => index.beginningWith(each).size > 0) : undefined);
  if (read !== undefined) return { start, end, text: asWritten(index, read), cost: 0.5 };
  const near = [word, ...readings.slice(0, 6)]
    .map((each) => nearestWord(each, index))
    .filter((each) => each !== null)
    .reduce<ReturnType<typeof nearestWord>>((best, each) => (best === null || each.typos < best.typos ? each : best), null);
  const around = correctOtherWord(word, finder);
  if (around && (!near || around.cost <= near.typos)) return { start, end, ...around };
  if (near) return { start, end, text: near.word, cost: near.typos };
  for (let at = 3; at <= word.length - 3; at += 1) {
    if (!/^[ьъы]/.test(word.slice(at)) && isName(word.slice(0, at)) && isName(word.slice(at)))
      return { start, end, text: `${word.slice(0, at)} ${word.slice(at)}`, cost: 1 };
  }
  return null;
}

/** Corrects a typo in a word without a condition («манета»), or in a foreign name that only the synonyms have («kangooroo»). */
function correctOtherWord(word: string, { synonyms }: Finder): { text: string; cost: number } | null {
  const allowed = Math.min(typosAllowed(word.length), 2);
  if (allowed === 0) return null;
  const candidates = /^[a-z]+$/.test(word) ? [...synonyms.meanings.keys()].filter((phrase) => /^[a-z]+$/.test(phrase)) : [...stopWords];
  return candidates
    .filter((each) => each.length >= 5)
    .map((text) => ({ text, cost: editDistance(word, text, allowed) }))
    .filter(({ cost }) => cost <= allowed)
    .reduce<{ text: string; cost: number } | null>((best, each) => (best === null || each.cost < best.cost ? each : best), null);
}

/**
 * Corrects «ы» and «и» in the ending of a word that is known by its stem («георгый»): it is found as it is, but a query that is corrected
 * is shown without this typo, too. Other letters of endings tell cases apart.
 */
function correctEnding(index: TextIndex, { word, start, end }: WordCondition): Patch | null {
  const written = asWritten(index, word);
  const isTypo = written !== word && written.replaceAll("ы", "и") === word.replaceAll("ы", "и");
  return isTypo ? { start, end, text: written, cost: 0 } : null;
}

/** A form that no text has («собол» for sobol) is replaced by the catalogue's spelling. */
const asWritten = (index: TextIndex, word: string): string =>
  index.isWritten(word) ? word : (index.stems.find((each) => each.stem === stem(word))?.word ?? word);

/** Joins two words that together are one word of the index. */
function joinWords({ index }: Finder, conditions: readonly Condition[], i: number): Patch | null {
  for (const [left, right] of [
    [conditions[i], conditions[i + 1]],
    [conditions[i - 1], conditions[i]],
  ] as const) {
    if (left?.kind !== "word" || right?.kind !== "word") continue;
    const joined = left.word + right.word;
    if (joined.length >= 6 && index.hits(stem(joined))) return { start: left.start, end: right.end, text: joined, cost: 1 };
  }
  return null;
}

/** The share of a condition in a query: words by their letters (unknown ones by at most six), a number with its unit as a detail. */
const worth = (condition: Condition, isKnown: boolean): number =>
  condition.kind === "word" || condition.kind === "either" ? Math.min(isKnown ? Infinity : 6, condition.end - condition.start) : 3;

/** A result with a larger share of all documents is not an answer («русский балет» without a ballet). */
const maxResultShare = 0.6;

/**
 * Relaxes a query whose conditions no document meets together: keeps the subset with the highest worth that some document meets.
 * The subset must be at least half of what was typed, not only a number, and not met by nearly all documents; `corrected` names it.
 * A guessed word counts half; of equal subsets the rarer one is kept (of «динамо москва» the club).
 */
function relaxQuery(finder: Finder, reading: Interpretation, typed: string, asTyped: string): Outcome {
  const nothing: Outcome = { ranking: null, corrected: null };
  const { scores, conditions, text } = reading;
  const isSaid = (condition: Condition): boolean => asTyped.includes(text.slice(condition.start, condition.end));
  const worths = conditions.map((condition, i) => worth(condition, scores[i] !== null) * (isSaid(condition) ? 1 : 0.5));
  const best = bestSubset(finder.index.size, scores, worths);
  const metConditions = conditions.map((_, i) => i).filter((i) => (best.met & (1 << i)) !== 0);
  const total = worths.reduce((sum, each) => sum + each, 0);
  const isWord = (i: number) => conditions[i]?.kind === "word" || conditions[i]?.kind === "either";
  if (metConditions.length === 0 || best.kept * 2 < total) return nothing;
  const isNumberAlone = !metConditions.some((i) => isWord(i) && /\p{L}/u.test(text.slice(conditions[i]?.start, conditions[i]?.end)));
  if (isNumberAlone && conditions.some((_, i) => isWord(i))) return nothing;
  const ranking = rank(
    finder,
    metConditions.map((i) => scores[i] ?? null),
  );
  const to = metConditions.map((i) => text.slice(conditions[i]?.start, conditions[i]?.end)).join(" ");
  if (ranking === null || ranking.documents.length > finder.index.size * maxResultShare) return nothing;
  return { ranking, corrected: { from: typed.trim(), to } };
}

/**
 * The conditions that one document meets (a bit for each) and that are worth most together; of equal ones the rarer, then the heavier. A
 * document that meets the best ones meets no other: with that one they would be worth more.
 */
function bestSubset(size: number, scores: readonly (Scores | null)[], worths: readonly number[]): { met: number; kept: number } {
  const worthOf = (met: number): number => worths.reduce((sum, each, i) => ((met & (1 << i)) === 0 ? sum : sum + each), 0);
  const present = scores.reduce((bits, each, i) => (each === null ? bits : bits | (1 << i)), 0);
  const subsets: { met: number; kept: number }[] = [];
  for (let met = present; met > 0; met = (met - 1) & present) subsets.push({ met, kept: worthOf(met) });
  subsets.sort((a, b) => b.kept - a.kept);
  const isMet = documentsMeeting(size, scores);
  const kept = subsets.find(({ met }) => isMet(met))?.kept;
  if (kept === undefined) return { met: 0, kept: 0 };
  const equal = subsets.filter((each) => each.kept === kept && isMet(each.met)).map(({ met }) => met);
  const least = Math.min(...equal.map((met) => commonness(scores, met)));
  const rarest = equal.filter((met) => commonness(scores, met) === least);
  return { met: rarest.length === 1 ? (rarest[0] ?? 0) : heaviest(scores, rarest), kept };
}

/** Up to so many conditions the lists of their documents are compared. More have too many subsets, so each document is looked at once. */
const fewConditions = 5;

/** The conditions that each document meets, a bit for each; used again by each search. */
let scratch = new Uint16Array(0);

/** Whether some document meets all conditions of a subset. */
function documentsMeeting(size: number, scores: readonly (Scores | null)[]): (met: number) => boolean {
  if (scores.length <= fewConditions)
    return (met) => haveCommon(scores.flatMap((each, i) => (each && (met & (1 << i)) !== 0 ? [each.documents] : [])));
  if (scratch.length < size) scratch = new Uint16Array(size);
  const subsets = scratch.subarray(0, size).fill(0);
  for (const [i, each] of scores.entries()) if (each) markAll(subsets, each.documents, 1 << i);
  const isMet = new Uint8Array(1 << scores.length);
  for (let document = 0; document < size; document += 1) isMet[subsets[document] ?? 0] = 1;
  const all = Array.from(isMet.keys()).filter((met) => isMet[met] === 1);
  return (met) => all.some((each) => (each & met) === met);
}

function markAll(subsets: Uint16Array, documents: Int32Array, bit: number): void {
  for (let at = 0; at < documents.length; at += 1) {
    const document = documents[at] ?? 0;
    subsets[document] = (subsets[document] ?? 0) | bit;
  }
}

/** Of some subsets that of the document with the highest sum of weights; of equal ones that of the first document. */
function heaviest(scores: readonly (Scores | null)[], among: readonly number[]): number {
  let best = { met: 0, sum: -1, document: 0 };
  for (const met of among) {
    const { documents, weights } = intersectionOf(scores.flatMap((each, i) => (each && (met & (1 << i)) !== 0 ? [each] : [])));
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] ?? 0;
      let sum = 0;
      for (const each of weights) sum += each[at] ?? 0;
      if (sum > best.sum || (sum === best.sum && document < best.document)) best = { met, sum, document };
    }
  }
  return best.met;
}

/** How many documents meet the rarest of these conditions (a bit for each). */
function commonness(scores: readonly (Scores | null)[], met: number): number {
  let least = Infinity;
  for (let i = 0; i < scores.length; i += 1) if ((met & (1 << i)) !== 0) least = Math.min(least, scores[i]?.documents.length ?? Infinity);
  return least;
}
