import { monitorEventLoopDelay, performance, type EventLoopUtilization } from "node:perf_hooks";

/** How busy the process was in one window: mean delay of its event loop, and the share of time in which the loop had work. */
export type Load = { meanDelayMs: number; utilization: number };

/**
 * Late and busy the whole time. A loop that is late but mostly idle waits for the machine, not for us: turning people away would help nobody.
 */
export const isOverloaded = ({ meanDelayMs, utilization }: Load, limitMs: number): boolean => meanDelayMs > limitMs && utilization > 0.98;

const windowMs = 1000;

/** Watches the event loop, one window after the other. */
export function watchLoad(limitMs: number): { isOverloaded(): boolean; stop(): void } {
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  let since: EventLoopUtilization = performance.eventLoopUtilization();
  let overloaded = false;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(since);
    since = performance.eventLoopUtilization();
    overloaded = isOverloaded({ meanDelayMs: delays.mean / 1e6, utilization }, limitMs);
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
