import { AsyncLocalStorage } from "node:async_hooks";

/** The time of a request is over. What it has not committed is rolled back; whether a commit that was sent took effect is unknown. */
export class DeadlineError extends Error {
  constructor() {
    super("the time of the request is over");
  }
}

/** Whether this error, or one that it wraps, is that the time was over. */
export function isDeadline(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at && depth < 5; at = (at as { cause?: unknown }).cause, depth += 1)
    if (at instanceof DeadlineError) return true;
  return false;
}

/**
 * `answerMs`: when the request is answered at the latest. `reserveMs`: for so long before that no statement is sent any more, so that
 * a statement or a commit that was sent in time is still answered.
 */
export type DeadlineLimits = { answerMs: number; reserveMs: number };

class Deadline {
  readonly reserveMs: number;
  #answerAt: number;
  #pauses = 0;
  #pausedAt = 0;
  readonly #followers = new Set<Deadline>();

  constructor({ answerMs, reserveMs }: DeadlineLimits) {
    this.reserveMs = reserveMs;
    this.#answerAt = performance.now() + answerMs;
  }

  left(): number {
    return this.#answerAt - (this.#pauses > 0 ? this.#pausedAt : performance.now());
  }

  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    this.#pausedAt = performance.now();
    for (const each of this.#followers) each.pause();
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses > 0) return;
    this.#answerAt += performance.now() - this.#pausedAt;
    for (const each of this.#followers) each.resume();
  }

  addFollower(other: Deadline): void {
    this.#followers.add(other);
    if (this.#pauses > 0) other.pause();
  }

  removeFollower(other: Deadline): void {
    if (this.#followers.delete(other) && this.#pauses > 0) other.resume();
  }
}

const storage = new AsyncLocalStorage<Deadline | undefined>();

/**
 * Runs the work of one request. Rejects with `DeadlineError` when its time is over; the work then ends at its next statement, which is
 * not sent. Time in which a provider is called does not count (`pauseDeadline`): providers have limits of their own.
 */
export async function withDeadline<T>(limits: DeadlineLimits, work: () => Promise<T>): Promise<T> {
  const deadline = new Deadline(limits);
  return within(deadline, 0, storage.run(deadline, work));
}

/** Waits for shared work until this request may send no statement any more, then rejects; the work goes on. */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  const deadline = storage.getStore();
  return deadline ? within(deadline, deadline.reserveMs, work) : work;
}

async function within<T>(deadline: Deadline, reserveMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    const check = (): void => {
      const left = deadline.left() - reserveMs;
      if (left <= 0) reject(new DeadlineError());
      else timer = setTimeout(check, Math.ceil(left));
    };
    check();
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** For how many milliseconds this request may send statements; infinite outside of a request with a deadline. */
export function timeForStatements(): number {
  const deadline = storage.getStore();
  return deadline ? deadline.left() - deadline.reserveMs : Infinity;
}

/** The same, to be checked later: for what is done for this request together with that of others. */
export function timeOfRequest(): () => number {
  const deadline = storage.getStore();
  return () => (deadline ? deadline.left() - deadline.reserveMs : Infinity);
}

/** Throws `DeadlineError` when this request may send no statement any more. */
export function requireTime(): void {
  if (timeForStatements() <= 0) throw new DeadlineError();
}

/**
 * Starts work that goes on when the request that started it is over: work that belongs to no single request, such as filling a cache, and
 * steps that take back or complete what was done outside of a transaction.
 */
export const withoutDeadline = <T>(start: () => T): T => storage.run(undefined, start);

/** Starts a call to a provider; the request's time is paused until the promise that it returns is settled. */
export function pauseDeadline<T>(start: () => T): T {
  const deadline = storage.getStore();
  if (!deadline) return start();
  deadline.pause();
  let result: T | undefined;
  try {
    result = start();
    return result;
  } finally {
    if (result instanceof Promise)
      result.then(
        () => deadline.resume(),
        () => deadline.resume(),
      );
    else deadline.resume();
  }
}

/**
 * Waits for work that may have to wait for an equal request (a lock): after `graceMs` the request's time is paused until the work is
 * settled. Before that it counts, so that a slow database is still answered in time.
 */
export async function pauseDeadlineAfter<T>(graceMs: number, work: Promise<T>): Promise<T> {
  const deadline = storage.getStore();
  if (!deadline) return work;
  let isPaused = false;
  const timer = setTimeout(() => {
    isPaused = true;
    deadline.pause();
  }, graceMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (isPaused) deadline.resume();
  }
}

const sharedRuns = new WeakMap<Promise<unknown>, Deadline>();

/**
 * Starts work whose result several requests wait for with `shareWait`. It has no deadline of its own: the request that started it may be
 * over before another one that waits for it.
 */
export function shareRun<T>(start: () => Promise<T>): Promise<T> {
  const unlimited = new Deadline({ answerMs: Infinity, reserveMs: 0 });
  const work = storage.run(unlimited, start);
  sharedRuns.set(work, unlimited);
  return work;
}

/** Waits for shared work. While that calls a provider, the time of this request is paused. */
export async function shareWait<T>(work: Promise<T>): Promise<T> {
  const own = storage.getStore();
  const shared = sharedRuns.get(work);
  if (!own || !shared) return work;
  shared.addFollower(own);
  try {
    return await work;
  } finally {
    shared.removeFollower(own);
  }
}
