import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { measureLoopUse } from "#kit/concurrency/event-loop.ts";
import type { Limits } from "#shop/settings.ts";

/**
 * Load of the process in one time window: mean delay of its event loop, the share of time in which the loop was busy,
 * and the share in which its thread got processor time.
 */
export type Load = { meanDelayMs: number; utilization: number; ranShare: number };

/**
 * Late, always busy, and running most of the time. A loop that is late but mostly idle, or gets no processor time, waits for the machine:
 * refusing requests would not help.
 */
export const isOverloaded = ({ meanDelayMs, utilization, ranShare }: Load, limitMs: number): boolean =>
  meanDelayMs > limitMs && utilization > 0.98 && ranShare > 0.5;

const windowMs = 1000;

/** Measures the event loop in consecutive windows. */
export function watchLoad(limits: Pick<Limits, "overloadDelayMs">): { isOverloaded(): boolean; stop(): void } {
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  const loopUse = measureLoopUse();
  let ranUntil = process.threadCpuUsage();
  let windowStart = performance.now();
  let overloaded = false;
  const timer = setInterval(() => {
    const ran = process.threadCpuUsage(ranUntil);
    ranUntil = process.threadCpuUsage();
    const ranShare = (ran.user + ran.system) / 1000 / (performance.now() - windowStart);
    windowStart = performance.now();
    overloaded = isOverloaded({ meanDelayMs: delays.mean / 1e6, utilization: loopUse(), ranShare }, limits.overloadDelayMs);
    delays.reset();
  }, windowMs);
  timer.unref();
  return {
    isOverloaded: () => overloaded,
    stop() {
      clearInterval(timer);
      delays.disable();
    },
  };
}
