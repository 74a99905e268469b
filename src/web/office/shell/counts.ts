import { useSyncExternalStore } from "react";

/** How much waits in a section. `text` may be «1 000+»; `isTrouble` is urgent and shown in red. */
export type AreaCount = { text: string; isTrouble?: boolean };

let counts: Readonly<Record<string, AreaCount>> = {};
const listeners = new Set<() => void>();

/** Sets the numbers of the rail by the path of the section. */
export function setCounts(next: Readonly<Record<string, AreaCount>>): void {
  counts = { ...counts, ...next };
  for (const each of listeners) each();
}

/** The numbers of the rail by the path of the section. */
export const useCounts = (): Readonly<Record<string, AreaCount>> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => counts,
  );
