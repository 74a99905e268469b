/**
 * Documents (positions of the index) in an order that is worked out only as far as it is read: a page of a listing needs its first few
 * dozen places, not a hundred thousand.
 */
export type Ordered = {
  /** The documents, each once, in any order; null: every document of the index. */
  members: ArrayLike<number> | null;
  /** Length of the whole order. It may pass over documents that are not members. */
  length: number;
  /** The first places of the order: at least `count` of them, or all that there are. */
  prefix(count: number): ArrayLike<number>;
};

/** An order that exists already. */
export const listed = (order: ArrayLike<number>): Ordered => ({ members: order, length: order.length, prefix: () => order });

/** The members of `ordered` in another order, which has all documents of the index. */
export const reordered = ({ members }: Ordered, order: Int32Array): Ordered => ({ members, length: order.length, prefix: () => order });

/** All places of an order. */
export const allOf = (ordered: Ordered): number[] => Array.from(ordered.prefix(ordered.length));

/** Places that are looked at first; four times as many in each further step. */
const firstStep = 256;

/** Calls `visit` with one document after the other until it returns false. */
export function walk(ordered: Ordered, visit: (document: number) => boolean): void {
  let at = 0;
  for (let count = firstStep; ; count *= 4) {
    const places = ordered.prefix(count);
    for (; at < places.length; at += 1) if (!visit(places[at] ?? 0)) return;
    if (at >= ordered.length) return;
  }
}

/** A document's place in its rank order (less than this) and its score in one number, so that a numeric sort orders by both. */
const places = 2 ** 20;

/** The sort key of a document: the higher score first, of equal scores the better rank. Exact for scores up to thousands. */
export const scoreKey = (score: number, rank: number): number => rank - Math.round(score * 10_000) * places;

/**
 * Documents by their `scoreKey`s. `first`: a document that comes before all others. Only as much is sorted as is read: most searches find
 * thousands of coins and show two dozen.
 */
export function ranked(documents: Int32Array, keys: Float64Array, inRankOrder: ArrayLike<number>, first: number | null = null): Ordered {
  const documentOf = (key: number): number => inRankOrder[((key % places) + places) % places] ?? 0;
  const length = documents.length + (first === null ? 0 : 1);
  let sorted = new Int32Array(0);
  return {
    members: first === null ? documents : withFirst(first, documents),
    length,
    prefix(count) {
      if (sorted.length >= Math.min(count, length)) return sorted;
      const best = Int32Array.from(smallestKeys(keys, count), documentOf);
      sorted = first === null ? best : withFirst(first, best);
      return sorted;
    },
  };
}

function withFirst(first: number, others: Int32Array): Int32Array<ArrayBuffer> {
  const all = new Int32Array(others.length + 1);
  all[0] = first;
  all.set(others, 1);
  return all;
}

/** The `count` smallest keys, ascending; a heap of so many is faster than a sort as long as they are few. */
export function smallestKeys(keys: Float64Array, count: number): Float64Array {
  if (count * 8 >= keys.length) return Float64Array.from(keys).sort();
  const heap = keys.slice(0, count).sort().reverse(); // the largest is at the root
  for (let at = count; at < keys.length; at += 1) {
    const key = keys[at] ?? 0;
    if (key >= (heap[0] ?? 0)) continue;
    let hole = 0;
    for (let child = 1; child < count; child = 2 * hole + 1) {
      if (child + 1 < count && (heap[child + 1] ?? 0) > (heap[child] ?? 0)) child += 1;
      if ((heap[child] ?? 0) <= key) break;
      heap[hole] = heap[child] ?? 0;
      hole = child;
    }
    heap[hole] = key;
  }
  return heap.sort();
}

/** A set of documents, a bit each. */
export type Bits = Uint32Array;
export const noBits = (size: number): Bits => new Uint32Array((size + 31) >>> 5);
export const setBit = (bits: Bits, document: number): void => {
  bits[document >>> 5] = (bits[document >>> 5] ?? 0) | (1 << (document & 31));
};
export const hasBit = (bits: Bits, document: number): boolean => (((bits[document >>> 5] ?? 0) >>> (document & 31)) & 1) === 1;
export function bitsOf(documents: ArrayLike<number>, size: number): Bits {
  const bits = noBits(size);
  for (let at = 0; at < documents.length; at += 1) setBit(bits, documents[at] ?? 0);
  return bits;
}
