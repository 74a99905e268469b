import { DeadlineError, timeOfRequest, withoutDeadline } from "./deadline.ts";

export type BatchRules<Item, Answer> = {
  /** Does all of it and answers each item, in their order. It belongs to several requests, so it has no deadline of its own. */
  work(items: readonly Item[]): Promise<readonly Answer[]>;
  /** Items of one key are done one after the other, in the order in which they came. */
  keyOf(item: Item): string;
  /**
   * Most items of a batch; most batches at once, of which a further one begins when it is full; and most items that wait, beyond which they
   * fail at once.
   */
  most: { items: number; batches: number; waiting: number };
  /** Whether one item may be the cause of a failed batch: then each is done again by itself, so `work` may be repeated. */
  isOfOneItem(error: unknown): boolean;
};

/**
 * Does work of many requests together: what arrives in one turn of the event loop, and what arrives while the batches before it run. So
 * an item that comes alone is not delayed, and the more come the larger are the batches. An item whose request has no time left is not
 * begun and rejects with `DeadlineError`.
 */
export function createBatches<Item, Answer>({ work, keyOf, most, isOfOneItem }: BatchRules<Item, Answer>): (item: Item) => Promise<Answer> {
  type Entry = { item: Item; key: string; timeLeft: () => number; resolve(answer: Answer): void; reject(error: unknown): void };
  let waiting: Entry[] = [];
  const busyKeys = new Set<string>();
  let running = 0;
  let isDue = false;

  function beginSoon(): void {
    if (isDue || !isReady()) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      withoutDeadline(begin);
    });
  }

  const isReady = (): boolean => (running === 0 ? waiting.length > 0 : running < most.batches && waiting.length >= most.items);

  function begin(): void {
    while (isReady()) {
      const entries = nextEntries();
      if (entries.length === 0) return;
      running += 1;
      void done(entries).then(() => {
        running -= 1;
        for (const { key } of entries) busyKeys.delete(key);
        beginSoon();
      });
    }
  }

  function nextEntries(): Entry[] {
    const next: Entry[] = [];
    const later: Entry[] = [];
    for (const entry of waiting) {
      if (next.length >= most.items || busyKeys.has(entry.key)) later.push(entry);
      else if (entry.timeLeft() <= 0) entry.reject(new DeadlineError());
      else {
        busyKeys.add(entry.key);
        next.push(entry);
      }
    }
    waiting = later;
    return next;
  }

  /** Settles all entries; never rejects. */
  async function done(entries: readonly Entry[]): Promise<void> {
    try {
      const answers = await work(entries.map(({ item }) => item));
      for (const [index, { resolve }] of entries.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (entries.length > 1 && isOfOneItem(error)) await Promise.all(entries.map(doneAlone));
      else for (const { reject } of entries) reject(error);
    }
  }

  async function doneAlone(entry: Entry): Promise<void> {
    if (entry.timeLeft() > 0) await done([entry]);
    else entry.reject(new DeadlineError());
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= most.waiting) throw new Error(`${most.waiting} requests wait for a batch already`);
      waiting.push({ item, key: keyOf(item), timeLeft: timeOfRequest(), resolve, reject });
      beginSoon();
    });
}
