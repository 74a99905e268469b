export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/** Limits concurrency: at most `size` calls run at once, the others wait in memory, first come first served. */
export function createSemaphore(size: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = size;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
