import { setImmediate } from "node:timers/promises";
import { stopWords } from "../text/texts.ru.ts";
import { lettersOf, normalise, stem, tokens } from "../text/words.ts";
import { createPostings, type Postings } from "./postings.ts";

/** A searchable document: texts and exact keys (`#year 2024`), each with the weight of a hit: a whole number up to 255. */
export type Document = {
  fields: readonly (readonly [text: string, weight: number])[];
  keys?: readonly (readonly [key: string, weight: number])[];
  pureMassMg?: number;
};

/**
 * An inverted index in memory. Words are indexed by stem; the words as written are kept sorted for prefix search.
 */
export type TextIndex = {
  size: number;
  /** The documents with a word, ascending, and its weight in each (the highest of the fields). By stem or by exact key. */
  hits(key: string): Postings | undefined;
  /** Stems of the words that begin with `letters`. */
  beginningWith(letters: string): Set<string>;
  /** Keys of all masses within `tolerance` (a share) of `mg`, with the relative difference `off`. */
  massesNear(mg: number, tolerance: number): { key: string; off: number }[];
  /** Whether some document has the word in exactly this form. */
  isWritten(word: string): boolean;
  /** Whether a word of this stem is in a name, a series or a place, not only in a description. */
  isName(stem: string): boolean;
  /** Every stem with a word to display. */
  stems: readonly Stem[];
};
/** `letters`: the letter set of the stem (`lettersOf`); `weight`: sum over documents; `best`: the highest field weight of the word. */
export type Stem = { stem: string; letters: number; word: string; weight: number; best: number };

/** Words in fields of at least this weight are names; only names are targets of a correction. */
export const nameWeight = 4;

const maxPrefixWords = 400;
const sliceSize = 200;
/** Series, countries and category names repeat from coin to coin and are split once. Longer texts are different in each coin. */
const maxMemoizedLength = 60;
const maxMemoizedTexts = 10_000;

/**
 * Builds the index in slices, so that other requests wait for one slice at most: ten thousand coins take half a second. `documentAt` is
 * called once for each number below `size`, in ascending order.
 */
export async function createTextIndex(size: number, documentAt: (document: number) => Document): Promise<TextIndex> {
  const postings = createPostings();
  const spellings = new Map<string, Spelling>();
  const masses = new Set<number>();
  const wordsOf = createSplitter();
  for (let document = 0; document < size; document += 1) {
    if (document % sliceSize === sliceSize - 1) await setImmediate();
    const { fields, keys = [], pureMassMg } = documentAt(document);
    for (const [text, weight] of fields) {
      for (const { key, word } of wordsOf(text)) {
        postings.put(key, document, weight);
        const spelling = spellings.get(word);
        if (!spelling) spellings.set(word, { key, weight, best: weight });
        else {
          spelling.weight += weight;
          if (weight > spelling.best) spelling.best = weight;
        }
      }
    }
    for (const [key, weight] of keys) postings.put(key, document, weight);
    if (pureMassMg !== undefined) {
      masses.add(pureMassMg);
      postings.put(massKey(pureMassMg), document, 6);
    }
  }
  await setImmediate();
  const hits = postings.freeze();
  await setImmediate();
  const written = [...spellings.keys()];
  for (const key of postings.keys()) if (key.startsWith("#")) written.push(key);
  written.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  await setImmediate();
  const stems = heaviestSpellings(spellings);
  const names = new Set(stems.filter(({ best }) => best >= nameWeight).map((each) => each.stem));
  const sortedMasses = [...masses].sort((a, b) => a - b);

  return {
    size,
    hits,
    beginningWith(letters) {
      const found = new Set<string>();
      for (let i = firstAtLeast(written, letters); found.size < maxPrefixWords; i += 1) {
        const word = written[i];
        if (!word?.startsWith(letters)) break;
        found.add(spellings.get(word)?.key ?? word);
      }
      return found;
    },
    massesNear: (mg, tolerance) =>
      sortedMasses.map((each) => ({ key: massKey(each), off: Math.abs(each - mg) / mg })).filter(({ off }) => off <= tolerance),
    isWritten: (word) => spellings.has(word),
    isName: (each) => names.has(each),
    stems,
  };
}

type Word = { key: string; word: string };

/** Splits texts into words with their stems. Catalogue numbers are keys, not words; stop words («со», «года») are not indexed. */
function createSplitter(): (text: string) => Word[] {
  const words = new Map<string, Word>();
  const texts = new Map<string, Word[]>();
  const split = (text: string): Word[] =>
    tokens(normalise(text)).flatMap((token) => {
      if (token.kind === "code" || stopWords.has(token.text)) return [];
      const known = words.get(token.text);
      if (known) return [known];
      const word = { key: token.kind === "word" ? stem(token.text) : token.text, word: token.text };
      words.set(token.text, word);
      return [word];
    });
  return (text) => {
    if (text.length > maxMemoizedLength) return split(text);
    const known = texts.get(text);
    if (known) return known;
    const found = split(text);
    if (texts.size < maxMemoizedTexts) texts.set(text, found);
    return found;
  };
}

/** For every stem the word with the highest weight, for display. */
function heaviestSpellings(spellings: ReadonlyMap<string, Spelling>): Stem[] {
  const heaviest = new Map<string, Stem>();
  for (const [word, { key, weight, best }] of spellings) {
    const known = heaviest.get(key);
    if (!known || weight > known.weight)
      heaviest.set(key, { stem: key, letters: lettersOf(key), word, weight, best: Math.max(best, known?.best ?? 0) });
    else if (best > known.best) known.best = best;
  }
  return [...heaviest.values()];
}

type Spelling = { key: string; weight: number; best: number };

const massKey = (mg: number): string => `#mg ${mg}`;

function firstAtLeast(sorted: readonly string[], word: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < word) low = middle + 1;
    else high = middle;
  }
  return low;
}
