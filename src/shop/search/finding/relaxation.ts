import { haveCommon, intersectionOf, type Scores } from "../index/scores.ts";
import type { Condition } from "../query.ts";
import type { Finder } from "./finder.ts";
import type { Interpretation } from "./interpretation.ts";
import { rank, type Ranking } from "./ranking.ts";

/** The share of a condition in a query: words by their letters (unknown ones by at most six), a number with its unit as a detail. */
const worth = (condition: Condition, isKnown: boolean): number =>
  isOfWords(condition) ? Math.min(isKnown ? Infinity : 6, condition.end - condition.start) : 3;

/** A result with a larger share of all documents is not an answer («русский балет» without a ballet). */
const maxResultShare = 0.6;

/**
 * Relaxes a query whose conditions no document meets together: keeps the subset with the highest worth that some document meets, and
 * returns it as `text`. The subset must be at least half of what was typed, not only a number, and not met by nearly all documents;
 * otherwise null. A word that is not in `asTyped` was guessed and counts half; of equal subsets the rarer one is kept (of «динамо москва»
 * the club).
 */
export function relaxQuery(
  finder: Finder,
  { scores, conditions, text }: Interpretation,
  asTyped: string,
): { ranking: Ranking; text: string } | null {
  const textOf = (condition: Condition): string => text.slice(condition.start, condition.end);
  const worths = conditions.map((condition, i) => worth(condition, scores[i] !== null) * (asTyped.includes(textOf(condition)) ? 1 : 0.5));
  const total = worths.reduce((sum, each) => sum + each, 0);
  const best = bestSubset(finder.index.size, scores, worths);
  const kept = conditions.flatMap((condition, i) => ((best.met & (1 << i)) === 0 ? [] : [{ condition, scores: scores[i] ?? null }]));
  if (kept.length === 0 || best.kept * 2 < total) return null;
  const isNumberAlone = !kept.some(({ condition }) => isOfWords(condition) && /\p{L}/u.test(textOf(condition)));
  if (isNumberAlone && conditions.some(isOfWords)) return null;
  const ranking = rank(
    finder,
    kept.map((each) => each.scores),
  );
  if (ranking === null || ranking.documents.length > finder.index.size * maxResultShare) return null;
  return { ranking, text: kept.map(({ condition }) => textOf(condition)).join(" ") };
}

const isOfWords = ({ kind }: Condition): boolean => kind === "word" || kind === "either";

/**
 * The conditions that one document meets (a bit for each) and that are worth most together; of equal ones the rarer, then the heavier. A
 * document that meets the best ones meets no other: with that one they would be worth more.
 */
function bestSubset(size: number, scores: readonly (Scores | null)[], worths: readonly number[]): { met: number; kept: number } {
  const worthOf = (met: number): number => worths.reduce((sum, each, i) => ((met & (1 << i)) === 0 ? sum : sum + each), 0);
  const present = scores.reduce((bits, each, i) => (each === null ? bits : bits | (1 << i)), 0);
  const subsets: { met: number; kept: number }[] = [];
  for (let met = present; met > 0; met = (met - 1) & present) subsets.push({ met, kept: worthOf(met) });
  subsets.sort((a, b) => b.kept - a.kept);
  const isMet = documentsMeeting(size, scores);
  const kept = subsets.find(({ met }) => isMet(met))?.kept;
  if (kept === undefined) return { met: 0, kept: 0 };
  const equal = subsets.filter((each) => each.kept === kept && isMet(each.met)).map(({ met }) => met);
  const least = Math.min(...equal.map((met) => commonness(scores, met)));
  const rarest = equal.filter((met) => commonness(scores, met) === least);
  return { met: rarest.length === 1 ? (rarest[0] ?? 0) : heaviest(scores, rarest), kept };
}

/** Up to so many conditions the lists of their documents are compared. More have too many subsets, so each document is looked at once. */
const fewConditions = 5;

/** The conditions that each document meets, a bit for each; used again by each search. */
let scratch = new Uint16Array(0);

/** Whether some document meets all conditions of a subset. */
function documentsMeeting(size: number, scores: readonly (Scores | null)[]): (met: number) => boolean {
  if (scores.length <= fewConditions)
    return (met) => haveCommon(scores.flatMap((each, i) => (each && (met & (1 << i)) !== 0 ? [each.documents] : [])));
  if (scratch.length < size) scratch = new Uint16Array(size);
  const subsets = scratch.subarray(0, size).fill(0);
  for (const [i, each] of scores.entries()) if (each) markAll(subsets, each.documents, 1 << i);
  const isMet = new Uint8Array(1 << scores.length);
  for (let document = 0; document < size; document += 1) isMet[subsets[document] ?? 0] = 1;
  const all = Array.from(isMet.keys()).filter((met) => isMet[met] === 1);
  return (met) => all.some((each) => (each & met) === met);
}

function markAll(subsets: Uint16Array, documents: Int32Array, bit: number): void {
  for (let at = 0; at < documents.length; at += 1) {
    const document = documents[at] ?? 0;
    subsets[document] = (subsets[document] ?? 0) | bit;
  }
}

/** Of some subsets that of the document with the highest sum of weights; of equal ones that of the first document. */
function heaviest(scores: readonly (Scores | null)[], among: readonly number[]): number {
  let best = { met: 0, sum: -1, document: 0 };
  for (const met of among) {
    const { documents, weights } = intersectionOf(scores.flatMap((each, i) => (each && (met & (1 << i)) !== 0 ? [each] : [])));
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] ?? 0;
      let sum = 0;
      for (const each of weights) sum += each[at] ?? 0;
      if (sum > best.sum || (sum === best.sum && document < best.document)) best = { met, sum, document };
    }
  }
  return best.met;
}

/** How many documents meet the rarest of these conditions (a bit for each). */
function commonness(scores: readonly (Scores | null)[], met: number): number {
  let least = Infinity;
  for (let i = 0; i < scores.length; i += 1) if ((met & (1 << i)) !== 0) least = Math.min(least, scores[i]?.documents.length ?? Infinity);
  return least;
}
