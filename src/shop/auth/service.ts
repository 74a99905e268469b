import { inTransaction, waitUpTo, type Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { sameSecret, sha256 } from "#kit/secrets.ts";
import { days, minutes, plus, seconds } from "#kit/time.ts";
import * as cart from "#shop/cart/service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import * as customers from "#shop/customers/service.ts";
import type { Customer } from "#shop/customers/customer.ts";
import * as lists from "#shop/lists/service.ts";
import * as notifications from "#shop/notifications/service.ts";
import { addressHash, barOf, codeHmac, waitLeft } from "./code.service.ts";
import { giveBack, take, type LimitRule } from "./limits.service.ts";
import * as rows from "./repository.ts";
import type { AuthError, Session, SignedIn, SignedInDevice } from "./sign-in.ts";

export { requestCode } from "./code.service.ts";

export type CodeTry = {
  phone: string;
  code: string;
  /** From the cookie that `requestCode` gave the browser. */
  challenge: string | null;
  address: string;
  /** The browser's own key, whose cart and lists join the customer's. */
  visitor: OwnerKey | null;
  deviceHash: string | null;
  userAgent: string;
  /** The session the browser came with: it ends, so that nobody can plant one. */
  previousSid?: string | null;
};

/**
 * Signs a browser in with the code from the SMS: session, joined cart and lists, known device, in one transaction.
 * Every try is counted and committed before it is compared, so that no number of parallel tries gets more than its five guesses.
 *
 * Refuses with `auth.wrong_code` (also for a challenge that is missing or another browser's), `auth.too_many_attempts`
 * once the tries are used up, for the right code too, and `auth.code_expired` when no code is waiting to be used.
 */
export async function checkCode(ctx: Ctx, ask: CodeTry): Promise<Result<SignedIn, AuthError>> {
  const address: LimitRule = { key: `tries:address:${addressHash(ctx, ask.address)}`, windowSeconds: 3600, limit: ctx.settings.limits.wrongCodesPerAddressHour };
  const taken = await take(ctx, [address]);
  if (!taken.isAllowed) return refuse(ctx, { code: "auth.too_many_attempts", retryAfterSeconds: taken.retryAfterSeconds });

  const counted = await inTransaction(ctx.db, (tx) => countTry(tx, ctx, ask));
  if (!counted.ok) {
    if (counted.error.code === "auth.code_expired") await giveBack(ctx, [address]); // nothing was guessed
    return refuse(ctx, counted.error);
  }
  const isRight = sameSecret(counted.value.codeHmac, codeHmac(ctx, ask.phone, ask.code));
  const isOwn = sameSecret(counted.value.challengeHash, sha256(ask.challenge ?? ""));
  if (!isRight || !isOwn) return refuse(ctx, { code: "auth.wrong_code" });

  await giveBack(ctx, [address]);
  const signedIn = await inTransaction(ctx.db, (tx) => signIn(tx, ctx, counted.value.id, ask));
  if (!signedIn.ok) return refuse(ctx, signedIn.error);
  ctx.log.info({ event: "auth.signed_in" });
  return signedIn;
}

/** How long the second of two tries of one phone waits for the first. */
const sameCodeWait = seconds(5);

/** The phone's guard is locked first: its tries are judged one after another, and the caps hold to the number. */
async function countTry(tx: Tx, ctx: Ctx, ask: CodeTry): Promise<Result<{ id: number; codeHmac: string; challengeHash: string }, AuthError>> {
  const { codeTriesPerCode, wrongCodesPerPhoneDay } = ctx.settings.limits;
  if (!(await rows.hasLiveCode(tx, ask.phone, ctx.now()))) return fail({ code: "auth.code_expired" });
  const [, guard] = await Promise.all([waitUpTo(tx, sameCodeWait), rows.lockGuard(tx, ask.phone)]);
  const bar = await barOf(tx, ctx, guard, ask);
  if (bar) return fail({ code: "auth.too_many_attempts", ...bar });
  const code = await rows.countTry(tx, ask.phone, codeTriesPerCode, ctx.now());
  if (code) {
    // Counted as wrong beforehand; signing in sets the guard back.
    const inDay = await rows.wrongTriesSince(tx, ask.phone, plus(ctx.now(), -days(1)));
    const barredUntil = inDay >= wrongCodesPerPhoneDay ? plus(ctx.now(), days(1)) : guard.barredUntil;
    await rows.saveGuard(tx, ask.phone, { wrongSinceSuccess: guard.wrongSinceSuccess + 1, barredUntil });
    return done(code);
  }
  if (!(await rows.hasLiveCode(tx, ask.phone, ctx.now()))) return fail({ code: "auth.code_expired" });
  return fail({ code: "auth.too_many_attempts", retryAfterSeconds: await waitLeft({ ...ctx, db: tx }, ask.phone) });
}

async function signIn(tx: Tx, ctx: Ctx, codeId: number, ask: CodeTry): Promise<Result<SignedIn, AuthError>> {
  const [, , isUsed] = await Promise.all([waitUpTo(tx, sameCodeWait), rows.lockGuard(tx, ask.phone), rows.useCode(tx, codeId, ctx.now())]);
  if (!isUsed) return fail({ code: "auth.code_expired" });
  const [, { customer, isNew }] = await Promise.all([
    rows.saveGuard(tx, ask.phone, { wrongSinceSuccess: 0, barredUntil: null }), customers.findOrCreateByPhone(tx, ctx, ask.phone),
  ]);
  const isStrange = !isNew && (await isStrangerAfterLong(tx, ctx, customer, ask.deviceHash));
  if (ask.deviceHash !== null) await rows.rememberDevice(tx, ask.deviceHash, customer.id, ctx.now());
  if (ask.previousSid) await rows.dropSession(tx, sidHash(ask.previousSid));
  const sid = randomId(24);
  await rows.addSession(tx, { sidHash: sidHash(sid), customerId: customer.id, deviceHash: ask.deviceHash, userAgent: ask.userAgent.slice(0, 300) }, ctx.now());
  if (isStrange) await notifications.tellOfAccount(tx, ctx, { kind: "new_device", about: `sign-in:${sidHash(sid)}`, email: customer.email, at: ctx.now() });
  const account: OwnerKey = `customer:${customer.id}`;
  const joinsBrowser = ask.visitor?.startsWith("visitor:") ?? false; // another account's goods never move
  const { capped } = joinsBrowser && ask.visitor ? await cart.merge(tx, ctx, ask.visitor, account) : { capped: [] };
  if (joinsBrowser && ask.visitor) await lists.merge(tx, ctx, ask.visitor, account);
  return done({ sid, customerId: customer.id, isNew, capped });
}

/** A phone that lay unused for half a year may have been sold on to somebody else: its old owner hears of a browser that was never here. */
async function isStrangerAfterLong(tx: Tx, ctx: Ctx, customer: Customer, deviceHash: string | null): Promise<boolean> {
  if (customer.email === "" || (deviceHash !== null && (await rows.isKnownDevice(tx, deviceHash, customer.id)))) return false;
  return ((await rows.lastUse(tx, customer.id)) ?? customer.createdAt) < plus(ctx.now(), -days(ctx.settings.limits.accountIdleDays));
}

function refuse(ctx: Ctx, error: AuthError): { ok: false; error: AuthError } {
  ctx.log.info({ event: "auth.try_refused", code: error.code });
  return fail(error);
}

const sidHash = (sid: string): string => sha256(sid.slice(0, 200));
const lifeOf = (ctx: Ctx): rows.SessionLife => ({ idleDays: ctx.settings.limits.sessionIdleDays, absoluteDays: ctx.settings.limits.sessionAbsoluteDays });

/** Who a session cookie stands for; null when it is unknown, signed out or too old. Notes the visit at most once a minute. */
export async function session(ctx: Ctx, sid: string): Promise<Session | null> {
  const hash = sidHash(sid);
  const found = await rows.findSession(ctx.db, hash, lifeOf(ctx), ctx.now());
  if (!found) return null;
  if (found.lastSeenAt <= plus(ctx.now(), -minutes(1))) {
    await rows.touchSession(ctx.db, hash, ctx.now());
    if (found.deviceHash !== null) await rows.noteDevice(ctx.db, found.deviceHash, found.customerId, ctx.now());
  }
  return { customerId: found.customerId, sidHash: hash, signedInAt: found.createdAt };
}

/** Ends this session on the server: a copy of the cookie opens nothing any more. Unknown ones are no fault. */
export async function signOut(ctx: Ctx, sid: string): Promise<void> {
  await rows.dropSession(ctx.db, sidHash(sid));
  ctx.log.info({ event: "auth.signed_out" });
}

/** Ends all sessions of a customer, the present one included. */
export async function signOutEverywhere(ctx: Ctx, customerId: string): Promise<void> {
  await rows.dropSessionsOf(ctx.db, customerId);
  ctx.log.info({ event: "auth.signed_out_everywhere" });
}

/** Ends one session from the customer's own list of devices. */
export const signOutDevice = (ctx: Ctx, customerId: string, sidHashOfDevice: string): Promise<void> => rows.dropSession(ctx.db, sidHashOfDevice, customerId);

/** Whether a code was entered so lately that the phone is surely in its owner's hand. */
export const isFresh = (ctx: Ctx, signedInAt: Date | null): boolean => signedInAt !== null && signedInAt >= plus(ctx.now(), -minutes(ctx.settings.limits.freshCodeMinutes));

/** Holds everybody who signs in with this phone until the transaction ends. */
export const holdPhone = async (tx: Tx, phone: string): Promise<void> => { await rows.lockGuard(tx, phone); };

/** Ends all sessions of an account that is erased and forgets its browsers; the caller holds the phone. Codes sent to it go by themselves after 30 days. */
export async function forget(tx: Tx, { id, phone }: { id: string; phone: string }): Promise<void> {
  await rows.dropSessionsOf(tx, id);
  await rows.forgetDevices(tx, id);
  await rows.dropGuard(tx, phone);
}

/** Where the customer is signed in now, most recently seen first. */
export const devices = (ctx: Ctx, customerId: string): Promise<SignedInDevice[]> => rows.sessionsOf(ctx.db, customerId, lifeOf(ctx), ctx.now());

/** Lets go of dead sessions, ended windows and old codes. */
export const sweepSpent = (ctx: Ctx): Promise<void> => rows.dropSpent(ctx.db, lifeOf(ctx), ctx.now());
