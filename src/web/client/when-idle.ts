/** Calls `work` when the browser is idle. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  if ("requestIdleCallback" in window) {
    const id = requestIdleCallback(work, { timeout: 5_000 });
    return () => cancelIdleCallback(id);
  }
  const timer = setTimeout(work, 2_000);
  return () => clearTimeout(timer);
}

/**
 * For effects: calls `start` in a task of its own, so that it does not lengthen the task in which React hydrates the page. Returns a
 * function that cancels it or ends what it has started.
 */
export function inNextTask(start: () => () => void): () => void {
  let stop: (() => void) | null = null;
  const timer = setTimeout(() => (stop = start()));
  return () => {
    clearTimeout(timer);
    stop?.();
  };
}
