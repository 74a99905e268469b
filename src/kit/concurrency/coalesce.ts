import { shareRun, shareWait } from "./deadline.ts";

/**
 * One run at a time per key: callers during a run share the single run that follows, so no caller gets a result of work that
 * started before its call. Many calls about one key cost consecutive runs instead of thousands at once.
 */
export function createCoalescer() {
  type Lane = { running: Promise<unknown>; next: Promise<unknown> | null };
  const lanes = new Map<string, Lane>();

  function run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lane: Lane = { running: Promise.resolve(), next: null };
    lanes.set(key, lane);
    const running = shareRun(() =>
      work().finally(() => {
        if (lane.next === null) lanes.delete(key);
      }),
    );
    lane.running = running;
    return shareWait(running);
  }

  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const lane = lanes.get(key);
    if (!lane) return run(key, work);
    lane.next ??= shareRun(() =>
      shareWait(lane.running)
        .catch(() => {})
        .then(() => run(key, work)),
    );
    return shareWait(lane.next as Promise<T>);
  };
}
