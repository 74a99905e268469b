/**
 * Memory for the lists of one search, used again by the next one. Lists as long as the catalogue lie outside V8's heap but count towards
 * it: when each search allocates its own, the whole heap is collected every few dozen searches, and no request is answered meanwhile.
 */
export type Arena<T> = {
  /** An array of so many elements with any content, valid until the next `reset`. */
  take(length: number): T;
  /** Ends the array that was taken last after `length` elements. */
  shorten(last: T, length: number): T;
  /** All arrays are given back. */
  reset(): void;
};

type TypedArray<T> = { length: number; buffer: unknown; subarray(from: number, to: number): T };

/** `most`: elements that are kept for the next search. Arrays that one search takes beyond that are allocated. */
export function createArena<T extends TypedArray<T>>(make: (length: number) => T, most: number): Arena<T> {
  let memory = make(0);
  let [used, wanted] = [0, 0];
  return {
    take(length) {
      wanted += length;
      if (used + length > memory.length) return make(length);
      used += length;
      return memory.subarray(used - length, used);
    },
    shorten(last, length) {
      if (last.buffer === memory.buffer) used -= last.length - length;
      return last.subarray(0, length);
    },
    reset() {
      if (wanted > memory.length && memory.length < most) memory = make(Math.min(most, Math.max(wanted, memory.length * 2)));
      [used, wanted] = [0, 0];
    },
  };
}

const maxReusedElements = 500_000;
const arenas = {
  integers: createArena((length) => new Int32Array(length), maxReusedElements),
  floats: createArena((length) => new Float32Array(length), maxReusedElements),
  doubles: createArena((length) => new Float64Array(length), maxReusedElements),
};

export const { integers, floats, doubles } = arenas;

/** Before a search begins. What an earlier one returned must not be in an arena. */
export const resetArenas = (): void => {
  for (const arena of Object.values(arenas)) arena.reset();
};
