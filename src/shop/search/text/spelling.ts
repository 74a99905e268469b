import { transliteration } from "./texts.ru.ts";
import { lettersOf, stem as stemOf } from "./words.ts";
import { nameWeight, type Stem, type TextIndex } from "../index/text-index.ts";

const maxReadings = 24;

/** Russian readings of a word in Latin letters, likeliest first; empty for other words. */
export function russianReadings(word: string): string[] {
  if (!/^[a-z']{2,40}$/.test(word)) return [];
  let readings = [""];
  for (let at = 0; at < word.length;) {
    const rule = transliteration.find(([latin]) => word.startsWith(latin, at));
    if (!rule) return [];
    const [latin, letters] = rule;
    readings = letters.flatMap((letter) => readings.map((reading) => reading + letter)).slice(0, maxReadings);
    at += latin.length;
  }
  return readings;
}

/** How many typos a word of this length may have: none up to three letters, two from eight letters on. */
export const typosAllowed = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/** A correction of a word shorter than this needs a target that is a word of at least so many coins. */
const shortWord = 6;
const minDocumentsForShortWord = 4;

/**
 * The word of the index that is nearest to `word`: fewest typos first, then the higher weight. An unfinished word is compared with the
 * beginnings of words. Null when none is near enough.
 */
export function nearestWord(
  word: string,
  { stems, hits }: Pick<TextIndex, "stems" | "hits">,
): { stem: string; word: string; typos: number } | null {
  const base = stemOf(word);
  const allowed = Math.min(typosAllowed(word.length), Math.max(0, base.length - 2));
  if (allowed === 0 || !/^\p{L}+$/u.test(word)) return null;
  let best: { stem: string; word: string; typos: number; rank: number } | null = null;
  const consider = (candidate: Stem, typos: number, penalty: number) => {
    const rank = typos + penalty + (candidate.stem[0] === base[0] ? 0 : 0.4) - Math.min(0.3, Math.log10(1 + candidate.weight) / 10);
    if (best === null || rank < best.rank) best = { stem: candidate.stem, word: candidate.word, typos, rank };
  };
  const letters = lettersOf(base);
  for (const candidate of stems) {
    if (candidate.stem.length < 3 || candidate.best < nameWeight) continue;
    // One typo adds at most one letter that the other word does not have: this excludes most words without a comparison.
    if (bitsOf(letters & ~candidate.letters) > allowed) continue;
    if (base.length < 5 && candidate.stem[0] !== base[0]) continue; // «танк» is not a typo of «банк»
    // A short word is near to many words by chance: only words that name several coins are candidates.
    if (word.length < shortWord && (hits(candidate.stem)?.documents.length ?? 0) < minDocumentsForShortWord) continue;
    if (Math.abs(candidate.stem.length - base.length) <= allowed && bitsOf(candidate.letters & ~letters) <= allowed) {
      const typos = editDistance(base, candidate.stem, allowed);
      if (typos <= allowed) consider(candidate, typos, 0);
    }
    if (base.length >= 5 && candidate.stem.length > base.length) {
      const typos = editDistance(base, candidate.stem.slice(0, base.length), 1);
      if (typos <= 1) consider(candidate, typos, 0.6);
    }
  }
  return best;
}

function bitsOf(set: number): number {
  let count = 0;
  for (let left = set; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** Damerau–Levenshtein distance between `a` and `b`; anything above `limit` is `limit + 1`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? limit + 1;
}
