import type { Log } from "#kit/log.ts";

/** How long each step of a shutdown may take, in its order. Their sum stays below the hard exit (shutdown.test.ts). */
export const shutdownMs = {
  /** At most so long it serves on after the signal, so that a balancer can turn away (`DRAIN_SECONDS`). */
  drain: 5_000,
  /** Requests that are being answered, and streams. */
  requests: 5_000,
  /** Jobs and sweeps that are running. */
  worker: 5_000,
  /** Leadership, connections to providers, simulators. */
  providers: 1_000,
  database: 2_000,
  /** The lock of the data folder, reports of faults. */
  rest: 1_000,
} as const;

/** After so long the process ends whatever is unfinished; a supervisor's own patience must be longer. */
export const hardExitMs = 20_000;

/** One step: its end, or its time, whichever comes first. Returns whether it ended by itself. */
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
