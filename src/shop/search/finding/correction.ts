import type { TextIndex } from "../index/text-index.ts";
import type { Condition, WordCondition } from "../query.ts";
import { commonStems } from "../text/intents.ts";
import { otherLayout } from "../text/keyboard-layout.ts";
import { editDistance, nearestWord, russianReadings, typosAllowed } from "../text/spelling.ts";
import { stopWords } from "../text/texts.ru.ts";
import { normalise, stem } from "../text/words.ts";
import type { Finder, FindOptions } from "./finder.ts";
import { interpret, type Interpretation, type ScoreCache } from "./interpretation.ts";

/** A corrected query. `cost`: the typos and other changes that it assumes, about one for each. */
type Candidate = { interpretation: Interpretation; cost: number };

/**
 * The best correction of a query: typos, transliteration, joined or split words, or the wrong keyboard layout.
 * The candidate that makes most of the query known wins.
 */
export function correct(finder: Finder, literal: Interpretation, options: FindOptions, cache: ScoreCache): Interpretation {
  const candidates = [correctWords(finder, literal, options, cache)];
  const switched = switchLayout(literal);
  if (switched !== null) {
    const interpretation = interpret(finder, normalise(switched), options, cache);
    if (interpretation.isKnown) candidates.push({ interpretation, cost: 0.2 });
    // A text that becomes Latin must be known as it is: reading it in Russian again («втб», `dn,`, «дн») would be a second guess.
    else if (/[а-я]/.test(switched)) candidates.push(correctWords(finder, interpretation, options, cache));
  }
  return candidates.reduce((best, each) => (quality(each) > quality(best) ? each : best)).interpretation;
}

/** The share of the conditions that are known, less a fifth of one for each change. */
function quality({ interpretation: { conditions, scores }, cost }: Candidate): number {
  return conditions.length === 0 ? -1 : (scores.filter((each) => each !== null).length - cost * 0.2) / conditions.length;
}

/** Switches the keyboard layout of the words that are unknown. */
function switchLayout({ text, conditions, scores }: Interpretation): string | null {
  let at = 0;
  let isSwitched = false;
  const pieces = text.split(" ").map((piece) => {
    const start = at;
    at += piece.length + 1;
    const isUnknown = conditions.some(
      (condition, i) =>
        scores[i] === null &&
        (condition.kind === "word" || condition.kind === "either") &&
        condition.start < start + piece.length &&
        condition.end > start,
    );
    const other = isUnknown ? otherLayout(piece) : null;
    if (other !== null) isSwitched = true;
    return other ?? piece;
  });
  return isSwitched ? pieces.join(" ") : null;
}

/** The replacement of a part of the query's text, from `start` to `end`. */
type Patch = { start: number; end: number; text: string; cost: number };

/** Replaces each unknown word for which there is a correction; only if there is one, also wrong endings of known words. */
function correctWords(finder: Finder, literal: Interpretation, options: FindOptions, cache: ScoreCache): Candidate {
  const { text, conditions, scores } = literal;
  const patches: Patch[] = [];
  conditions.forEach((condition, i) => {
    if (scores[i] !== null || (patches.at(-1)?.end ?? 0) > condition.start) return;
    const joined = joinWords(finder, conditions, i);
    const word = firstWord(condition);
    const patch = joined ?? (word && !finder.isKnownElsewhere(stem(word.word)) ? correctWord(finder, word) : null);
    if (patch) patches.push(patch);
  });
  if (patches.length === 0) return { interpretation: literal, cost: 0 };
  const endings = conditions.flatMap((condition, i) => {
    const word = scores[i] === null ? null : firstWord(condition);
    const isPatched = patches.some(({ start, end }) => condition.start < end && condition.end > start);
    return (word && !isPatched && correctEnding(finder.index, word)) || [];
  });
  return {
    interpretation: interpret(finder, patched(text, [...patches, ...endings]), { ...options, isTyping: false }, cache),
    cost: patches.reduce((sum, patch) => sum + patch.cost, 0),
  };
}

/** The text with all replacements, the last one first, so that the places of the others stay valid. */
const patched = (text: string, patches: readonly Patch[]): string =>
  patches
    .toSorted((a, b) => b.start - a.start)
    .reduce((result, { start, end, text: replacement }) => result.slice(0, start) + replacement + result.slice(end), text);

/** The word that was typed for a condition, the first one of a phrase; null for numbers. */
function firstWord(condition: Condition): WordCondition | null {
  const typed = condition.kind === "either" ? condition.options[0]?.[0] : condition;
  return typed?.kind === "word" ? typed : null;
}

/** The correction of an unknown word: Russian for Latin letters, a typo, or two words written as one; null: there is none. */
function correctWord(finder: Finder, { word, start, end }: WordCondition): Patch | null {
  if (commonStems.has(stem(word))) return null; // «маме» is not a typo of a name
  const { index } = finder;
  const isKnown = (each: string) => index.hits(stem(each)) !== undefined;
  const isName = (each: string) => index.isName(stem(each));
  const readings = russianReadings(word);
  // «moneta» is a word that needs no condition, and not the inflection of it that some description has.
  const stopWord = readings.find((each) => each.length >= 4 && stopWords.has(each));
  if (stopWord !== undefined) return { start, end, text: stopWord, cost: 0.5 };
  const read = readings.find(isKnown) ?? (word.length >= 4 ? readings.find((each) => index.beginningWith(each).size > 0) : undefined);
  if (read !== undefined) return { start, end, text: asWritten(index, read), cost: 0.5 };
  const near = [word, ...readings.slice(0, 6)]
    .map((each) => nearestWord(each, index))
    .filter((each) => each !== null)
    .reduce<ReturnType<typeof nearestWord>>((best, each) => (best === null || each.typos < best.typos ? each : best), null);
  const other = correctOtherWord(word, finder);
  if (other && (!near || other.cost <= near.typos)) return { start, end, ...other };
  if (near) return { start, end, text: near.word, cost: near.typos };
  for (let at = 3; at <= word.length - 3; at += 1) {
    if (!/^[ьъы]/.test(word.slice(at)) && isName(word.slice(0, at)) && isName(word.slice(at)))
      return { start, end, text: `${word.slice(0, at)} ${word.slice(at)}`, cost: 1 };
  }
  return null;
}

/** Corrects a typo in a word without a condition («манета»), or in a foreign name that only the synonyms have («kangooroo»). */
function correctOtherWord(word: string, { synonyms }: Finder): { text: string; cost: number } | null {
  const allowed = Math.min(typosAllowed(word.length), 2);
  if (allowed === 0) return null;
  const candidates = /^[a-z]+$/.test(word) ? [...synonyms.meanings.keys()].filter((phrase) => /^[a-z]+$/.test(phrase)) : [...stopWords];
  return candidates
    .filter((each) => each.length >= 5)
    .map((text) => ({ text, cost: editDistance(word, text, allowed) }))
    .filter(({ cost }) => cost <= allowed)
    .reduce<{ text: string; cost: number } | null>((best, each) => (best === null || each.cost < best.cost ? each : best), null);
}

/**
 * Corrects «ы» and «и» in the ending of a word that is known by its stem («георгый»): it is found as it is, but a query that is corrected
 * is shown without this typo, too. Other letters of endings tell cases apart.
 */
function correctEnding(index: TextIndex, { word, start, end }: WordCondition): Patch | null {
  const written = asWritten(index, word);
  const isTypo = written !== word && written.replaceAll("ы", "и") === word.replaceAll("ы", "и");
  return isTypo ? { start, end, text: written, cost: 0 } : null;
}

/** A form that no text has («собол» for sobol) is replaced by the catalogue's spelling. */
const asWritten = (index: TextIndex, word: string): string =>
  index.isWritten(word) ? word : (index.stems.find((each) => each.stem === stem(word))?.word ?? word);

/** Joins two words that together are one word of the index. */
function joinWords({ index }: Finder, conditions: readonly Condition[], i: number): Patch | null {
  for (const [left, right] of [
    [conditions[i], conditions[i + 1]],
    [conditions[i - 1], conditions[i]],
  ] as const) {
    if (left?.kind !== "word" || right?.kind !== "word") continue;
    const joined = left.word + right.word;
    if (joined.length >= 6 && index.hits(stem(joined))) return { start: left.start, end: right.end, text: joined, cost: 1 };
  }
  return null;
}
