import type { Log } from "#kit/log.ts";

/** Maximum time of each shutdown step, in their order. The sum is below the hard exit (shutdown.test.ts). */
export const shutdownMs = {
  /** Serving goes on at most this long after the signal, so that a load balancer can take the process out (`DRAIN_SECONDS`). */
  drain: 5_000,
  /** Open requests and streams. */
  requests: 5_000,
  /** Running jobs and sweeps. */
  worker: 5_000,
  /** Leadership, connections to providers, simulators. */
  providers: 1_000,
  database: 2_000,
  /** Lock of the data folder, error reports. */
  rest: 1_000,
} as const;

/** After this time the process ends whatever is unfinished. The supervisor's kill timeout must be longer. */
export const hardExitMs = 20_000;

/** Runs one step for at most its time. Returns whether it completed. */
export async function shutdownStep(
  name: Exclude<keyof typeof shutdownMs, "drain">,
  work: Promise<unknown>,
  log: Pick<Log, "warn">,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), shutdownMs[name]);
  });
  const isDone = await Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer));
  if (!isDone) log.warn({ reason: name, milliseconds: shutdownMs[name] }, "a step of the shutdown took too long and was left");
  return isDone;
}

/** `work` at the first call; later calls get the same promise. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => (running ??= work());
}

export type Shutdown = {
  /** What `stop` closes, the last opened first. What is opened while the process stops already is closed at once. */
  opened(close: () => Promise<unknown>): void;
  isStopping(): boolean;
  /** Closes everything that was opened and ends the process. Later calls wait for the first one. */
  stop(reason: string): Promise<void>;
};

/** Ends the process in order and only once, whatever the number of signals, also during the start. `exit` is for tests. */
export function createShutdown(log: Pick<Log, "info" | "warn">, exit: (code: number) => void = process.exit): Shutdown {
  const closers: (() => Promise<unknown>)[] = [];
  let stopping: Promise<void> | null = null;
  const attempt = (close: () => Promise<unknown>): Promise<unknown> =>
    Promise.resolve()
      .then(close)
      .catch((error: unknown) => log.warn({ err: error }, "a step of the shutdown failed"));

  async function closeAll(reason: string): Promise<void> {
    log.info({ reason }, "stopping");
    setTimeout(() => exit(1), hardExitMs).unref();
    for (let close = closers.pop(); close; close = closers.pop()) await attempt(close);
    exit(0);
  }
  return {
    opened(close) {
      if (stopping) void attempt(close);
      else closers.push(close);
    },
    isStopping: () => stopping !== null,
    stop: (reason) => (stopping ??= closeAll(reason)),
  };
}
