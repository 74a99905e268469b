import type { CappedLine } from "#shop/cart/cart.ts";

/** Why a code was not sent or the sign-in was refused. `retryAfterSeconds`: when a retry may succeed. */
export type AuthError =
  | { code: "auth.bad_phone" }
  | { code: "auth.too_many_codes"; retryAfterSeconds: number }
  | { code: "auth.wrong_code" }
  | { code: "auth.code_expired" }
  | { code: "auth.too_many_attempts"; retryAfterSeconds: number }
  /** A proof of work is required: the browser solves the puzzle (see `proof.ts`) and repeats the request with the proof. */
  | { code: "auth.proof_needed"; puzzle: string; bits: number }
  /** The gateway did not accept the message: nothing was counted, and the request may be repeated at once. */
  | { code: "auth.sms_unavailable" };

/** `challenge` binds the code to the browser that requested it; it is stored in an HttpOnly cookie. */
export type CodeSent = { challenge: string; resendIn: number; expiresIn: number };

/** `isNew`: the account was created by this sign-in. `capped`: coins of which the merged cart contains fewer pieces than requested. */
export type SignedIn = { sid: string; customerId: string; isNew: boolean; capped: CappedLine[] };

/** A live session; `sidHash` identifies it in the list of devices, `signedInAt` is when its code was entered. */
export type Session = { customerId: string; sidHash: string; signedInAt: Date };

export type SessionLife = { idleDays: number; absoluteDays: number };

export type SignedInDevice = { sidHash: string; userAgent: string; createdAt: Date; lastSeenAt: Date };

/** Number of digits of a code; the sign-in dialog submits at this length. */
export const codeLength = 4;
export const isCode = (text: string): boolean => /^[0-9]{4}$/.test(text);
