export type BoundedCache<T> = {
  get(key: string): T | undefined;
  /** `size`: in the unit of `maxTotalSize`. An entry that alone is larger than `maxTotalSize` is not stored. */
  set(key: string, value: T, size: number): void;
};

/**
 * A cache that drops its oldest entries when it has more than `maxEntries`, or when all together are larger than `maxTotalSize`. Reading
 * an entry does not make it younger.
 */
export function createBoundedCache<T>({ maxEntries, maxTotalSize }: { maxEntries: number; maxTotalSize: number }): BoundedCache<T> {
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
      if (size > maxTotalSize) return;
      entries.set(key, { value, size });
      total += size;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && total <= maxTotalSize) return;
        drop(oldest);
      }
    },
  };
}
