/** More work than may wait was asked for: come again. */
export class Busy extends Error {}

/** Runs at most `atOnce` works, lets `waiting` more queue, and throws `Busy` beyond that. */
export function createTurns(atOnce: number, waiting: number) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw new Busy();
      await new Promise<void>((resolve) => queue.push(resolve)); // the one who leaves hands its place over
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
