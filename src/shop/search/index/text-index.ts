import { setImmediate } from "node:timers/promises";
import { stopWords } from "../text/texts.ru.ts";
import { lettersOf, normalise, stem, tokens } from "../text/words.ts";

/** A searchable document: texts and exact keys (`#year 2024`), each with the weight of a hit. */
export type Document = {
  fields: readonly (readonly [text: string, weight: number])[];
  keys?: readonly (readonly [key: string, weight: number])[];
  pureMassMg?: number;
};

/** The documents with a word, and its weight in each (the highest of the fields). */
type Hits = { documents: Int32Array; weights: Float32Array };

/**
 * An inverted index in memory. Words are indexed by stem; the words as written are kept sorted for prefix search.
 */
export type TextIndex = {
  size: number;
  /** By stem or by exact key. */
  hits(key: string): Hits | undefined;
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

const mostPrefixWords = 400;
const sliceSize = 200;

/** Builds the index in slices, so that other requests wait for one slice at most: ten thousand coins take half a second. */
export async function createTextIndex(documents: readonly Document[]): Promise<TextIndex> {
  const postings = new Map<string, { documents: number[]; weights: number[] }>();
  const spellings = new Map<string, Spelling>();
  const masses = new Set<number>();
  const put = (key: string, document: number, weight: number) => {
    let at = postings.get(key);
    if (!at) postings.set(key, (at = { documents: [], weights: [] }));
    const last = at.documents.length - 1;
    if (at.documents[last] !== document) {
      at.documents.push(document);
      at.weights.push(weight);
    } else if ((at.weights[last] ?? 0) < weight) {
      at.weights[last] = weight;
    }
  };
  // Series, countries and category names repeat from coin to coin: each text is split once.
  const taken = new Map<string, { key: string; word: string }[]>();
  const wordsOf = (text: string) => {
    let words = taken.get(text);
    // Catalogue numbers are keys, not words; stop words («со», «года») are not indexed.
    if (!words)
      taken.set(
        text,
        (words = tokens(normalise(text))
          .filter(({ kind, text: word }) => kind !== "code" && !stopWords.has(word))
          .map((token) => ({ key: token.kind === "word" ? stem(token.text) : token.text, word: token.text }))),
      );
    return words;
  };

  for (const [document, { fields, keys = [], pureMassMg }] of documents.entries()) {
    if (document % sliceSize === sliceSize - 1) await setImmediate();
    for (const [text, weight] of fields) {
      for (const { key, word } of wordsOf(text)) {
        put(key, document, weight);
        const spelling = spellings.get(word);
        if (!spelling) spellings.set(word, { key, weight, best: weight });
        else {
          spelling.weight += weight;
          if (weight > spelling.best) spelling.best = weight;
        }
      }
    }
    for (const [key, weight] of keys) put(key, document, weight);
    if (pureMassMg !== undefined) {
      masses.add(pureMassMg);
      put(massKey(pureMassMg), document, 6);
    }
  }
  await setImmediate();

  const frozen = new Map<string, Hits>();
  for (const [key, at] of postings) frozen.set(key, { documents: Int32Array.from(at.documents), weights: Float32Array.from(at.weights) });
  const written = [...spellings].map(([word, { key }]) => ({ word, key }));
  for (const key of postings.keys()) if (key.startsWith("#")) written.push({ word: key, key });
  written.sort((a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : 0));
  const stems = heaviestSpellings(spellings);
  const names = new Set(stems.filter(({ best }) => best >= nameWeight).map(({ stem }) => stem));
  const sortedMasses = [...masses].sort((a, b) => a - b);

  return {
    size: documents.length,
    hits: (key) => frozen.get(key),
    beginningWith(letters) {
      const found = new Set<string>();
      for (let i = firstAtLeast(written, letters); found.size < mostPrefixWords; i += 1) {
        const entry = written[i];
        if (!entry?.word.startsWith(letters)) break;
        found.add(entry.key);
      }
      return found;
    },
    massesNear: (mg, tolerance) =>
      sortedMasses.map((each) => ({ key: massKey(each), off: Math.abs(each - mg) / mg })).filter(({ off }) => off <= tolerance),
    isWritten: (word) => spellings.has(word),
    isName: (stem) => names.has(stem),
    stems,
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

function firstAtLeast(sorted: readonly { word: string }[], word: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.word ?? "") < word) low = middle + 1;
    else high = middle;
  }
  return low;
}
