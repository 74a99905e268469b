import { DeadlineError, timeOfRequest, withoutDeadline } from "./deadline.ts";

export type BatchRules<Item, Answer> = {
  /**
   * Handles the whole batch and returns an answer for each item, in their order. Runs without a deadline: it belongs to several requests.
   */
  work(items: readonly Item[]): Promise<readonly Answer[]>;
  /** Items with equal keys are never in one batch: they run one after the other, in the order in which they were added. */
  keyOf(item: Item): string;
  /**
   * `items`: in one batch. `batches`: at the same time; beside a running one, another starts only when it is full. `waiting`: items in
   * memory; further ones are rejected at once.
   */
  max: { items: number; batches: number; waiting: number };
  /** Whether one item may have caused this error of a batch. Then each item runs again by itself, so `work` must be safe to repeat. */
  mayBeOfOneItem(error: unknown): boolean;
};

/**
 * Joins the work of many requests into batches: items that are added in one turn of the event loop, or while earlier batches run. A single
 * item is not delayed; the more items arrive, the larger the batches. An item whose request has no time left is rejected with
 * `DeadlineError` and not run.
 */
export function createBatches<Item, Answer>({
  work,
  keyOf,
  max,
  mayBeOfOneItem,
}: BatchRules<Item, Answer>): (item: Item) => Promise<Answer> {
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

  const isReady = (): boolean => (running === 0 ? waiting.length > 0 : running < max.batches && waiting.length >= max.items);

  function begin(): void {
    while (isReady()) {
      const entries = nextEntries();
      if (entries.length === 0) return;
      running += 1;
      void run(entries).then(() => {
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
      if (next.length >= max.items || busyKeys.has(entry.key)) later.push(entry);
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
  async function run(entries: readonly Entry[]): Promise<void> {
    try {
      const answers = await work(entries.map(({ item }) => item));
      for (const [index, { resolve }] of entries.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (entries.length > 1 && mayBeOfOneItem(error)) await Promise.all(entries.map(runAlone));
      else for (const { reject } of entries) reject(error);
    }
  }

  async function runAlone(entry: Entry): Promise<void> {
    if (entry.timeLeft() > 0) await run([entry]);
    else entry.reject(new DeadlineError());
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= max.waiting) throw new Error(`${max.waiting} requests wait for a batch already`);
      waiting.push({ item, key: keyOf(item), timeLeft: timeOfRequest(), resolve, reject });
      beginSoon();
    });
}
