import { useSyncExternalStore } from "react";
import type * as z from "zod";
import type { readMe } from "#contract/staff/access/session.ts";
import { memberHeader } from "#contract/staff/member-header.ts";
import type { Grant, Permission } from "#shop/staff/role.ts";

/** The signed-in member of staff. */
export type Me = z.output<(typeof readMe)["answer"]>;
/** Why the overlay is over the screen. */
export type Prompt = "sign_in" | "step_up";

type SessionState = {
  /** `undefined`: not asked yet; null: signed out. */
  me: Me | null | undefined;
  prompt: Prompt | null;
};

let state: SessionState = { me: undefined, prompt: null };
let pending: { promise: Promise<boolean>; settle: (isDone: boolean) => void } | null = null;
const listeners = new Set<() => void>();

function set(change: Partial<SessionState>): void {
  state = { ...state, ...change };
  for (const each of listeners) each();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSession = (): SessionState => useSyncExternalStore(subscribe, () => state);

/** The login of the member of staff that this window shows, outside of components. */
export const shownLogin = (): string | undefined => state.me?.login;

/** Names the member of staff that this window shows: the server refuses its calls once the browser has the session of another one. */
export const memberHeaders = (): Record<string, string> => (state.me ? { [memberHeader]: `${state.me.id}` } : {});

/**
 * Opens the overlay and resolves to whether the call may be repeated. Calls that are refused while it is open share it; when the session
 * ends under the second factor, it asks to sign in, which verifies as well.
 * Before the first sign-in there is no screen to return to: the sign-in page shows instead.
 */
export function askAgain(code: "staff.sign_in_required" | "staff.verify_again"): Promise<boolean> {
  if (!state.me) return Promise.resolve(false);
  if (pending) {
    if (code === "staff.sign_in_required") set({ prompt: "sign_in" });
    return pending.promise;
  }
  const { promise, resolve } = Promise.withResolvers<boolean>();
  pending = { promise, settle: resolve };
  set({ prompt: code === "staff.verify_again" ? "step_up" : "sign_in" });
  return promise;
}

/** The overlay is done: the calls behind it are repeated, or get their refusal when it was closed. */
export function answerPrompt(isDone: boolean): void {
  const { settle } = pending ?? {};
  pending = null;
  set({ prompt: null });
  settle?.(isDone);
}

/**
 * Signs the app in. Under the overlay of another member of staff nothing is repeated in the name of the new one: the screens start over.
 */
export function signedIn(me: Me): void {
  const isAnother = state.me != null && state.me.id !== me.id;
  set({ me });
  if (isAnother) {
    answerPrompt(false);
    location.assign("/");
  } else if (pending) answerPrompt(true);
}

export const signedOut = (): void => {
  set({ me: null });
  answerPrompt(false);
};

/** Changes what is known of the session without signing in: `verifiedUntil` after the second factor. */
export const updateMe = (change: Partial<Me>): void => {
  if (state.me) set({ me: { ...state.me, ...change } });
};

export type Staff = Me & { may: (permission: Permission) => Grant | null };

/** The signed-in member of staff and what it may do. Only inside the frame, which shows the sign-in page otherwise. */
export function useStaff(): Staff {
  const { me } = useSession();
  if (!me) throw new Error("useStaff outside the frame of a signed-in member of staff");
  return { ...me, may: (permission) => me.grants[permission] ?? null };
}
