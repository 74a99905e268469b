import { useSyncExternalStore } from "react";

/** The palette or the list of keys over the screen; one at a time. */
type Overlay = "palette" | "keys" | null;
let open: Overlay = null;
const listeners = new Set<() => void>();

/** Opens an overlay in place of the open one; null closes it. */
export function showOverlay(overlay: Overlay): void {
  open = overlay;
  for (const each of listeners) each();
}

/** The open overlay; null: none. */
export const useOverlay = (): Overlay =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
