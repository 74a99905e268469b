import { commonStems } from "./intents.ts";
import type { Correction } from "./listing.ts";
import { nearest, otherLayout, russianReadings, slipsAllowed, slipsBetween } from "./mending.ts";
import { readQuery, withSynonyms, type Synonyms, type Wish, type WordWish } from "./query.ts";
import type { TextIndex } from "./text-index.ts";
import { emptyWords } from "./texts.ru.ts";
import { longestQuery, normalise, stem } from "./words.ts";

export type Finder = {
  index: TextIndex;
  synonyms: Synonyms;
  /** Normalised titles and addresses: who types one of them means that document. */
  exact: ReadonlyMap<string, number>;
  /** All documents; of equal scores the one that stands first here comes first. */
  inRankOrder: ArrayLike<number>;
  /** Words that other lists (articles, categories) know are not mistakes, although no document here has them. */
  isKnownElsewhere: (stem: string) => boolean;
};
/** `named`: the document whose own title or address was typed. */
export type Finding = { documents: number[]; corrected: Correction | null; named?: number };
export type FindOptions = {
  /** Take the words as they are: no mending, no synonyms, nothing left out. */
  isExact?: boolean;
  /** Nothing is mended or left out, but synonyms count. */
  isStrict?: boolean;
  /** The last word may be unfinished. */
  isTyping?: boolean;
};

const mostWishes = 12;
/** A hit far weaker than the best for the same wish (a mention in a description beside a title) is noise. */
const noise = 0.15;

/** Finds documents for what somebody typed, best first. */
export function find(finder: Finder, typed: string, options: FindOptions = {}): Finding {
  const text = normalise(typed.slice(0, longestQuery));
  const known: Known = new Map();
  const literal = evaluate(finder, text, options, known);
  const named = finder.exact.get(text) ?? finder.exact.get(text.replaceAll(" ", "-"));
  if (named !== undefined) {
    const others = literal.wishes.length > 0 && literal.isKnown ? rank(finder, literal.scores) : [];
    return { documents: [named, ...others.filter((each) => each !== named)], corrected: null, named };
  }
  if (literal.wishes.length === 0) return { documents: literal.isBrowsing ? everything(finder) : [], corrected: null };

  const isLiteral = options.isExact === true || options.isStrict === true;
  if (literal.isKnown || isLiteral) {
    const documents = literal.isKnown ? rank(finder, literal.scores) : [];
    if (documents.length > 0 || isLiteral) return { documents, corrected: null };
    return leavingOut(finder, literal, typed, text);
  }
  const mended = mend(finder, literal, options, known);
  const outcome = mended.isKnown ? rank(finder, mended.scores) : [];
  if (outcome.length > 0) return { documents: outcome, corrected: { from: typed.trim(), to: mended.text } };
  return leavingOut(finder, mended, typed, text);
}

/** What a wish weighs in each document, 0 where it is not met, and how many meet it. */
type Scores = { weights: Float32Array; met: number };
/** Words scored on the way to one answer: a mended reading shares most of them with what was typed. */
type Known = Map<string, Scores | null>;

type Reading = {
  text: string;
  wishes: Wish[];
  /** Per wish; null where no document meets it. */
  scores: (Scores | null)[];
  isKnown: boolean;
  /** Only words like "coins": the whole list is meant. */
  isBrowsing: boolean;
};

function evaluate(finder: Finder, text: string, { isExact = false, isTyping = false }: FindOptions, known: Known): Reading {
  const plain = readQuery(text, isTyping).slice(0, mostWishes);
  const wishes = isExact ? plain : withSynonyms(plain, finder.synonyms, isTyping);
  const scores = wishes.map((wish, i) => score(finder.index, wish, isTyping && i === wishes.length - 1, known));
  return { text, wishes, scores, isKnown: scores.every((each) => each !== null), isBrowsing: wishes.length === 0 && /\p{L}/u.test(text) };
}

function score(index: TextIndex, wish: Wish, isUnfinished: boolean, known: Known): Scores | null {
  if (wish.kind === "either") return scoreEither(index, wish.options, isUnfinished, known);
  const name = `${isUnfinished ? "…" : ""}${wish.kind} ${wish.kind === "word" ? wish.word : wish.kind === "mass" ? `${wish.grams} ${wish.said ?? ""}` : wish.key}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = scoreOne(index, wish, isUnfinished);
  known.set(name, found);
  return found;
}

function scoreOne(index: TextIndex, wish: Exclude<Wish, { kind: "either" }>, isUnfinished: boolean): Scores | null {
  const keys: [key: string, quality: number][] = [];
  const add = (key: string, quality: number) => {
    if (index.hits(key)) keys.push([key, quality]);
  };
  if (wish.kind === "word") {
    add(stem(wish.word), 1);
    const isLongEnough = wish.word.length >= (isUnfinished ? 1 : 3) && (isUnfinished || /\p{L}/u.test(wish.word));
    if (isLongEnough && (isUnfinished || keys.length === 0)) for (const key of index.beginningWith(wish.word)) add(key, 0.7);
    // The first digits of a catalogue number.
    if (keys.length === 0 && /^\d{4}$/.test(wish.word)) for (const key of index.beginningWith(`#number ${wish.word}`)) add(key, 0.7);
  } else if (wish.kind === "mass") {
    for (const { key, off } of index.massesNear(wish.grams * 1000, 0.012)) add(key, 1 - off * 20);
  } else if (wish.kind === "key") {
    add(wish.key, 1);
  } else {
    for (const key of index.beginningWith(wish.key)) add(key, 1);
  }
  if (keys.length === 0) return null; // an unknown word costs no list of all documents
  const weights = new Float32Array(index.size);
  let met = 0;
  for (const [key, quality] of keys) {
    const hits = index.hits(key);
    if (!hits) continue;
    for (let i = 0; i < hits.documents.length; i += 1) {
      const document = hits.documents[i] ?? 0;
      const weight = (hits.weights[i] ?? 0) * quality;
      const before = weights[document] ?? 0;
      if (weight <= before) continue;
      if (before === 0) met += 1;
      weights[document] = weight;
    }
  }
  const named = wish.kind === "mass" && wish.said !== undefined ? index.hits(wish.said) : undefined;
  named?.documents.forEach((document, i) => {
    if ((weights[document] ?? 0) > 0) weights[document] = (weights[document] ?? 0) + (named.weights[i] ?? 0) / 2;
  });
  return { weights, met };
}

/** The best of the options for each document; an option whose wishes are not all met by it counts nothing. */
function scoreEither(index: TextIndex, options: readonly Wish[][], isUnfinished: boolean, known: Known): Scores | null {
  const weights = new Float32Array(index.size);
  let met = 0;
  options.forEach((option, nth) => {
    const parts = option.map((each) => score(index, each, isUnfinished && nth === 0, known)).filter((part) => part !== null);
    if (parts.length === 0 || parts.length < option.length) return;
    for (let document = 0; document < weights.length; document += 1) {
      let sum = 0;
      for (const part of parts) {
        const one = part.weights[document] ?? 0;
        if (one === 0) {
          sum = 0;
          break;
        }
        sum += one;
      }
      const mean = (sum / parts.length) * (nth === 0 ? 1 : 0.9);
      const before = weights[document] ?? 0;
      if (mean <= before) continue;
      if (before === 0) met += 1;
      weights[document] = mean;
    }
  });
  return met > 0 ? { weights, met } : null;
}

/** Documents that meet every wish, best first. A wish that few documents meet says more than one that many do. */
function rank({ index, inRankOrder }: Finder, scores: readonly (Scores | null)[]): number[] {
  const wished = scores.filter((each) => each !== null);
  const parts = wished.map(({ weights }) => weights);
  const size = Math.log(2 + index.size);
  const rarity = wished.map(({ met }) => 1 + (size - Math.log(1 + met)) / size);
  const rarest = wished.toSorted((a, b) => a.met - b.met).map(({ weights }) => weights); // most documents fail the first
  const matching: number[] = [];
  const least = parts.map(() => 0);
  for (let at = 0; at < inRankOrder.length; at += 1) {
    const document = inRankOrder[at] ?? 0;
    if (!isAbove(rarest, document, null)) continue;
    matching.push(document);
    for (let i = 0; i < parts.length; i += 1) least[i] = Math.max(least[i] ?? 0, (parts[i]?.[document] ?? 0) * noise);
  }
  // Score and place in one number: thousands of them sort natively, and equal scores keep the order of rank.
  const keys = new Float64Array(matching.length);
  let kept = 0;
  for (let place = 0; place < matching.length; place += 1) {
    const document = matching[place] ?? 0;
    if (!isAbove(parts, document, least)) continue;
    let total = 0;
    for (let i = 0; i < parts.length; i += 1) total += (parts[i]?.[document] ?? 0) * (rarity[i] ?? 1);
    keys[kept] = place - Math.round(total * 10_000) * places;
    kept += 1;
  }
  return Array.from(keys.subarray(0, kept).sort(), (key) => matching[((key % places) + places) % places] ?? 0);
}

/** More documents than there will ever be; a score of thousands times this is still a whole number. */
const places = 2 ** 20;

function isAbove(parts: readonly Float32Array[], document: number, least: readonly number[] | null): boolean {
  for (let i = 0; i < parts.length; i += 1) {
    const one = parts[i]?.[document] ?? 0;
    if (one === 0 || (least !== null && one < (least[i] ?? 0))) return false;
  }
  return true;
}

const everything = ({ inRankOrder }: Finder): number[] => Array.from(inRankOrder);

/** The likeliest mended reading: slips, Latin spelling, words run together or apart, or the wrong layout, by how much of the query becomes known. */
function mend(finder: Finder, literal: Reading, options: FindOptions, known: Known): Reading {
  const candidates = [mendWords(finder, literal, options, known)];
  const switched = switchLayout(literal);
  if (switched !== null) {
    const reading = evaluate(finder, normalise(switched), options, known);
    if (reading.isKnown) candidates.push({ reading, cost: 0.2 });
    // What becomes Latin has to be known as it is: read back into Russian («втб», `dn,`, «дн») it would be a guess upon a guess.
    else if (/[а-я]/.test(switched)) candidates.push(mendWords(finder, reading, options, known));
  }
  const quality = ({ reading, cost }: { reading: Reading; cost: number }) =>
    reading.wishes.length === 0 ? -1 : (reading.scores.filter((each) => each !== null).length - cost * 0.2) / reading.wishes.length;
  return candidates.reduce((best, each) => (quality(each) > quality(best) ? each : best)).reading;
}

/** Switches the layout of those space-separated pieces in which something is unknown. */
function switchLayout({ text, wishes, scores }: Reading): string | null {
  let at = 0;
  let isSwitched = false;
  const pieces = text.split(" ").map((piece) => {
    const start = at;
    at += piece.length + 1;
    const isUnknown = wishes.some(
      (wish, i) =>
        scores[i] === null && (wish.kind === "word" || wish.kind === "either") && wish.start < start + piece.length && wish.end > start,
    );
    const other = isUnknown ? otherLayout(piece) : null;
    if (other !== null) isSwitched = true;
    return other ?? piece;
  });
  return isSwitched ? pieces.join(" ") : null;
}

type Patch = { start: number; end: number; text: string; cost: number };

function mendWords(finder: Finder, reading: Reading, options: FindOptions, known: Known): { reading: Reading; cost: number } {
  const patches: Patch[] = [];
  reading.wishes.forEach((wish, i) => {
    if (reading.scores[i] !== null || (patches.at(-1)?.end ?? 0) > wish.start) return;
    const joined = joinWithNeighbour(finder, reading.wishes, i);
    const word = wish.kind === "word" ? wish : firstWord(wish);
    const patch = joined ?? (word && !finder.isKnownElsewhere(stem(word.word)) ? mendWord(finder, word) : null);
    if (patch) patches.push(patch);
  });
  if (patches.length === 0) return { reading, cost: 0 };
  let text = reading.text;
  for (const patch of patches.toReversed()) text = text.slice(0, patch.start) + patch.text + text.slice(patch.end);
  return {
    reading: evaluate(finder, text, { ...options, isTyping: false }, known),
    cost: patches.reduce((sum, patch) => sum + patch.cost, 0),
  };
}

const firstWord = (wish: Wish): WordWish | null => {
  const said = wish.kind === "either" ? wish.options[0]?.[0] : undefined;
  return said?.kind === "word" ? said : null;
};

function mendWord(finder: Finder, { word, start, end }: WordWish): Patch | null {
  if (commonStems.has(stem(word))) return null; // «маме» is no slip in a name
  const { index } = finder;
  const isKnown = (each: string) => index.hits(stem(each)) !== undefined;
  const isName = (each: string) => index.isName(stem(each));
  const readings = russianReadings(word);
  const read = readings.find(isKnown) ?? (word.length >= 4 ? readings.find((each) => index.beginningWith(each).size > 0) : undefined);
  if (read !== undefined) return { start, end, text: asWritten(index, read), cost: 0.5 };
  const near = [word, ...readings.slice(0, 6)]
    .map((each) => nearest(each, index))
    .filter((each) => each !== null)
    .reduce<ReturnType<typeof nearest>>((best, each) => (best === null || each.slips < best.slips ? each : best), null);
  const around = wordAround(word, finder);
  if (around && (!near || around.cost <= near.slips)) return { start, end, ...around };
  if (near) return { start, end, text: near.word, cost: near.slips };
  for (let at = 3; at <= word.length - 3; at += 1) {
    if (!/^[ьъы]/.test(word.slice(at)) && isName(word.slice(0, at)) && isName(word.slice(at)))
      return { start, end, text: `${word.slice(0, at)} ${word.slice(at)}`, cost: 1 };
  }
  return null;
}

/** A slip in a word that carries no wish («манета»), or in a foreign name that only the synonyms know («kangooroo»). */
function wordAround(word: string, { synonyms }: Finder): { text: string; cost: number } | null {
  const allowed = Math.min(slipsAllowed(word.length), 2);
  if (allowed === 0) return null;
  const candidates = /^[a-z]+$/.test(word) ? [...synonyms.meanings.keys()].filter((phrase) => /^[a-z]+$/.test(phrase)) : [...emptyWords];
  return candidates
    .filter((each) => each.length >= 5)
    .map((text) => ({ text, cost: slipsBetween(word, text, allowed) }))
    .filter(({ cost }) => cost <= allowed)
    .reduce<{ text: string; cost: number } | null>((best, each) => (best === null || each.cost < best.cost ? each : best), null);
}

/** A form that nobody wrote («собол» for sobol) is shown as the catalogue writes the word. */
const asWritten = (index: TextIndex, word: string): string =>
  index.isWritten(word) ? word : (index.stems.find((each) => each.stem === stem(word))?.word ?? word);

/** Two pieces that are one known word. */
function joinWithNeighbour({ index }: Finder, wishes: readonly Wish[], i: number): Patch | null {
  for (const [left, right] of [
    [wishes[i], wishes[i + 1]],
    [wishes[i - 1], wishes[i]],
  ] as const) {
    if (left?.kind !== "word" || right?.kind !== "word") continue;
    const joined = left.word + right.word;
    if (joined.length >= 6 && index.hits(stem(joined))) return { start: left.start, end: right.end, text: joined, cost: 1 };
  }
  return null;
}

/** How much of a query a wish is: names by their letters (an unknown one counts no more for being long), while a number with its unit is a detail. */
const worth = (wish: Wish, isKnown: boolean): number =>
  wish.kind === "word" || wish.kind === "either" ? Math.min(isKnown ? Infinity : 6, wish.end - wish.start) : 3;

/** What nearly everything meets («русский балет» without a ballet) is no answer. */
const mostOfAll = 0.6;

/**
 * Nothing meets all wishes: keeps the worthiest part of them that something meets, if it is at least half of what was typed,
 * not just a number, and not met by nearly everything; says what was kept. A word that was only guessed counts half,
 * and of two parts worth the same the rarer one stays: of «динамо москва» the club.
 */
function leavingOut(finder: Finder, reading: Reading, typed: string, asTyped: string): Finding {
  const nothing: Finding = { documents: [], corrected: null };
  const { scores, wishes, text } = reading;
  const isSaid = (wish: Wish): boolean => asTyped.includes(text.slice(wish.start, wish.end));
  const worths = wishes.map((wish, i) => worth(wish, scores[i] !== null) * (isSaid(wish) ? 1 : 0.5));
  const best = { met: 0, kept: 0, sum: 0, many: Infinity }; // `met` has a bit for each wish
  for (let document = 0; document < finder.index.size; document += 1) {
    let [met, kept, sum] = [0, 0, 0];
    for (let i = 0; i < scores.length; i += 1) {
      const one = scores[i]?.weights[document] ?? 0;
      if (one === 0) continue;
      met |= 1 << i;
      kept += worths[i] ?? 0;
      sum += one;
    }
    if (kept < best.kept || met === 0) continue;
    const many = commonness(scores, met);
    if (kept > best.kept || (kept === best.kept && (many < best.many || (many === best.many && sum > best.sum))))
      Object.assign(best, { met, kept, sum, many });
  }
  const metWishes = wishes.map((_, i) => i).filter((i) => (best.met & (1 << i)) !== 0);
  const said = worths.reduce((sum, each) => sum + each, 0);
  const isWord = (i: number) => wishes[i]?.kind === "word" || wishes[i]?.kind === "either";
  if (metWishes.length === 0 || best.kept * 2 < said) return nothing;
  const isNumberAlone = !metWishes.some((i) => isWord(i) && /\p{L}/u.test(text.slice(wishes[i]?.start, wishes[i]?.end)));
  if (isNumberAlone && wishes.some((_, i) => isWord(i))) return nothing;
  const documents = rank(
    finder,
    metWishes.map((i) => scores[i] ?? null),
  );
  const to = metWishes.map((i) => text.slice(wishes[i]?.start, wishes[i]?.end)).join(" ");
  if (documents.length === 0 || documents.length > finder.index.size * mostOfAll) return nothing;
  return { documents, corrected: { from: typed.trim(), to } };
}

/** Of how many documents the rarest of these wishes (a bit for each) is met. */
function commonness(scores: readonly (Scores | null)[], met: number): number {
  let least = Infinity;
  for (let i = 0; i < scores.length; i += 1) if ((met & (1 << i)) !== 0) least = Math.min(least, scores[i]?.met ?? Infinity);
  return least;
}
