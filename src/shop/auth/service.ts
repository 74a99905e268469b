import { batch, inPipelinedTransaction, inTransaction, type QueryBatch, type Tx } from "#kit/db.ts";
import { createSemaphore } from "#kit/concurrency/semaphore.ts";
import { randomId } from "#kit/ids.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { isSameSecret, sha256 } from "#kit/security/secrets.ts";
import { days, minutes, plus } from "#kit/time.ts";
import type { CappedLine } from "#shop/cart/cart.ts";
import * as cart from "#shop/cart/service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import * as customers from "#shop/customers/service.ts";
import type { Customer } from "#shop/customers/customer.ts";
import * as lists from "#shop/lists/service.ts";
import * as notifications from "#shop/notifications/service.ts";
import { addressHash, blockOf, codeHmac, secondsUntilResend } from "./code.service.ts";
import type { LimitRule } from "./limit-rule.ts";
import { undoCount, consume } from "./limits.service.ts";
import * as rows from "./repository.ts";
import * as sessionRows from "./sessions.repository.ts";
import * as limitRows from "./limits.repository.ts";
import type { AuthError, Session, SignedIn, SignedInDevice, SessionLife } from "./sign-in.ts";

export { requestCode } from "./code.service.ts";

export type CodeTry = {
  phone: string;
  code: string;
  /** From the cookie that `requestCode` set. */
  challenge: string | null;
  address: string;
  /** The visitor's key; its cart and lists are merged into the customer's. */
  visitor: OwnerKey | null;
  deviceHash: string | null;
  userAgent: string;
  /** The session that the browser had before; it is ended to prevent session fixation. */
  previousSid?: string | null;
};

/**
 * Signs a browser in with the code from the SMS: session, merged cart and lists, known device, in one transaction.
 * Every try is counted and committed before the code is compared, so that parallel tries cannot exceed five guesses.
 *
 * Refuses with `auth.wrong_code` (also when the challenge is missing or belongs to another browser), `auth.too_many_attempts`
 * once the tries are used up (also for the right code), and `auth.code_expired` when there is no live code.
 */
export async function checkCode(ctx: Ctx, input: CodeTry): Promise<Result<SignedIn, AuthError>> {
  const address: LimitRule = {
    key: `tries:address:${addressHash(ctx, input.address)}`,
    windowSeconds: 3600,
    limit: ctx.settings.limits.wrongCodesPerAddressHour,
  };
  const semaphore = ctx.singleton("auth.tries", () => createSemaphore(maxConcurrentTries));
  const counted = await semaphore(() => countTry(ctx, address, input));
  if (!counted.ok) return refuse(ctx, counted.error);
  const isRight = isSameSecret(counted.value.codeHmac, codeHmac(ctx, input.phone, input.code));
  const isOwn = isSameSecret(counted.value.challengeHash, sha256(input.challenge ?? ""));
  if (!isRight || !isOwn) return refuse(ctx, { code: "auth.wrong_code" });

  const signedIn = await signIn(ctx, counted.value, address, input);
  if (!signedIn.ok) return refuse(ctx, signedIn.error);
  ctx.log.info({ event: "auth.signed_in" });
  return signedIn;
}

/** Tries for one phone are serialised; a burst of them waits in memory and does not occupy the connection pool. */
const maxConcurrentTries = 4;

/** Thrown to roll back a try that is refused. */
class RefusedTry extends Error {
  readonly refusal: AuthError;
  constructor(refusal: AuthError) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/**
 * Locks the phone's guard first, so that its tries are serialised and the limits are exact.
 * Lock order here and in `signIn`: guards before counters.
 */
async function countTry(ctx: Ctx, address: LimitRule, input: CodeTry): Promise<Result<rows.CountedCode, AuthError>> {
  const { phone } = input;
  const { codeTriesPerCode, wrongCodesPerPhoneDay } = ctx.settings.limits;
  try {
    const count = async (tx: Tx): Promise<Result<rows.CountedCode, AuthError>> => {
      const now = ctx.now();
      const known = input.deviceHash === null ? batch([], () => null) : customers.byPhoneBatch(tx, phone);
      const { guard, fromAddress, code, isLive, wrongInDay, customer } = await rows.countTry(
        tx,
        { phone, limit: codeTriesPerCode, address, customer: known },
        now,
      );
      if (fromAddress === null)
        throw new RefusedTry({ code: "auth.too_many_attempts", retryAfterSeconds: await limitRows.secondsLeft(tx, address, now) });
      if (!isLive) throw new RefusedTry({ code: "auth.code_expired" }); // there was nothing to guess
      const block = await blockOf(tx, ctx, guard, input);
      if (block) throw new BlockedTry({ code: "auth.too_many_attempts", ...block });
      if (!code) return fail({ code: "auth.too_many_attempts", retryAfterSeconds: await secondsUntilResend({ ...ctx, db: tx }, phone) });
      // Counted as wrong beforehand; a sign-in resets the guard.
      const barredUntil = wrongInDay >= wrongCodesPerPhoneDay ? plus(now, days(1)) : guard.barredUntil;
      const device = customer && input.deviceHash !== null ? { deviceHash: input.deviceHash, customerId: customer.id } : null;
      await rows.saveGuardAndCommit(tx, phone, { wrongSinceSuccess: guard.wrongSinceSuccess + 1, barredUntil }, device);
      return done(code);
    };
    return await inPipelinedTransaction(ctx.db, count, { startsWithWrites: true });
  } catch (error) {
    if (!(error instanceof RefusedTry)) throw error;
    if (error instanceof BlockedTry) await consume(ctx, [address]); // the try counts for the address, not for the code
    return fail(error.refusal);
  }
}
class BlockedTry extends RefusedTry {}

async function signIn(ctx: Ctx, code: rows.CountedCode, address: LimitRule, input: CodeTry): Promise<Result<SignedIn, AuthError>> {
  const browser = input.visitor?.startsWith("visitor:") ? input.visitor : null; // the cart and lists of another account are never merged
  const sid = randomId(24);
  try {
    const start = async (tx: Tx): Promise<Omit<SignedIn, "sid">> => {
      const now = ctx.now();
      // The goods of the browser are locked before those of the customer.
      const used = await rows.useCode(
        tx,
        { id: code.id, phone: input.phone, addressKey: address.key },
        { customer: customers.findOrCreateByPhoneBatch(tx, ctx, input.phone), browser: browserGoods(tx, browser) },
        now,
      );
      if (!used.isUsed) throw new RefusedTry({ code: "auth.code_expired" });
      const { customer, isNew } = used.customer;
      const account: OwnerKey = `customer:${customer.id}`;
      const { deviceHash } = input;
      const isIdleLetterDue = !isNew && customer.email !== "";
      const { use, own } = await rows.lockOwn(
        tx,
        isIdleLetterDue ? { customerId: customer.id, deviceHash } : null,
        ownGoods(tx, ctx, account, used.browser),
      );
      const session = { sidHash: sidHash(sid), customerId: customer.id, deviceHash, userAgent: input.userAgent.slice(0, 300) };
      const { capped } = await sessionRows.startSessionAndCommit(
        tx,
        session,
        {
          endsSidHash: input.previousSid ? sidHash(input.previousSid) : null,
          along: batch(
            [
              joinedGoods(tx, ctx, account, used.browser, own),
              // The consent is given with the phone, so it is recorded even if the last step of signing up is skipped.
              isNew ? customers.recordRegistrationBatch(tx, customer.id, code.createdAt) : nothing,
              use && isNewDeviceAfterIdle(ctx, customer, use)
                ? notifications.addAccountLetterBatch(tx, ctx, {
                    kind: "new_device",
                    about: `sign-in:${session.sidHash}`,
                    email: customer.email,
                    at: now,
                  })
                : nothing,
            ],
            ([joined]) => joined,
          ),
        },
        now,
      );
      return { customerId: customer.id, isNew, capped };
    };
    return done({ sid, ...(await inPipelinedTransaction(ctx.db, start, { startsWithWrites: true })) });
  } catch (error) {
    if (!(error instanceof RefusedTry)) throw error;
    await undoCount(ctx, [address]); // the code was right
    return fail(error.refusal);
  }
}

const nothing: QueryBatch<void> = batch([], () => {});

/** The cart and the lists of the browser, locked; null without a browser of its own. */
type BrowserGoods = { basket: cart.BrowserCart; listed: lists.BrowserLists } | null;
const browserGoods = (tx: Tx, browser: OwnerKey | null): QueryBatch<BrowserGoods> =>
  browser
    ? batch([cart.lockBrowserCartBatch(tx, browser), lists.takeBrowserListsBatch(tx, browser)], ([basket, listed]) => ({ basket, listed }))
    : batch([], () => null);

/** Those of the customer that get more, locked. */
type OwnGoods = { basket: cart.CartToJoin | null; listed: lists.ListsToJoin } | null;
const ownGoods = (tx: Tx, ctx: Ctx, account: OwnerKey, browser: BrowserGoods): QueryBatch<OwnGoods> =>
  browser
    ? batch(
        [cart.lockToJoinBatch(tx, ctx, account, browser.basket), lists.lockToJoinBatch(tx, account, browser.listed)],
        ([basket, listed]) => ({
          basket,
          listed,
        }),
      )
    : batch([], () => null);

const joinedGoods = (tx: Tx, ctx: Ctx, account: OwnerKey, browser: BrowserGoods, own: OwnGoods): QueryBatch<{ capped: CappedLine[] }> =>
  browser && own
    ? batch(
        [cart.joinBatch(tx, ctx, account, browser.basket, own.basket), lists.joinBatch(tx, ctx, account, own.listed)],
        ([joined]) => joined,
      )
    : batch([], () => ({ capped: [] }));

/** Whether the account was idle for long and the browser is new: the number may have a new owner, so the account's mailbox is notified. */
const isNewDeviceAfterIdle = (ctx: Ctx, customer: Customer, { isDeviceKnown, lastUsedAt }: rows.AccountUse): boolean =>
  !isDeviceKnown && (lastUsedAt ?? customer.createdAt) < plus(ctx.now(), -days(ctx.settings.limits.accountIdleDays));

function refuse(ctx: Ctx, error: AuthError): { ok: false; error: AuthError } {
  ctx.log.info({ event: "auth.try_refused", code: error.code });
  return fail(error);
}

const sidHash = (sid: string): string => sha256(sid.slice(0, 200));
const lifeOf = (ctx: Ctx): SessionLife => ({
  idleDays: ctx.settings.limits.sessionIdleDays,
  absoluteDays: ctx.settings.limits.sessionAbsoluteDays,
});

/** The session of a cookie; null when it is unknown, ended or expired. Updates the time of the last visit at most once a minute. */
export async function session(ctx: Ctx, sid: string): Promise<Session | null> {
  const hash = sidHash(sid);
  const found = await sessionRows.findSession(ctx.db, hash, lifeOf(ctx), { now: ctx.now(), seenBefore: plus(ctx.now(), -minutes(1)) });
  return found && { customerId: found.customerId, sidHash: hash, signedInAt: found.createdAt };
}

/** Ends this session on the server, so that copies of the cookie are invalid too. Ignores an unknown session. */
export async function signOut(ctx: Ctx, sid: string): Promise<void> {
  await sessionRows.dropSession(ctx.db, sidHash(sid));
  ctx.log.info({ event: "auth.signed_out" });
}

/** Ends all sessions of a customer, including the current one; its devices are no longer known devices. */
export async function signOutEverywhere(ctx: Ctx, customerId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await sessionRows.dropSessionsOf(tx, customerId);
    await rows.signOutDevices(tx, customerId, ctx.now());
  });
  ctx.log.info({ event: "auth.signed_out_everywhere" });
}

/** Ends one session from the customer's list of devices; its browser, which may be lost or stolen, is no longer a known device. */
export function signOutDevice(ctx: Ctx, customerId: string, sidHashOfDevice: string): Promise<void> {
  return inTransaction(ctx.db, async (tx) => {
    const deviceHash = await sessionRows.dropSessionOf(tx, sidHashOfDevice, customerId);
    if (deviceHash !== null) await rows.signOutDevices(tx, customerId, ctx.now(), deviceHash);
  });
}

/** Whether the sign-in is recent enough for a sensitive action (`freshCodeMinutes`). */
export const isFresh = (ctx: Ctx, signedInAt: Date | null): boolean =>
  signedInAt !== null && signedInAt >= plus(ctx.now(), -minutes(ctx.settings.limits.freshCodeMinutes));

/** Locks sign-in with this phone until the end of the transaction. */
export const lockPhone = async (tx: Tx, phone: string): Promise<void> => {
  await rows.lockGuard(tx, phone);
};

/** Deletes the sessions, devices and guard of an erased account. The caller has locked the phone. Its codes are deleted after 30 days. */
export async function eraseAccess(tx: Tx, { id, phone }: { id: string; phone: string }): Promise<void> {
  await sessionRows.dropSessionsOf(tx, id);
  await rows.dropDevices(tx, id);
  await rows.dropGuard(tx, phone);
}

/** The customer's signed-in devices, most recently seen first. */
export const devices = (ctx: Ctx, customerId: string): Promise<SignedInDevice[]> =>
  sessionRows.sessionsOf(ctx.db, customerId, lifeOf(ctx), ctx.now());

/** Deletes expired sessions, ended rate windows and old codes. */
export const deleteExpired = (ctx: Ctx): Promise<void> => rows.deleteExpired(ctx.db, lifeOf(ctx), ctx.now());
