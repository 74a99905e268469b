import { keyboard, transliteration } from "./texts.ru.ts";
import { lettersOf, stem as stemOf } from "./words.ts";
import { nameWeight, type Stem, type TextIndex } from "./text-index.ts";

const toRussian = new Map(Array.from(keyboard.latin, (key, i) => [key, keyboard.russian[i] ?? key]));
const toLatin = new Map(Array.from(keyboard.russian, (key, i) => [key, keyboard.latin[i] ?? key]));
// With Shift the same keys give other signs.
for (const [shifted, key] of [
  ["~", "ё"],
  ["{", "х"],
  ["}", "ъ"],
  [":", "ж"],
  ['"', "э"],
  ["<", "б"],
  [">", "ю"],
] as const)
  toRussian.set(shifted, key);

/** The same keys pressed on the other layout; the layout that most letters are of is taken as the wrong one. Null when there is nothing to switch. */
export function otherLayout(query: string): string | null {
  const text = query.toLowerCase();
  const latin = text.match(/[a-z]/g)?.length ?? 0;
  const russian = text.match(/[а-яё]/g)?.length ?? 0;
  if (latin === 0 && russian === 0) return null;
  const map = latin >= russian ? toRussian : toLatin;
  const switched = Array.from(text, (letter) => map.get(letter) ?? letter).join("");
  return switched === text ? null : switched;
}

const mostReadings = 24;

/** Russian readings of a word in Latin letters, likeliest first; empty for other words. */
export function russianReadings(word: string): string[] {
  if (!/^[a-z']{2,40}$/.test(word)) return [];
  let readings = [""];
  for (let at = 0; at < word.length;) {
    const rule = transliteration.find(([latin]) => word.startsWith(latin, at));
    if (!rule) return [];
    const [latin, letters] = rule;
    readings = letters.flatMap((letter) => readings.map((reading) => reading + letter)).slice(0, mostReadings);
    at += latin.length;
  }
  return readings;
}

/** How many slips a word of this length may have: none in three letters, two from eight on. */
export const slipsAllowed = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/** A correction of a word shorter than this needs a target that stands on at least so many coins. */
const shortWord = 6;
const leastForShort = 4;

/**
 * The known word that `word` was likely meant to be: fewest slips first, then the heavier word. A word cut short while typing is
 * compared with the beginnings of known ones. Null when nothing is near enough.
 */
export function nearest(
  word: string,
  { stems, hits }: Pick<TextIndex, "stems" | "hits">,
): { stem: string; word: string; slips: number } | null {
  const base = stemOf(word);
  const allowed = Math.min(slipsAllowed(word.length), Math.max(0, base.length - 2));
  if (allowed === 0 || !/^\p{L}+$/u.test(word)) return null;
  let best: { stem: string; word: string; slips: number; rank: number } | null = null;
  const consider = (candidate: Stem, slips: number, penalty: number) => {
    const rank = slips + penalty + (candidate.stem[0] === base[0] ? 0 : 0.4) - Math.min(0.3, Math.log10(1 + candidate.weight) / 10);
    if (best === null || rank < best.rank) best = { stem: candidate.stem, word: candidate.word, slips, rank };
  };
  const letters = lettersOf(base);
  for (const candidate of stems) {
    if (candidate.stem.length < 3 || candidate.best < nameWeight) continue;
    // One slip brings at most one letter that the other word has not: most words are out before they are compared.
    if (bitsOf(letters & ~candidate.letters) > allowed) continue;
    if (base.length < 5 && candidate.stem[0] !== base[0]) continue; // «танк» is not a slip of «банк»
    // A short word is near to many by chance: it was likelier meant for one that names several coins than for one that stands on a single coin.
    if (word.length < shortWord && (hits(candidate.stem)?.documents.length ?? 0) < leastForShort) continue;
    if (Math.abs(candidate.stem.length - base.length) <= allowed && bitsOf(candidate.letters & ~letters) <= allowed) {
      const slips = slipsBetween(base, candidate.stem, allowed);
      if (slips <= allowed) consider(candidate, slips, 0);
    }
    if (base.length >= 5 && candidate.stem.length > base.length) {
      const slips = slipsBetween(base, candidate.stem.slice(0, base.length), 1);
      if (slips <= 1) consider(candidate, slips, 0.6);
    }
  }
  return best;
}

function bitsOf(set: number): number {
  let count = 0;
  for (let left = set; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** Letters added, lost, changed or swapped with their neighbour on the way from `a` to `b`; anything above `limit` is `limit + 1`. */
export function slipsBetween(a: string, b: string, limit: number): number {
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
