import { useSyncExternalStore } from "react";

/** What floats over the screen now; one at a time. */
type Overlay = "palette" | "keys" | null;
let open: Overlay = null;
const listeners = new Set<() => void>();

export function showOverlay(overlay: Overlay): void {
  open = overlay;
  for (const each of listeners) each();
}

export const useOverlay = (): Overlay =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
