import { kopecks, type Kopecks } from "#kit/money.ts";
import { fromWords, massUnits, millionWords, roubleWords, thousandWords, upToWords, yearWords } from "./texts.ru.ts";
import { tokens, type Token } from "./words.ts";

/** Price limits in a query, both included, and the remaining words. */
export type PriceLimits = { priceFrom?: Kopecks; priceTo?: Kopecks; words: string };

/** A bare number from here on is a price: below it are face values, masses and years. */
const minBareAmount = 3_000;
/** More digits than any coin costs. */
const maxRoubles = 1e9;

/**
 * Extracts price limits from a normalised query: «золото до 100 000», «от 50 до 100 тысяч рублей», «дешевле 20 тыс».
 * Masses («до 10 г») and years («до 1990 года») are not limits. While typing, an unfinished last number is removed but not used.
 */
export function readPrice(normalised: string, isTyping = false): PriceLimits {
  const all = tokens(normalised);
  const limits: { priceFrom?: Kopecks; priceTo?: Kopecks } = {};
  const cuts: { start: number; end: number }[] = [];
  for (let i = 0; i < all.length; i += 1) {
    const side = sideOf(all, i);
    const amount = side && amountAt(all, i + side.words, side.name === "priceFrom");
    if (!side || !amount) continue;
    const isUnfinished = isTyping && i + side.words + amount.words === all.length && !amount.isSure;
    if (amount.roubles === null && !isUnfinished) continue;
    if (amount.roubles !== null && !isUnfinished) limits[side.name] = kopecks(Math.round(Math.min(amount.roubles, maxRoubles) * 100));
    cuts.push({ start: all[i]?.start ?? 0, end: all[i + side.words + amount.words - 1]?.end ?? 0 });
    i += side.words + amount.words - 1;
  }
  let words = normalised;
  for (const { start, end } of cuts.toReversed()) words = `${words.slice(0, start)} ${words.slice(end)}`;
  return { ...limits, words: words.replaceAll(/ +/g, " ").trim() };
}

/** «до», «дешевле»; «не дороже» turns a word around. */
function sideOf(all: readonly Token[], i: number): { name: "priceFrom" | "priceTo"; words: number } | null {
  const word = all[i]?.text ?? "";
  const isTurned = word === "не";
  const preposition = isTurned ? (all[i + 1]?.text ?? "") : word;
  const isUpTo = upToWords.has(preposition);
  if (!isUpTo && !fromWords.has(preposition)) return null;
  return { name: isUpTo === isTurned ? "priceFrom" : "priceTo", words: isTurned ? 2 : 1 };
}

/** A number with its unit; `roubles` is null when it is not an amount. `words` is the number of tokens used. */
function amountAt(all: readonly Token[], i: number, isLower: boolean): { roubles: number | null; words: number; isSure: boolean } | null {
  const number = all[i];
  if (number?.kind !== "number" || number.text.includes("/")) return null;
  const [scale, scaleWords] = scaleAt(all, i + 1);
  let words = 1 + scaleWords;
  const next = all[i + words];
  const isMoney = next?.kind === "word" && roubleWords.has(next.text);
  if (isMoney) words += 1;
  else if (next?.kind === "word" && (Object.hasOwn(massUnits, next.text) || yearWords.has(next.text) || next.text === "мм")) return null;
  // «от 50 до 100 тысяч»: the thousand belongs to both.
  const shared =
    isLower && scale === 1 && !isMoney && next !== undefined && upToWords.has(next.text) && all[i + 2]?.kind === "number"
      ? scaleAt(all, i + 3)[0]
      : 1;
  const roubles = Number(number.text) * scale * (Number(number.text) * scale < 1_000 ? shared : 1);
  const isSure = isMoney || scale > 1 || shared > 1;
  return { roubles: isSure || roubles >= minBareAmount ? roubles : null, words, isSure };
}

export function scaleAt(all: readonly Token[], i: number): [scale: number, words: number] {
  const word = all[i]?.kind === "word" ? (all[i]?.text ?? "") : "";
  return thousandWords.has(word) ? [1_000, 1] : millionWords.has(word) ? [1_000_000, 1] : [1, 0];
}
