import { performance } from "node:perf_hooks";
import type { Ctx } from "#shop/context.ts";
import { measureLoopUse } from "#kit/concurrency/event-loop.ts";
import { OutboundError } from "#kit/network/outbound.ts";
import type { Leadership } from "./database/leadership.ts";
import type { Queue } from "./database/queue.ts";
import type { PulsePart } from "./process/pulse.ts";
import { jobs, sweepsOf, type Sweep } from "./jobs-and-sweeps.ts";

export type Worker = {
  /** What the pulse reads for the worker: whether jobs wait, and which sweeps have something to do. */
  parts: PulsePart[];
  stop(): Promise<void>;
};

/** While the event loop is busy for more than this share of the time, requests wait for each other. */
const busyShare = 0.7;

/**
 * Decides at each turn, at `now` in milliseconds, whether what is due waits: while the process is busy, and no longer than `seconds` since
 * the first turn in which it waited.
 */
export function createWait(seconds: number, isBusy: () => boolean): (now: number) => boolean {
  let since: number | null = null;
  return (now) => {
    since = isBusy() && now - (since ?? now) < seconds * 1000 ? (since ?? now) : null;
    return since !== null;
  };
}

type Dependencies = {
  queue: Queue;
  leadership: Leadership;
  ratesPollSeconds: number;
  /** Starts to measure the share of time in which the event loop is busy. */
  measureUse?: () => () => number;
};

/**
 * Runs the background work: jobs on every process, sweeps on the leader. A sweep that says what is due runs when something is, and at most
 * once in its interval; others run at their interval. While the process is busy, sweeps that can wait do so. Runs of one sweep never overlap;
 * a failed run is logged and repeated.
 */
export async function startWorker(ctx: Ctx, { measureUse = measureLoopUse, ...deps }: Dependencies): Promise<Worker> {
  await deps.queue.work(ctx, jobs);
  const running = new Map<string, Promise<void>>();

  function start(name: string, sweep: Sweep): Promise<void> {
    const run = sweep
      .run({ ...ctx, actor: { kind: "job", name } })
      .catch((error: unknown) => {
        // A provider outage is already counted in its metric; anything else is an error of the shop.
        if (error instanceof OutboundError) ctx.log.debug({ sweep: name, failure: error.failure }, "a sweep waits for its provider");
        else ctx.log.warn({ err: error, sweep: name }, "a sweep failed");
      })
      .finally(() => running.delete(name));
    running.set(name, run);
    return run;
  }

  /** The interval is counted from a start to the next, with half a second for a turn of the pulse that comes early. */
  function partOf(name: string, sweep: Sweep, due: NonNullable<Sweep["due"]>): PulsePart {
    let nextAt = 0;
    const loopUse = measureUse();
    const waits = createWait(sweep.waitSeconds ?? 0, () => loopUse() > busyShare);
    return {
      name,
      read: () => (deps.leadership.isLeader() && !running.has(name) && performance.now() >= nextAt ? due(ctx) : null),
      async receive(isDue) {
        if (isDue !== true || !deps.leadership.isLeader()) return;
        if (waits(performance.now())) return;
        nextAt = performance.now() + sweep.everySeconds * 1000 - 500;
        await start(name, sweep);
      },
    };
  }

  const sweeps = Object.entries(sweepsOf(deps.ratesPollSeconds));
  const timers = sweeps.flatMap(([name, sweep]) => {
    if (sweep.due) return [];
    const timer = setInterval(() => {
      if (!running.has(name) && deps.leadership.isLeader()) void start(name, sweep);
    }, sweep.everySeconds * 1000);
    timer.unref();
    return [timer];
  });
  const waitingJobs: PulsePart = {
    name: "jobs",
    read: () => deps.queue.hasWaiting,
    async receive(hasWaiting) {
      if (hasWaiting === true) deps.queue.wake();
    },
  };
  return {
    parts: [waitingJobs, ...sweeps.flatMap(([name, sweep]) => (sweep.due ? [partOf(name, sweep, sweep.due)] : []))],
    async stop() {
      timers.forEach(clearInterval);
      await Promise.all([...running.values(), deps.queue.stop()]);
    },
  };
}
