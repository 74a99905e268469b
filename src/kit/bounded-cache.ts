/** A cache whose oldest entries are dropped when it has too many, or when they are too large together. */
export type BoundedCache<T> = {
  get(key: string): T | undefined;
  /** `size`: in the unit of `largest`. An entry that is larger than all may be together is not stored. */
  set(key: string, value: T, size: number): void;
};

export function createBoundedCache<T>({ mostEntries, largest }: { mostEntries: number; largest: number }): BoundedCache<T> {
  const entries = new Map<string, { value: T; size: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => entries.get(key)?.value,
    set(key, value, size) {
      drop(key);
      if (size > largest) return;
      entries.set(key, { value, size });
      total += size;
      for (const oldest of entries.keys()) {
        if (entries.size <= mostEntries && total <= largest) return;
        drop(oldest);
      }
    },
  };
}
