import { endings, fleeting, russianVowels } from "./texts.ru.ts";

/** A longer query is cut: nobody means more, and every later step costs by the letter. */
export const longestQuery = 200;

/** A catalogue number whose groups are apart by something else than hyphens; the second group of all that were ever given begins with 0. */
const spacedCode = /(?<!\d)([3-9]\d{3})[ ./](0\d{3})(?:[ ./](\d{2}))?(?!\d)/g;

/** What a text and a query are compared by: lower case, ё as е, Latin letters without their marks, plain spaces and hyphens, thousands joined, one script per word. */
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

/** `number` may be decimal (`7.78`) or a part (`1/4`); `code` is a central bank's catalogue number, or what is typed of it so far; years (`2013-2014`) are none. Places are those in the normalised text. */
export type Token = { kind: "word" | "number" | "code"; text: string; start: number; end: number };

const tokenPattern = /(?<!\d)([3-9]\d{3}-\d{1,4}(?:-\d{1,2})?)(?!\d)|(\d{1,3}\/\d{1,3}|\d{1,10}(?:[.,]\d{1,4})?)|([\p{L}₽]+)/gu;

/** Words and numbers of a normalised text; everything else (wildcards, quotes, signs) is only a gap between them. */
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
 * The part of a word that its forms share. Snowball's stemmer takes «рысь» to «ры» and keeps «червонец» apart from «червонца»;
 * for names of coins it is enough to drop one ending, then trailing vowels, then the vowel that comes and goes.
 */
export function stem(word: string): string {
  if (word.length < 3 || !isRussian.test(word)) return word;
  const ending = endings.find((each) => word.endsWith(each) && word.length - each.length >= (each.length === 1 ? 2 : 3));
  let base = ending === undefined ? word : word.slice(0, -ending.length);
  while (base.length > 3 && (russianVowels.includes(base.at(-1) ?? "") || base.endsWith("ь") || base.endsWith("й")))
    base = base.slice(0, -1);
  if (base.length >= 3) base = base.replace(fleeting, "$1$2");
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

/** A Russian word with Latin letters that look alike (pasted, or typed with a slip) becomes Russian throughout. */
function oneScript(word: string): string {
  if (!/[а-я]/.test(word) || !/[a-z]/.test(word)) return word;
  const russian = word.replaceAll(/[a-z]/g, (letter) => twins[letter] ?? letter);
  return isRussian.test(russian) ? russian : word;
}
