export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets at most `size` works run at once; the others wait their turn, first come first served. */
export function createGate(size: number): Gate {
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
