import { useEffect, useSyncExternalStore } from "react";
import type * as z from "zod";
import { readWaiting as readWaitingCall } from "#contract/staff/calls.ts";
import type { readWaiting } from "#contract/staff/waiting/waiting.ts";
import { callStaff, type StaffRefusal } from "../client.ts";
import { memberHeaders } from "../session.ts";
import { usePoll, watchActivity } from "./activity.ts";
import { setCounts } from "./counts.ts";
import { waitingCount } from "./waiting-count.ts";

export type Waiting = z.output<(typeof readWaiting)["answer"]>;
type State = { data: Waiting | undefined; refusal: StaffRefusal | null };

const everyMs = 15_000;

let state: State = { data: undefined, refusal: null };
let tag: string | null = null;
const listeners = new Set<() => void>();

function take(next: State): void {
  state = next;
  const { data } = next;
  if (data) setCounts({ "/waiting": waitingCount(data) });
  for (const each of listeners) each();
}

/** Reads what waits, for a screen: as with any call, the overlay opens when the session has ended. */
export async function refreshWaiting(): Promise<void> {
  const answer = await callStaff(readWaitingCall);
  tag = null;
  take(answer.ok ? { data: answer.value, refusal: null } : { data: state.data, refusal: answer.error });
}

/**
 * Reads the same in the background: 304 while nothing has changed. Failures are not shown, because the next call of a person reports them.
 */
async function poll(): Promise<void> {
  const [, path = ""] = readWaitingCall.split(" ");
  const response = await fetch(path, {
    headers: { accept: "application/json", ...memberHeaders(), ...(tag === null ? {} : { "if-none-match": tag }) },
    credentials: "same-origin",
    cache: "no-store",
  }).catch(() => null);
  if (response?.status !== 200) return;
  const { data } = (await response.json()) as { data: Waiting };
  tag = response.headers.get("etag");
  take({ data, refusal: null });
}

/** Keeps the counts of the rail up to date while this page is in use. */
export function useWaitingPolls(): void {
  useEffect(() => {
    const stopWatching = watchActivity();
    void poll();
    return () => {
      stopWatching();
      tag = null;
      state = { data: undefined, refusal: null };
    };
  }, []);
  usePoll(() => void poll(), everyMs);
}

/** What waits, as of the last poll; read again when the screen opens. */
export function useWaiting(): State {
  useEffect(() => void refreshWaiting(), []);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
