import { constants, getPriority, setPriority } from "node:os";
import { parentPort, Worker } from "node:worker_threads";
import { ThreadFailed } from "./thread.ts";

type Job = { id: number; data: unknown };
type Answer = { id: number; result: unknown } | { id: number; error: string };
type Pending = { resolve: (result: never) => void; reject: (error: Error) => void };
/** A thread with its jobs that have no answer yet; `idle`: ends it. */
type Running = { thread: Worker; pending: Map<number, Pending>; idle: NodeJS.Timeout | null };

/** While pages and calls need the processor, a job that has time gets a tenth of it. */
const niceValue = 10;

/**
 * A thread for work that would block the process for milliseconds, such as making a PDF: one job after another. It starts with the first
 * job and ends after `idleMs` without one; it does not keep the process alive. The module calls `answerJobs`.
 */
export function createJobThread(module: URL, { idleMs = 60_000, megabytes = 256 } = {}) {
  let running: Running | null = null;
  let lastId = 0;

  function start(): Running {
    const thread = new Worker(module, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: megabytes } });
    const started: Running = { thread, pending: new Map(), idle: null };
    const { pending } = started;
    thread.on("message", (answer: Answer) => {
      const job = pending.get(answer.id);
      pending.delete(answer.id);
      if (pending.size === 0) rest(started);
      if ("error" in answer) job?.reject(new ThreadFailed(answer.error));
      else job?.resolve(answer.result as never);
    });
    let cause: unknown;
    thread.on("error", (error) => (cause = error));
    thread.once("exit", () => {
      end(started);
      for (const { reject } of pending.values()) reject(new ThreadFailed("a thread ended with jobs in progress", { cause }));
    });
    return started;
  }

  /** Later jobs start another thread. */
  function end(ended: Running): void {
    if (running === ended) running = null;
    void ended.thread.terminate();
  }

  /** The process may end now, and the thread ends when there is no job for a while. */
  function rest(resting: Running): void {
    resting.thread.unref();
    resting.idle = setTimeout(() => end(resting), idleMs).unref();
  }

  return {
    /**
     * Runs one job; `data` and the result are copied, but for the buffers in `transfer`, which the thread gets and the caller loses. Throws
     * `ThreadFailed` when the job throws or the thread ends.
     */
    run<T>(data: unknown, transfer: readonly ArrayBuffer[] = []): Promise<T> {
      running ??= start();
      const { thread, pending, idle } = running;
      if (idle) clearTimeout(idle);
      thread.ref();
      const id = (lastId += 1);
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      pending.set(id, { resolve, reject });
      // oxlint-disable-next-line require-post-message-target-origin -- a thread has no origin
      thread.postMessage({ id, data } satisfies Job, transfer);
      return promise;
    },
  };
}

/**
 * In the module of a job thread: answers each job with what `work` makes of it, at low priority unless a visitor waits for it (`isUrgent`).
 */
export function answerJobs<Data>(work: (data: Data) => Promise<unknown>, { isUrgent = false } = {}): void {
  // On Linux the priority of a thread is its own; elsewhere it would be that of the whole process.
  if (!isUrgent && process.platform === "linux") setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceValue));
  const port = parentPort;
  port?.on("message", ({ id, data }: Job) => {
    const answer = (message: Answer): void => {
      // oxlint-disable-next-line require-post-message-target-origin -- a port of a thread has no origin
      port.postMessage(message);
    };
    work(data as Data).then(
      (result) => answer({ id, result }),
      (error: unknown) => answer({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
}
