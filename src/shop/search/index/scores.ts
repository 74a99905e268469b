import { hasBit, noBits, setBit } from "../facets/ordered.ts";

/** The documents that meet a condition, ascending, and its weight in each (above 0). */
export type Scores = { documents: Int32Array; weights: Uint8Array | Float32Array };

export type Weighted = { documents: Int32Array; weights: Uint8Array | Float32Array | Float64Array; factor: number };

let scratch = new Float32Array(0);

/** The documents of any of the lists, each with the highest of its weights. `size`: the number of all documents. */
export function unionOf(size: number, lists: readonly Weighted[]): Scores {
  const [only] = lists;
  if (!only) return { documents: new Int32Array(0), weights: new Float32Array(0) };
  if (lists.length === 1) {
    const { documents, weights, factor } = only;
    if (factor === 1 && !(weights instanceof Float64Array)) return { documents, weights };
    const scaled = new Float32Array(weights.length);
    for (let at = 0; at < weights.length; at += 1) scaled[at] = (weights[at] ?? 0) * factor;
    return { documents, weights: scaled };
  }
  if (scratch.length < size) scratch = new Float32Array(size);
  const best = scratch;
  const met = noBits(size);
  for (const { documents, weights, factor } of lists) {
    for (let at = 0; at < documents.length; at += 1) {
      const document = documents[at] ?? 0;
      const weight = (weights[at] ?? 0) * factor;
      if (hasBit(met, document) && weight <= (best[document] ?? 0)) continue;
      setBit(met, document);
      best[document] = weight;
    }
  }
  const documents = documentsOf(met);
  const weights = new Float32Array(documents.length);
  for (let at = 0; at < documents.length; at += 1) weights[at] = best[documents[at] ?? 0] ?? 0;
  return { documents, weights };
}

function documentsOf(bits: Uint32Array): Int32Array {
  let count = 0;
  for (let at = 0; at < bits.length; at += 1) for (let word = bits[at] ?? 0; word !== 0; word &= word - 1) count += 1;
  const documents = new Int32Array(count);
  let next = 0;
  for (let at = 0; at < bits.length; at += 1) {
    for (let word = bits[at] ?? 0; word !== 0; word &= word - 1) {
      documents[next] = at * 32 + (31 - Math.clz32(word & -word));
      next += 1;
    }
  }
  return documents;
}

/** `scores` where a document that is in `others` too gets a share of its weight there in addition. */
export function withBonus(
  { documents, weights }: Scores,
  others: { documents: Int32Array; weights: ArrayLike<number> },
  share: number,
): Scores {
  const raised = Float32Array.from(weights);
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
  if (!rarest) return { documents: new Int32Array(0), weights: [] };
  let { documents } = rarest;
  for (const other of others) documents = commonOf(documents, other.documents);
  return { documents, weights: lists.map((list) => (list.documents === documents ? list.weights : weightsOf(list, documents))) };
}

function commonOf(few: Int32Array, many: Int32Array): Int32Array {
  const common = new Int32Array(few.length);
  let [count, at] = [0, 0];
  for (let k = 0; k < few.length && at < many.length; k += 1) {
    at = firstNotBelow(many, few[k] ?? 0, at);
    if (many[at] !== few[k]) continue;
    common[count] = few[k] ?? 0;
    count += 1;
  }
  return count === few.length ? few : common.subarray(0, count);
}

function weightsOf(list: Scores, documents: Int32Array): Float32Array {
  const weights = new Float32Array(documents.length);
  let at = 0;
  for (let k = 0; k < documents.length; k += 1) {
    at = firstNotBelow(list.documents, documents[k] ?? 0, at);
    weights[k] = list.weights[at] ?? 0;
  }
  return weights;
}

/** The first place from `from` on whose document is not below `document`, in growing steps: lists of any lengths are merged fast. */
function firstNotBelow(sorted: Int32Array, document: number, from: number): number {
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
