import type { CappedLine } from "#shop/cart/cart.ts";

/** Why a code was not sent or did not open the door. `retryAfterSeconds` is when asking again makes sense. */
export type AuthError =
  | { code: "auth.bad_phone" }
  | { code: "auth.too_many_codes"; retryAfterSeconds: number }
  | { code: "auth.wrong_code" }
  | { code: "auth.code_expired" }
  | { code: "auth.too_many_attempts"; retryAfterSeconds: number }
  /** Hardly any of the last codes were used: the browser has to solve this first (see `proof.ts`) and ask again with the proof. */
  | { code: "auth.proof_needed"; puzzle: string; bits: number }
  /** The gateway did not take the message: nothing was counted, asking again is free. */
  | { code: "auth.sms_unavailable" };

/** `challenge` ties the code to the browser that asked for it; it goes into a cookie that scripts cannot read. */
export type CodeSent = { challenge: string; resendIn: number; expiresIn: number };

/** `isNew`: nobody had signed in with this phone before. `capped`: coins of which the joined cart holds fewer than wished for. */
export type SignedIn = { sid: string; customerId: string; isNew: boolean; capped: CappedLine[] };

/** A live session; `sidHash` names it in the list of devices, `signedInAt` is when its code was entered. */
export type Session = { customerId: string; sidHash: string; signedInAt: Date };

export type SignedInDevice = { sidHash: string; userAgent: string; createdAt: Date; lastSeenAt: Date };

/** Digits of a code; API.md and the sign-in window submit at exactly so many. */
export const codeLength = 4;
export const isCode = (text: string): boolean => /^[0-9]{4}$/.test(text);
