/** What was made, and of which version it is. */
export type Made<T> = { version: string; value: T };

/**
 * Something that is made again when its version changes, which takes long. `isAwaited` of the earlier value: callers wait for the new one;
 * otherwise they get the earlier one meanwhile. One is made at a time; when it is ready and the version has changed again, the next call
 * begins the next. A call gets the error of a making that failed, and the call after it tries again.
 */
export function createVersioned<T>({ isAwaited }: { isAwaited: (earlier: T) => boolean }) {
  let current: Made<T> | null = null;
  let making: { version: string; isOver: boolean; value: Promise<T> } | null = null;

  return {
    async at(version: string, make: () => Promise<T>): Promise<Made<T>> {
      if (current?.version === version) return current;
      making ??= begin(version, make);
      const running = making;
      if (current !== null && !running.isOver && !isAwaited(current.value)) return current;
      try {
        current = { version: running.version, value: await running.value };
        return current;
      } finally {
        making = null;
      }
    },
  };

  function begin(version: string, make: () => Promise<T>): { version: string; isOver: boolean; value: Promise<T> } {
    const begun = { version, isOver: false, value: make() };
    const end = (): void => void (begun.isOver = true);
    begun.value.then(end, end); // the call that takes the value gets the error
    return begun;
  }
}
