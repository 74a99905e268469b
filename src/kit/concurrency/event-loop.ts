import { performance } from "node:perf_hooks";

/**
 * Measures the event loop of this thread. Each call returns the share of time (0 to 1) in which the loop was busy since the previous call,
 * or, the first time, since the measurement started.
 */
export function measureLoopUse(): () => number {
  let since = performance.eventLoopUtilization();
  return () => {
    const { utilization } = performance.eventLoopUtilization(since);
    since = performance.eventLoopUtilization();
    return utilization;
  };
}
