import { Worker } from "node:worker_threads";

/** The thread ran out of time or memory, or its module threw. */
export class ThreadFailed extends Error {}

/**
 * Runs a module in its own thread; it reads `workerData` and posts one message, the result. The process serves meanwhile, and input that
 * exhausts time (`timeoutMs`) or memory ends only the thread. Throws `ThreadFailed` then, or when the module throws.
 */
export function runInThread<T>(module: URL, data: unknown, { timeoutMs = 60_000, megabytes = 768 } = {}): Promise<T> {
  const thread = new Worker(module, { workerData: data, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: megabytes } });
  const timer = setTimeout(() => void thread.terminate(), timeoutMs);
  return new Promise<T>((resolve, reject) => {
    thread.once("message", (result: T) => resolve(result));
    thread.once("error", (error) => reject(new ThreadFailed("a thread failed", { cause: error })));
    thread.once("exit", () => reject(new ThreadFailed("a thread did not end in time")));
  }).finally(() => {
    clearTimeout(timer);
    void thread.terminate();
  });
}
