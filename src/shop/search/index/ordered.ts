import { bitsOf, documentsOf, hasBit, sizeOf, type Bits } from "./bits.ts";

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
  /** The members as a set, where they are stored as one. */
  set?: Bits;
  /** The same order with all places, where only the first are stored. */
  whole?: () => Ordered;
};

/** An order that exists already. */
export const listed = (order: ArrayLike<number>): Ordered => ({ members: order, length: order.length, prefix: () => order });

/** The members of `ordered` in another order, which has all documents of the index. */
export const reordered = (ordered: Ordered, order: Int32Array): Ordered => ({
  get members() {
    return ordered.members;
  },
  ...(ordered.set ? { set: ordered.set } : {}),
  length: order.length,
  prefix: () => order,
});

/** The documents of a set in the order that `order` has of all documents. They are searched only as far as they are read. */
export function inOrder(set: Bits, order: ArrayLike<number>): Ordered {
  const length = sizeOf(set);
  const found: number[] = [];
  let at = 0;
  return {
    get members() {
      return documentsOf(set);
    },
    set,
    length,
    prefix(count) {
      for (const most = Math.min(count, length); found.length < most; at += 1) {
        const document = order[at] ?? 0;
        if (hasBit(set, document)) found.push(document);
      }
      return found;
    },
  };
}

/** All places of an order. */
export const allOf = (ordered: Ordered): number[] => Array.from(ordered.prefix(ordered.length));

/** Places that are visited first; four times as many in each further step. */
const firstStep = 256;

/** Calls `visit` with one document of `among` after the other until it returns false. */
export function walk(ordered: Ordered, among: Bits, visit: (document: number) => boolean): void {
  let [at, source] = [0, ordered];
  for (let count = firstStep; ; count *= 4) {
    const places = source.prefix(count);
    for (; at < places.length; at += 1) {
      const document = places[at] ?? 0;
      if (hasBit(among, document) && !visit(document)) return;
    }
    if (at >= ordered.length) return;
    source = source.whole?.() ?? source;
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
  const documentsOfKeys = (sortedKeys: Float64Array): Int32Array<ArrayBuffer> => {
    const best = new Int32Array(sortedKeys.length);
    for (let at = 0; at < best.length; at += 1) {
      const key = sortedKeys[at] ?? 0;
      best[at] = inRankOrder[key - Math.floor(key / places) * places] ?? 0;
    }
    return best;
  };
  const length = documents.length + (first === null ? 0 : 1);
  let sorted = new Int32Array(0);
  return {
    members: first === null ? documents : withFirst(first, documents),
    length,
    prefix(count) {
      if (sorted.length >= Math.min(count, length)) return sorted;
      const best = documentsOfKeys(smallestKeys(keys, count));
      sorted = first === null ? best : withFirst(first, best);
      return sorted;
    },
  };
}

/**
 * The first places and the set of the documents of an order: a fraction of the memory of the whole, which `again` makes when more is read.
 * `size`: the number of all documents of the index.
 */
export function beginningOf(whole: Ordered, size: number, again: () => Ordered): Ordered {
  const { length } = whole;
  const places = whole.prefix(firstStep);
  const first = Int32Array.from({ length: Math.min(firstStep, places.length) }, (_, at) => places[at] ?? 0);
  const set = bitsOf(whole.members ?? whole.prefix(length), size);
  return {
    get members() {
      return documentsOf(set);
    },
    set,
    length,
    prefix: (count) => (count <= first.length || length === first.length ? first : again().prefix(count)),
    whole: again,
  };
}

/** What an order takes in memory, roughly: a set and the first places, or a document and its key for each place. */
export const bytesOf = ({ set, length }: Ordered): number => (set ? set.byteLength + firstStep * 4 : length * 12);

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

/** Writes the documents of an order that are in a set to the beginning of `target`, in that order; returns their number. */
export function writeAmong(order: Int32Array, bits: Bits, target: Int32Array): number {
  const most = sizeOf(bits);
  let count = 0;
  for (let at = 0; at < order.length && count < most; at += 1) {
    const document = order[at] ?? 0;
    if (!hasBit(bits, document)) continue;
    target[count] = document;
    count += 1;
  }
  return count;
}
