/**
 * One run at a time per key: whoever asks while it runs shares the single run that follows, so nobody is answered
 * by work that began before he asked. A storm about one thing costs one piece of work after another, not thousands at once.
 */
export function createCoalescer() {
  type Lane = { running: Promise<unknown>; next: Promise<unknown> | null };
  const lanes = new Map<string, Lane>();

  function run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lane: Lane = { running: Promise.resolve(), next: null };
    lanes.set(key, lane);
    const running = work().finally(() => {
      if (lane.next === null) lanes.delete(key);
    });
    lane.running = running;
    return running;
  }

  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const lane = lanes.get(key);
    if (!lane) return run(key, work);
    lane.next ??= lane.running.catch(() => {}).then(() => run(key, work));
    return lane.next as Promise<T>;
  };
}
