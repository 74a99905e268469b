import {
  emptyWords,
  fractionWords,
  massUnits,
  massWords,
  numberWords,
  orderWords,
  roubleWords,
  thousandWords,
  yearWords,
} from "./texts.ru.ts";
import { stem, tokens, type Token } from "./words.ts";

type Place = { start: number; end: number };
/** One thing the reader asks for. `key` and `begins` are exact keys of the index (a face value, a year, a catalogue number). */
export type Wish = Place &
  (
    | { kind: "word"; word: string }
    /** `said`: the number of units as a title would have it, `1/4`; a coin that is named so comes before others of its mass. */
    | { kind: "mass"; grams: number; said?: string }
    | { kind: "key"; key: string }
    | { kind: "begins"; key: string }
    /** Any of the options will do; each is a list of wishes that must all be met. */
    | { kind: "either"; options: Wish[][] }
  );
export type WordWish = Extract<Wish, { kind: "word" }>;

/**
 * Reads a normalised query: numbers with their units, catalogue numbers, words. Words that carry no wish are dropped,
 * but while somebody is typing «со» alone it may become «соболь».
 */
export function readQuery(normalised: string, isTyping = false): Wish[] {
  const wishes: Wish[] = [];
  const all = tokens(normalised);
  for (let i = 0; i < all.length;) {
    const [wish, used] = readAt(all, i);
    if (wish) wishes.push(wish);
    i += used;
  }
  const last = all.at(-1);
  if (isTyping && wishes.length === 0 && last?.kind === "word")
    wishes.push({ kind: "word", word: last.text, start: last.start, end: last.end });
  return wishes;
}

function readAt(all: readonly Token[], i: number): [Wish | null, used: number] {
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
      const unit = own(massUnits, next.text);
      if (isYear) return [{ kind: "key", key: `#year ${value}`, ...both }, 2];
      if (unit !== undefined) return [{ kind: "mass", grams: value * unit, said: token.text, ...both }, 2];
      if (roubleWords.has(next.text)) return [{ kind: "key", key: `#roubles ${value}`, ...both }, 2];
      if (next.text === "мм" || next.text === "mm") return [{ kind: "key", key: `#mm ${value}`, ...both }, 2];
    }
    if (/^\d{6,10}$/.test(token.text)) return [{ kind: "begins", key: `#digits ${token.text}`, ...place }, 1];
    const word: WordWish = { kind: "word", word: token.text, ...place };
    // A part of nothing named is a part of an ounce.
    if (token.text.includes("/") && value < 1)
      return [{ kind: "either", options: [[word], [{ kind: "mass", grams: value * ounce, ...place }]], ...place }, 1];
    // A bare `7,78` is a mass as a rule; from some 400 on it is a fineness, `916,7`.
    return [
      token.text.includes(".") && value < 400
        ? { kind: "either", options: [[{ kind: "mass", grams: value, ...place }], [word]], ...place }
        : word,
      1,
    ];
  }
  const part = own(fractionWords, token.text);
  const unit = next?.kind === "word" ? own(massUnits, next.text) : undefined;
  if (part !== undefined && unit !== undefined) return [{ kind: "mass", grams: part * unit, ...both }, 2];
  const grams = own(massWords, token.text);
  if (grams !== undefined) return [{ kind: "mass", grams, ...place }, 1];
  if (emptyWords.has(token.text) || Object.hasOwn(orderWords, token.text)) return [null, 1];
  return [{ kind: "word", word: token.text, ...place }, 1];
}

const ounce = own(massUnits, "oz") ?? 0;

/** «двадцать пять рублей», «10 тысяч рублей», «пять унций»: a number with words in it, if a unit follows. */
function amountAt(all: readonly Token[], from: number): [Wish, used: number] | null {
  let [value, used, hasWords] = [0, 0, false];
  for (let token = all[from]; token; used += 1, token = all[from + used]) {
    const spelled = token.kind === "word" ? own(numberWords, token.text) : undefined;
    if (token.kind === "number" && used === 0) value = valueOf(token.text);
    else if (spelled !== undefined) value += spelled;
    else if (token.kind === "word" && thousandWords.has(token.text)) value = Math.max(1, value) * 1000;
    else break;
    hasWords ||= token.kind === "word";
  }
  const unit = all[from + used];
  if (!hasWords || unit?.kind !== "word") return null;
  const place = { start: all[from]?.start ?? 0, end: unit.end };
  const grams = own(massUnits, unit.text);
  if (grams !== undefined) return [{ kind: "mass", grams: value * grams, said: String(value), ...place }, used + 1];
  return roubleWords.has(unit.text) ? [{ kind: "key", key: `#roubles ${value}`, ...place }, used + 1] : null;
}

/** The order that a query asks for in words: «недорого», «самые дорогие», «новинки». Null when it asks for none. */
export function orderAsked(normalised: string): (typeof orderWords)[string] | null {
  const word = tokens(normalised).find(({ kind, text }) => kind === "word" && Object.hasOwn(orderWords, text));
  return word ? (orderWords[word.text] ?? null) : null;
}

/** A word may be `constructor`: only the table's own entries count. */
function own(table: Readonly<Record<string, number>>, word: string): number | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

function valueOf(number: string): number {
  const [above, below] = number.split("/");
  return below === undefined || Number(below) === 0 ? Number(above) : Number(above) / Number(below);
}

/** What buyers say → what the catalogue calls it, by stems of the phrase; longest phrases first at each place. */
export type Synonyms = { meanings: ReadonlyMap<string, Wish[]>; longest: number };

export function readSynonyms(rows: readonly { phrase: string; meaning: string }[], normaliseText: (text: string) => string): Synonyms {
  const meanings = new Map<string, Wish[]>();
  let longest = 0;
  for (const { phrase, meaning } of rows) {
    const words = tokens(normaliseText(phrase)).map((token) => stem(token.text));
    meanings.set(words.join(" "), readQuery(normaliseText(meaning)));
    longest = Math.max(longest, words.length);
  }
  return { meanings, longest };
}

/** Replaces each known phrase by "the words themselves, or what they stand for". */
export function withSynonyms(wishes: readonly Wish[], { meanings, longest }: Synonyms, isTyping = false): Wish[] {
  const result: Wish[] = [];
  for (let i = 0; i < wishes.length;) {
    const run =
      longestPhrase(wishes, i, longest, meanings) ?? (isTyping && i === wishes.length - 1 ? begunPhrase(wishes[i], meanings) : undefined);
    const wish = wishes[i];
    if (run) {
      const said = wishes.slice(i, i + run.length);
      const place = { start: said[0]?.start ?? 0, end: said.at(-1)?.end ?? 0 };
      result.push({ kind: "either", options: [said, run.meaning.map((each) => ({ ...each, ...place }))], ...place });
      i += run.length;
    } else {
      if (wish) result.push(wish);
      i += 1;
    }
  }
  return result;
}

/** While typing: «krug» is on its way to "krugerrand". */
function begunPhrase(wish: Wish | undefined, meanings: ReadonlyMap<string, Wish[]>) {
  if (wish?.kind !== "word" || wish.word.length < 3) return undefined;
  for (const [phrase, meaning] of meanings) if (phrase.startsWith(wish.word) && meaning.length > 0) return { length: 1, meaning };
  return undefined;
}

function longestPhrase(wishes: readonly Wish[], from: number, longest: number, meanings: ReadonlyMap<string, Wish[]>) {
  const words: string[] = [];
  let best: { length: number; meaning: Wish[] } | undefined;
  for (let i = from; i < Math.min(wishes.length, from + longest); i += 1) {
    const wish = wishes[i];
    if (wish?.kind !== "word") break;
    words.push(stem(wish.word));
    const meaning = meanings.get(words.join(" "));
    if (meaning && meaning.length > 0) best = { length: words.length, meaning };
  }
  return best;
}
