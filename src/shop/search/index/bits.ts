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

/** The documents of both sets. */
export function commonBits(some: Bits, others: Bits): Bits {
  const common = some.slice();
  for (let at = 0; at < common.length; at += 1) common[at] = (common[at] ?? 0) & (others[at] ?? 0);
  return common;
}

/** The number of documents of a set. */
export function sizeOf(bits: Bits): number {
  let count = 0;
  for (let at = 0; at < bits.length; at += 1) {
    // Adds neighbouring bits, then pairs, then groups of four; the product adds the four bytes (Hacker's Delight, 5-1).
    let word = bits[at] ?? 0;
    word -= (word >>> 1) & 0x5555_5555;
    word = (word & 0x3333_3333) + ((word >>> 2) & 0x3333_3333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
  }
  return count;
}

/** The documents of a set, ascending. */
export function documentsOf(bits: Bits): Int32Array {
  const documents = new Int32Array(sizeOf(bits));
  writeDocuments(bits, documents);
  return documents;
}

/** Writes the documents of a set to the beginning of `target`, ascending; returns their number. */
export function writeDocuments(bits: Bits, target: Int32Array): number {
  let next = 0;
  for (let at = 0; at < bits.length; at += 1) {
    for (let word = bits[at] ?? 0; word !== 0; word &= word - 1) {
      target[next] = at * 32 + (31 - Math.clz32(word & -word));
      next += 1;
    }
  }
  return next;
}
