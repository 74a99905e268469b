/** More work was requested than may wait: the client should retry. */
export class Busy extends Error {}

/** Runs at most `atOnce` tasks, queues up to `waiting` more, and throws `Busy` beyond that. */
export function createConcurrencyLimit(atOnce: number, waiting: number) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw new Busy();
      await new Promise<void>((resolve) => queue.push(resolve)); // a finished task passes its slot to the next one
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
