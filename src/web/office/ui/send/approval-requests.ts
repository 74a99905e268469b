import { useSyncExternalStore } from "react";

/** How many approvals were asked for in this window: screens that list those of their record read them again when it grows. */
let asked = 0;
const listeners = new Set<() => void>();

/** Notes that a change now waits for a second person. */
export function noteApprovalRequested(): void {
  asked += 1;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The number of approvals asked for; the component is drawn again when it grows. */
export const useApprovalRequests = (): number => useSyncExternalStore(subscribe, () => asked);
