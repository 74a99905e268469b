import { endings, fleetingVowel, russianVowels } from "./texts.ru.ts";

/** A longer query is cut, because the cost of every later step grows with its length. */
export const maxQueryLength = 200;

/** A catalogue number whose groups are not separated by hyphens; the second group of every existing number begins with 0. */
const spacedCode = /(?<!\d)([3-9]\d{3})[ ./](0\d{3})(?:[ ./](\d{2}))?(?!\d)/g;

/**
 * Normalises texts and queries for comparison: lower case, ё as е, Latin letters without diacritics, plain spaces and hyphens, digit groups
 * joined, one script per word.
 */
export function normalise(text: string): string {
  return text
    .replaceAll("№", " ")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("ё", "е")
    .replaceAll("\u2044", "/")
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/[\u00e0-\u024f]+/g, (letters) => letters.normalize("NFD").replaceAll(/\p{M}/gu, ""))
    .replaceAll(/[\p{Cc}\u00a0\u2000-\u200f\u2028-\u202f\u205f-\u206f\ufeff\s]+/gu, " ")
    .replaceAll(/(?<![\d.,/-])\d{1,3}(?: \d{3})+(?!\d|[.,/-]\d)/g, (groups) => groups.replaceAll(" ", ""))
    .replaceAll(spacedCode, (_, ...groups: (string | undefined)[]) =>
      groups
        .slice(0, 3)
        .filter((group) => group !== undefined)
        .join("-"),
    )
    .replaceAll(/[a-zа-я]+/g, oneScript)
    .trim();
}

/**
 * `number` may be decimal (`7.78`) or a fraction (`1/4`). `code` is a catalogue number of the Bank of Russia or its beginning; a range of
 * years (`2013-2014`) is not. `start` and `end` are positions in the normalised text.
 */
export type Token = { kind: "word" | "number" | "code"; text: string; start: number; end: number };

const tokenPattern = /(?<!\d)([3-9]\d{3}-\d{1,4}(?:-\d{1,2})?)(?!\d)|(\d{1,3}\/\d{1,3}|\d{1,10}(?:[.,]\d{1,4})?)|([\p{L}₽]+)/gu;

/** Words and numbers of a normalised text; everything else (wildcards, quotes, signs) separates them. */
export function tokens(normalised: string): Token[] {
  const found: Token[] = [];
  for (const match of normalised.matchAll(tokenPattern)) {
    const [text, code, number] = match;
    const place = { start: match.index, end: match.index + text.length };
    if (code !== undefined) found.push({ kind: "code", text: code, ...place });
    else if (number !== undefined) found.push({ kind: "number", text: number.replace(",", "."), ...place });
    else found.push({ kind: "word", text, ...place });
  }
  return found;
}

const isRussian = /^[а-я]+$/;

/**
 * The stem of a Russian word: drops one ending, then trailing vowels, then a fleeting vowel. Snowball's stemmer is not used: it reduces
 * «рысь» to «ры» and separates «червонец» from «червонца».
 */
export function stem(word: string): string {
  if (word.length < 3 || !isRussian.test(word)) return word;
  const ending = endings.find((each) => word.endsWith(each) && word.length - each.length >= (each.length === 1 ? 2 : 3));
  let base = ending === undefined ? word : word.slice(0, -ending.length);
  while (base.length > 3 && (russianVowels.includes(base.at(-1) ?? "") || base.endsWith("ь") || base.endsWith("й")))
    base = base.slice(0, -1);
  if (base.length >= 3) base = base.replace(fleetingVowel, "$1$2");
  return base.replaceAll("ь", "").replace(/нн$/, "н");
}

/** Which letters a word has, as a set of 32 bits; two letters may share a bit, so that sets differ by no more than the words do. */
export function lettersOf(word: string): number {
  let set = 0;
  for (let at = 0; at < word.length; at += 1) set |= 1 << (word.charCodeAt(at) & 31);
  return set;
}

const twins: Readonly<Record<string, string>> = {
  a: "а",
  b: "в",
  c: "с",
  e: "е",
  h: "н",
  k: "к",
  m: "м",
  o: "о",
  p: "р",
  t: "т",
  x: "х",
  y: "у",
};

/** Replaces Latin letters that look like Russian ones in a Russian word. */
function oneScript(word: string): string {
  if (!/[а-я]/.test(word) || !/[a-z]/.test(word)) return word;
  const russian = word.replaceAll(/[a-z]/g, (letter) => twins[letter] ?? letter);
  return isRussian.test(russian) ? russian : word;
}
