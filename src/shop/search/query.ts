import {
  stopWords,
  fractionWords,
  massUnits,
  massWords,
  numberWords,
  orderWords,
  roubleWords,
  thousandWords,
  yearWords,
} from "./text/texts.ru.ts";
import { normalise, stem, tokens, type Token } from "./text/words.ts";

type Span = { start: number; end: number };
/** One condition of a query. `key` is an exact key of the index, `begins` a prefix of one (a face value, a year, a catalogue number). */
export type Condition = Span &
  (
    | { kind: "word"; word: string }
    /** `said`: the number as typed, `1/4`; coins with it in the title rank before others of the same mass. */
    | { kind: "mass"; grams: number; said?: string }
    | { kind: "key"; key: string }
    | { kind: "begins"; key: string }
    /** One of the options must be met; each is a list of conditions that must all be met. */
    | { kind: "either"; options: Condition[][] }
  );
export type WordCondition = Extract<Condition, { kind: "word" }>;

/**
 * Parses a normalised query into conditions: numbers with their units, catalogue numbers, words. Words without meaning are dropped,
 * except for a single one while typing: «со» may become «соболь».
 */
export function readQuery(normalised: string, isTyping = false): Condition[] {
  const conditions: Condition[] = [];
  const all = tokens(normalised);
  for (let i = 0; i < all.length;) {
    const [condition, used] = readAt(all, i);
    if (condition) conditions.push(condition);
    i += used;
  }
  const last = all.at(-1);
  if (isTyping && conditions.length === 0 && last?.kind === "word")
    conditions.push({ kind: "word", word: last.text, start: last.start, end: last.end });
  return conditions;
}

function readAt(all: readonly Token[], i: number): [Condition | null, used: number] {
  const token = all[i];
  if (!token) return [null, 1];
  const next = all[i + 1];
  const place = { start: token.start, end: token.end };
  const both = { start: token.start, end: next?.end ?? token.end };
  const amount = amountAt(all, i);
  if (amount) return amount;
  if (token.kind === "code") return [{ kind: "begins", key: `#number ${token.text}`, ...place }, 1];
  if (token.kind === "number") {
    const value = valueOf(token.text);
    if (next?.kind === "word") {
      const isYear = yearWords.has(next.text) && Number.isInteger(value) && value >= 1700 && value <= 2100;
      const unit = ownEntry(massUnits, next.text);
      if (isYear) return [{ kind: "key", key: `#year ${value}`, ...both }, 2];
      if (unit !== undefined) return [{ kind: "mass", grams: value * unit, said: token.text, ...both }, 2];
      if (roubleWords.has(next.text)) return [{ kind: "key", key: `#roubles ${value}`, ...both }, 2];
      if (next.text === "мм" || next.text === "mm") return [{ kind: "key", key: `#mm ${value}`, ...both }, 2];
    }
    if (/^\d{6,10}$/.test(token.text)) return [{ kind: "begins", key: `#digits ${token.text}`, ...place }, 1];
    const word: WordCondition = { kind: "word", word: token.text, ...place };
    // A fraction without a unit is a fraction of an ounce.
    if (token.text.includes("/") && value < 1)
      return [{ kind: "either", options: [[word], [{ kind: "mass", grams: value * ounce, ...place }]], ...place }, 1];
    // A decimal without a unit is a mass (`7,78`); from 400 on it is a fineness (`916,7`).
    return [
      token.text.includes(".") && value < 400
        ? { kind: "either", options: [[{ kind: "mass", grams: value, ...place }], [word]], ...place }
        : word,
      1,
    ];
  }
  const part = ownEntry(fractionWords, token.text);
  const unit = next?.kind === "word" ? ownEntry(massUnits, next.text) : undefined;
  if (part !== undefined && unit !== undefined) return [{ kind: "mass", grams: part * unit, ...both }, 2];
  const grams = ownEntry(massWords, token.text);
  if (grams !== undefined) return [{ kind: "mass", grams, ...place }, 1];
  if (stopWords.has(token.text) || Object.hasOwn(orderWords, token.text)) return [null, 1];
  return [{ kind: "word", word: token.text, ...place }, 1];
}

const ounce = ownEntry(massUnits, "oz") ?? 0;

/** «двадцать пять рублей», «10 тысяч рублей», «пять унций»: a number with words in it, if a unit follows. */
function amountAt(all: readonly Token[], from: number): [Condition, used: number] | null {
  let [value, used, hasWords] = [0, 0, false];
  for (let token = all[from]; token; used += 1, token = all[from + used]) {
    const spelled = token.kind === "word" ? ownEntry(numberWords, token.text) : undefined;
    if (token.kind === "number" && used === 0) value = valueOf(token.text);
    else if (spelled !== undefined) value += spelled;
    else if (token.kind === "word" && thousandWords.has(token.text)) value = Math.max(1, value) * 1000;
    else break;
    hasWords ||= token.kind === "word";
  }
  const unit = all[from + used];
  if (!hasWords || unit?.kind !== "word") return null;
  const place = { start: all[from]?.start ?? 0, end: unit.end };
  const grams = ownEntry(massUnits, unit.text);
  if (grams !== undefined) return [{ kind: "mass", grams: value * grams, said: String(value), ...place }, used + 1];
  return roubleWords.has(unit.text) ? [{ kind: "key", key: `#roubles ${value}`, ...place }, used + 1] : null;
}

/** The sort order that a word of the query requests: «недорого», «самые дорогие», «новинки»; null when there is none. */
export function requestedSort(normalised: string): (typeof orderWords)[string] | null {
  const word = tokens(normalised).find(({ kind, text }) => kind === "word" && Object.hasOwn(orderWords, text));
  return word ? (orderWords[word.text] ?? null) : null;
}

/** Reads an own property only: the word may be `constructor`. */
function ownEntry(table: Readonly<Record<string, number>>, word: string): number | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

function valueOf(number: string): number {
  const [above, below] = number.split("/");
  return below === undefined || Number(below) === 0 ? Number(above) : Number(above) / Number(below);
}

/** Buyers' phrases (by their stems) and the catalogue's terms for them. */
export type Synonyms = { meanings: ReadonlyMap<string, Condition[]>; longest: number };

/** Parses the stored synonyms once for all queries. `longest`: the number of words of the longest phrase. */
export function parseSynonyms(rows: readonly { phrase: string; meaning: string }[]): Synonyms {
  const meanings = new Map<string, Condition[]>();
  let longest = 0;
  for (const { phrase, meaning } of rows) {
    const words = tokens(normalise(phrase)).map((token) => stem(token.text));
    meanings.set(words.join(" "), readQuery(normalise(meaning)));
    longest = Math.max(longest, words.length);
  }
  return { meanings, longest };
}

/** Replaces each synonym phrase by an `either` of its words and its meaning; the longest phrase wins. */
export function withSynonyms(conditions: readonly Condition[], { meanings, longest }: Synonyms, isTyping = false): Condition[] {
  const result: Condition[] = [];
  for (let i = 0; i < conditions.length;) {
    const run =
      longestPhrase(conditions, i, longest, meanings) ??
      (isTyping && i === conditions.length - 1 ? unfinishedPhrase(conditions[i], meanings) : undefined);
    const condition = conditions[i];
    if (run) {
      const spoken = conditions.slice(i, i + run.length);
      const place = { start: spoken[0]?.start ?? 0, end: spoken.at(-1)?.end ?? 0 };
      result.push({ kind: "either", options: [spoken, run.meaning.map((each) => ({ ...each, ...place }))], ...place });
      i += run.length;
    } else {
      if (condition) result.push(condition);
      i += 1;
    }
  }
  return result;
}

/** A phrase that is still being typed: «krug» for "krugerrand". */
function unfinishedPhrase(condition: Condition | undefined, meanings: ReadonlyMap<string, Condition[]>) {
  if (condition?.kind !== "word" || condition.word.length < 3) return undefined;
  for (const [phrase, meaning] of meanings) if (phrase.startsWith(condition.word) && meaning.length > 0) return { length: 1, meaning };
  return undefined;
}

function longestPhrase(conditions: readonly Condition[], from: number, longest: number, meanings: ReadonlyMap<string, Condition[]>) {
  const words: string[] = [];
  let best: { length: number; meaning: Condition[] } | undefined;
  for (let i = from; i < Math.min(conditions.length, from + longest); i += 1) {
    const condition = conditions[i];
    if (condition?.kind !== "word") break;
    words.push(stem(condition.word));
    const meaning = meanings.get(words.join(" "));
    if (meaning && meaning.length > 0) best = { length: words.length, meaning };
  }
  return best;
}
