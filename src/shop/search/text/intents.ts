import { kopecks, type Kopecks } from "#kit/money.ts";
import table from "./intents.json" with { type: "json" };
import type { ListingFilters, SortKey } from "../listing.ts";
import { scaleAt } from "./price-limits.ts";
import { stopWords, massUnits, numberWords, roubleWords, yearWords } from "./texts.ru.ts";
import { normalise, stem, tokens, type Token } from "./words.ts";

/**
 * A prepared list for the purpose of a query: a gift, a first purchase, a sum to invest. Amounts of `filters` in kopecks.
 * `years`: only coins struck in this number of last years.
 */
export type Intent = {
  id: string;
  phrases: readonly string[];
  heading: string;
  text: string;
  withSum?: { heading: string; text: string };
  filters: ListingFilters;
  years?: number;
  sort: SortKey;
  links: readonly { title: string; href: string }[];
};

export const intents = table.intents as readonly Intent[]; // the values of the table are checked by its test

/** A query with an intent: `rest` are the other words, which may name coins; `sum` is the highest price of a coin. */
export type QueryIntent = { intent: Intent; rest: string; sum: Kopecks | null; stems: readonly string[] };

const stemOf = ({ kind, text }: Token): string => (kind === "word" ? stem(text) : text);
/** A token with its stem, which many phrases are compared with. */
type Word = Token & { stem: string };
const stemsOf = (text: string): string[] =>
  tokens(normalise(text))
    .filter(({ text: word }) => !stopWords.has(word))
    .map(stemOf);

const aroundStems: ReadonlySet<string> = new Set(stemsOf(table.around));
/** Stems of common words: such a word is not treated as a typo of a coin's name. */
export const commonStems: ReadonlySet<string> = new Set([
  ...aroundStems,
  ...stemsOf(table.common),
  ...intents.flatMap(({ phrases }) => phrases.flatMap(stemsOf)),
]);

const phrasesOf = new Map(intents.map((intent) => [intent, intent.phrases.map(stemsOf)]));
const everyPhrase = [...phrasesOf.values()].flat();
const investment = intents.find(({ withSum }) => withSum !== undefined);

/** The intent of a normalised query; null when it names coins only. */
export function intentOf(normalised: string): QueryIntent | null {
  const { words, sum } = readSum(tokens(normalised).map((token) => ({ ...token, stem: stemOf(token) })));
  const content = words.filter(({ text }, i) => !stopWords.has(text) && !isAge(words, i));
  const intent =
    intents.find((each) => phrasesOf.get(each)?.some((phrase) => phraseIndex(content, phrase) >= 0)) ??
    (sum === null ? undefined : investment);
  if (!intent) return null;
  const [left, stems] = withoutPhrases(content);
  const rest = left
    .filter((word) => !aroundStems.has(word.stem))
    .map(({ text }) => text)
    .join(" ");
  return { intent, rest, sum, stems };
}

/** The words without all phrases of intents («подарок на рождение ребёнка» names two), and the stems of those phrases. */
function withoutPhrases(words: readonly Word[]): [left: Word[], stems: string[]] {
  const left = [...words];
  const stems: string[] = [];
  for (const phrase of everyPhrase) {
    for (let at = phraseIndex(left, phrase); at >= 0; at = phraseIndex(left, phrase)) {
      left.splice(at, phrase.length);
      stems.push(...phrase);
    }
  }
  return [left, stems];
}

/** Index of the first word of the phrase, -1 when it is absent. */
const phraseIndex = (words: readonly Word[], phrase: readonly string[]): number =>
  phrase.length === 0 ? -1 : words.findIndex((_, from) => phrase.every((each, nth) => words[from + nth]?.stem === each));

/** «50 лет» is an age, not a face value. */
const isAge = (words: readonly Token[], i: number): boolean =>
  words[i]?.kind === "number" && ["лет", "летие", "годик"].includes(words[i + 1]?.text ?? "");

/** A bare number from here on is a sum: below it are face values, masses and years. */
const minBareAmount = 3_000;
const maxRoubles = 1e9;

/** Extracts a sum: «на 100 000 рублей», «вложить 500 тысяч», «миллион». A face value («10 000 рублей») has no «на» before it. */
function readSum(all: readonly Word[]): { words: Word[]; sum: Kopecks | null } {
  const isInvesting = (phrasesOf.get(investment ?? intents[0]!) ?? []).some((phrase) => phraseIndex(all, phrase) >= 0);
  for (let i = 0; i < all.length; i += 1) {
    const hasOn = all[i]?.text === "на";
    const from = hasOn ? i + (["сумму", "сумма"].includes(all[i + 1]?.text ?? "") ? 2 : 1) : i;
    if (!hasOn && !isInvesting) continue;
    const amount = sumAt(all, from);
    if (!amount) continue;
    return {
      words: [...all.slice(0, i), ...all.slice(from + amount.used)],
      sum: kopecks(Math.round(Math.min(amount.roubles, maxRoubles) * 100)),
    };
  }
  return { words: [...all], sum: null };
}

function sumAt(all: readonly Token[], from: number): { roubles: number; used: number } | null {
  let [value, used] = [0, 0];
  for (let token = all[from]; token; used += 1, token = all[from + used]) {
    if (token.kind === "number" && used === 0 && !token.text.includes("/")) value = Number(token.text);
    else if (token.kind === "word" && Object.hasOwn(numberWords, token.text)) value += numberWords[token.text] ?? 0;
    else break;
  }
  const [scale, scaleWords] = scaleAt(all, from + used);
  if (used === 0 && (scale < 1_000_000 || scaleWords === 0)) return null; // «миллион» is a sum by itself
  used += scaleWords;
  const unit = all[from + used]?.text ?? "";
  const isMoney = roubleWords.has(unit);
  if (!isMoney && (Object.hasOwn(massUnits, unit) || yearWords.has(unit) || unit === "мм")) return null;
  const roubles = Math.max(1, value) * scale;
  return roubles >= minBareAmount ? { roubles, used: used + (isMoney ? 1 : 0) } : null;
}
