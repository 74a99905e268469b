import { noBits, type Bits } from "./bits.ts";
import { floats, integers } from "./arena.ts";

/** The documents that meet a condition, ascending, and its weight in each (above 0). In an arena until its reset. */
export type Scores = { documents: Int32Array; weights: Uint8Array | Float32Array };

/** A list of documents with weights that `unionOf` multiplies by `factor`. */
export type WeightedList = { documents: Int32Array; weights: Uint8Array | Float32Array | Float64Array; factor: number };

/** By document, all zero between two unions: the highest weight, and the documents that have one. */
let scratch = { best: new Float32Array(0), met: noBits(0) };

/** The documents of any of the lists, each with the highest of its weights. `size`: the number of all documents. */
export function unionOf(size: number, lists: readonly WeightedList[]): Scores {
  const [only] = lists;
  if (!only) return { documents: integers.take(0), weights: floats.take(0) };
  if (lists.length === 1) {
    const { documents, weights, factor } = only;
    if (factor === 1 && !(weights instanceof Float64Array)) return { documents, weights };
    const scaled = floats.take(weights.length);
    for (let at = 0; at < weights.length; at += 1) scaled[at] = (weights[at] ?? 0) * factor;
    return { documents, weights: scaled };
  }
  if (scratch.best.length < size) scratch = { best: new Float32Array(size), met: noBits(size) };
  const { best, met } = scratch;
  let postings = 0;
  for (const list of lists) {
    postings += list.documents.length;
    raise(best, met, list);
  }
  const most = Math.min(size, postings);
  const [documents, weights] = [integers.take(most), floats.take(most)];
  let count = 0;
  const words = (size + 31) >>> 5;
  for (let at = 0; at < words; at += 1) {
    let word = met[at] ?? 0;
    if (word === 0) continue;
    met[at] = 0;
    for (; word !== 0; word &= word - 1) {
      const document = at * 32 + (31 - Math.clz32(word & -word));
      documents[count] = document;
      weights[count] = best[document] ?? 0;
      best[document] = 0;
      count += 1;
    }
  }
  return { documents: integers.shorten(documents, count), weights: floats.shorten(weights, count) };
}

/** Raises `best` to the weights of a list where these are higher, and adds its documents to `met`. */
function raise(best: Float32Array, met: Bits, { documents, weights, factor }: WeightedList): void {
  for (let at = 0; at < documents.length; at += 1) {
    const document = documents[at] ?? 0;
    const weight = (weights[at] ?? 0) * factor;
    const before = best[document] ?? 0;
    if (weight <= before) continue;
    best[document] = weight;
    if (before === 0) met[document >>> 5] = (met[document >>> 5] ?? 0) | (1 << (document & 31));
  }
}

/** `scores` where a document that is in `others` too gets a share of its weight there in addition. */
export function withBonus(
  { documents, weights }: Scores,
  others: { documents: Int32Array; weights: ArrayLike<number> },
  share: number,
): Scores {
  const raised = floats.take(weights.length);
  raised.set(weights);
  let at = 0;
  for (let k = 0; k < documents.length; k += 1) {
    at = firstNotBelow(others.documents, documents[k] ?? 0, at);
    if (others.documents[at] === documents[k]) raised[k] = (raised[k] ?? 0) + (others.weights[at] ?? 0) * share;
  }
  return { documents, weights: raised };
}

/** The documents of all lists, with their weights in each list, in the order of the lists. */
export function intersectionOf(lists: readonly Scores[]): { documents: Int32Array; weights: Scores["weights"][] } {
  const [rarest, ...others] = lists.toSorted((a, b) => a.documents.length - b.documents.length);
  if (!rarest) return { documents: integers.take(0), weights: [] };
  let { documents } = rarest;
  for (const other of others) documents = commonOf(documents, other.documents);
  return { documents, weights: lists.map((list) => (list.documents === documents ? list.weights : weightsOf(list, documents))) };
}

/** Whether a document is in all lists, which are ascending. Ends at the first one. */
export function haveCommon(lists: readonly Int32Array[]): boolean {
  const [rarest, ...others] = lists.toSorted((a, b) => a.length - b.length);
  if (!rarest) return false;
  const places = new Int32Array(others.length);
  for (let k = 0; k < rarest.length; k += 1) {
    const document = rarest[k] ?? 0;
    let met = 0;
    for (; met < others.length; met += 1) {
      const other = others[met] ?? rarest;
      const at = firstNotBelow(other, document, places[met] ?? 0);
      places[met] = at;
      if (other[at] !== document) break;
    }
    if (met === others.length) return true;
  }
  return false;
}

function commonOf(few: Int32Array, many: Int32Array): Int32Array {
  const common = integers.take(few.length);
  let [count, at] = [0, 0];
  for (let k = 0; k < few.length && at < many.length; k += 1) {
    const document = few[k] ?? 0;
    at = firstNotBelow(many, document, at);
    if (many[at] !== document) continue;
    common[count] = document;
    count += 1;
  }
  return count === few.length ? few : integers.shorten(common, count);
}

function weightsOf(list: Scores, documents: Int32Array): Float32Array {
  const weights = floats.take(documents.length);
  const { documents: all, weights: ofAll } = list;
  let at = 0;
  for (let k = 0; k < documents.length; k += 1) {
    at = firstNotBelow(all, documents[k] ?? 0, at);
    weights[k] = ofAll[at] ?? 0;
  }
  return weights;
}

/** Places that are compared one by one before the steps grow: faster for lists of similar lengths, where the next place is near. */
const nearby = 8;

/** The first place from `from` on whose document is not below `document`. Short, so that the engine inlines it into the loops above. */
function firstNotBelow(sorted: Int32Array, document: number, from: number): number {
  const near = Math.min(from + nearby, sorted.length);
  let at = from;
  while (at < near && (sorted[at] ?? 0) < document) at += 1;
  return at < near ? at : firstNotBelowInSteps(sorted, document, at);
}

/** The same in steps that double (an exponential search), so that a short list is merged with a long one without reading all of it. */
function firstNotBelowInSteps(sorted: Int32Array, document: number, from: number): number {
  let step = 1;
  let low = from;
  let high = from;
  while (high < sorted.length && (sorted[high] ?? 0) < document) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = Math.min(high, sorted.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < document) low = middle + 1;
    else high = middle;
  }
  return low;
}
