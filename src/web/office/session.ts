import { useSyncExternalStore } from "react";
import type * as z from "zod";
import type { readMe } from "#contract/staff/access/session.ts";
import { memberHeader } from "#contract/staff/member-header.ts";
import type { Grant, Permission } from "#shop/staff/role.ts";

/** The signed-in member of staff. */
export type Me = z.output<(typeof readMe)["answer"]>;
/** What the sign-in overlay requests: a new sign-in, or the second factor. */
export type Prompt = "sign_in" | "step_up";

type SessionState = {
  /** `undefined`: not read yet; null: signed out. */
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

/** The login of the member of staff of this window, for code outside of components. */
export const shownLogin = (): string | undefined => state.me?.login;

/** The header with the member of staff of this window: the server refuses the call if the browser's session is of another member. */
export const memberHeaders = (): Record<string, string> => (state.me ? { [memberHeader]: `${state.me.id}` } : {});

/**
 * Opens the overlay for sign-in or second factor; resolves to whether the refused call may be repeated. Calls that are refused while it is
 * open share it. When the session ends while it requests the second factor, it requests a sign-in instead, which includes the second
 * factor. Before the first sign-in it resolves to false: the sign-in page is shown.
 */
export function requestSignIn(code: "staff.sign_in_required" | "staff.verify_again"): Promise<boolean> {
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

/** Closes the overlay. `isDone`: the refused calls are repeated; otherwise they return their refusal. */
export function answerPrompt(isDone: boolean): void {
  const { settle } = pending ?? {};
  pending = null;
  set({ prompt: null });
  settle?.(isDone);
}

/**
 * Stores the member of staff who has signed in. If another one was signed in before, no refused call is repeated and the app starts anew.
 */
export function signedIn(me: Me): void {
  const isAnother = state.me != null && state.me.id !== me.id;
  set({ me });
  if (isAnother) {
    answerPrompt(false);
    location.assign("/");
  } else if (pending) answerPrompt(true);
}

/** Shows the sign-in page; refused calls are not repeated. */
export const signedOut = (): void => {
  set({ me: null });
  answerPrompt(false);
};

/** Updates parts of the session, such as `verifiedUntil` after the second factor. */
export const updateMe = (change: Partial<Me>): void => {
  if (state.me) set({ me: { ...state.me, ...change } });
};

export type Staff = Me & { may: (permission: Permission) => Grant | null };

/** The signed-in member of staff with `may`, which returns the grant of a permission or null. Throws outside the frame. */
export function useStaff(): Staff {
  const { me } = useSession();
  if (!me) throw new Error("useStaff outside the frame of a signed-in member of staff");
  return { ...me, may: (permission) => me.grants[permission] ?? null };
}
