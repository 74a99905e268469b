import { useSyncExternalStore } from "react";

/** Number of approvals requested in this window. When it grows, screens read the approvals of their record again. */
let requested = 0;
const listeners = new Set<() => void>();

/** Notes that a change now waits for a second person. */
export function noteApprovalRequested(): void {
  requested += 1;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The number of approvals requested in this window; the component renders again when it grows. */
export const useApprovalRequests = (): number => useSyncExternalStore(subscribe, () => requested);
