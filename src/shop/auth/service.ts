import { batch, inTransaction, type Batch, type Tx } from "#kit/db.ts";
import { createSemaphore } from "#kit/semaphore.ts";
import { randomId } from "#kit/ids.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { sameSecret, sha256 } from "#kit/secrets.ts";
import { days, minutes, plus } from "#kit/time.ts";
import type { CappedLine } from "#shop/cart/cart.ts";
import * as cart from "#shop/cart/service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import * as customers from "#shop/customers/service.ts";
import type { Customer } from "#shop/customers/customer.ts";
import * as lists from "#shop/lists/service.ts";
import * as notifications from "#shop/notifications/service.ts";
import { addressHash, barOf, codeHmac, waitLeft } from "./code.service.ts";
import type { LimitRule } from "./limit-rule.ts";
import { giveBack, take } from "./limits.service.ts";
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
  const address: LimitRule = {
    key: `tries:address:${addressHash(ctx, ask.address)}`,
    windowSeconds: 3600,
    limit: ctx.settings.limits.wrongCodesPerAddressHour,
  };
  const gate = ctx.singleton("auth.tries", () => createSemaphore(triesAtOnce));
  const counted = await gate(() => countTry(ctx, address, ask));
  if (!counted.ok) return refuse(ctx, counted.error);
  const isRight = sameSecret(counted.value.codeHmac, codeHmac(ctx, ask.phone, ask.code));
  const isOwn = sameSecret(counted.value.challengeHash, sha256(ask.challenge ?? ""));
  if (!isRight || !isOwn) return refuse(ctx, { code: "auth.wrong_code" });

  const signedIn = await signIn(ctx, counted.value, address, ask);
  if (!signedIn.ok) return refuse(ctx, signedIn.error);
  ctx.log.info({ event: "auth.signed_in" });
  return signedIn;
}

/** Guesses at one phone are judged one after another: a storm of them waits here, not with all connections of the pool in its hands. */
const triesAtOnce = 4;

/** Thrown to roll back a try that is not allowed. */
class TakenBack extends Error {
  readonly refusal: AuthError;
  constructor(refusal: AuthError) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

/**
 * The phone's guard is locked first: its tries are judged one after another, and the caps hold to the number.
 * Guards come before counters, here and in `signIn`.
 */
async function countTry(ctx: Ctx, address: LimitRule, ask: CodeTry): Promise<Result<rows.CountedCode, AuthError>> {
  const { phone } = ask;
  const { codeTriesPerCode, wrongCodesPerPhoneDay } = ctx.settings.limits;
  try {
    return await inTransaction(ctx.db, async (tx) => {
      const now = ctx.now();
      const known = ask.deviceHash === null ? batch([], () => null) : customers.byPhoneBatch(tx, phone);
      const { guard, fromAddress, code, isLive, wrongInDay, customer } = await rows.countTry(
        tx,
        { phone, limit: codeTriesPerCode, address, customer: known },
        now,
      );
      if (fromAddress === null)
        throw new TakenBack({ code: "auth.too_many_attempts", retryAfterSeconds: await rows.secondsLeft(tx, address, now) });
      if (!isLive) throw new TakenBack({ code: "auth.code_expired" }); // nothing was guessed
      const bar = await barOf(tx, ctx, guard, ask);
      if (bar) throw new Barred({ code: "auth.too_many_attempts", ...bar });
      if (!code) return fail({ code: "auth.too_many_attempts", retryAfterSeconds: await waitLeft({ ...ctx, db: tx }, phone) });
      // Counted as wrong beforehand; signing in sets the guard back.
      const barredUntil = wrongInDay >= wrongCodesPerPhoneDay ? plus(now, days(1)) : guard.barredUntil;
      const device = customer && ask.deviceHash !== null ? { deviceHash: ask.deviceHash, customerId: customer.id } : null;
      await rows.saveGuard(tx, phone, { wrongSinceSuccess: guard.wrongSinceSuccess + 1, barredUntil }, device);
      return done(code);
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
    if (error instanceof Barred) await take(ctx, [address]); // the code keeps its tries, the address has had one
    return fail(error.refusal);
  }
}
class Barred extends TakenBack {}

async function signIn(ctx: Ctx, code: rows.CountedCode, address: LimitRule, ask: CodeTry): Promise<Result<SignedIn, AuthError>> {
  const browser = ask.visitor?.startsWith("visitor:") ? ask.visitor : null; // another account's goods never move
  const sid = randomId(24);
  try {
    const signedIn = await inTransaction(ctx.db, async (tx) => {
      const now = ctx.now();
      // The goods of the browser are locked before those of the customer.
      const used = await rows.useCode(
        tx,
        { id: code.id, phone: ask.phone, addressKey: address.key },
        { customer: customers.findOrCreateByPhoneBatch(tx, ctx, ask.phone), browser: browserGoods(tx, browser) },
        now,
      );
      if (!used.isUsed) throw new TakenBack({ code: "auth.code_expired" });
      const { customer, isNew } = used.customer;
      const account: OwnerKey = `customer:${customer.id}`;
      const { deviceHash } = ask;
      const isIdleLetterDue = !isNew && customer.email !== "";
      const { use, own } = await rows.lockOwn(
        tx,
        isIdleLetterDue ? { customerId: customer.id, deviceHash } : null,
        ownGoods(tx, ctx, account, used.browser),
      );
      const session = { sidHash: sidHash(sid), customerId: customer.id, deviceHash, userAgent: ask.userAgent.slice(0, 300) };
      const { capped } = await rows.startSession(
        tx,
        session,
        {
          endsSidHash: ask.previousSid ? sidHash(ask.previousSid) : null,
          along: batch(
            [
              joinedGoods(tx, ctx, account, used.browser, own),
              // Given beside the phone, so it stands even if the last step of signing up is skipped.
              isNew ? customers.recordRegistrationBatch(tx, customer.id, code.createdAt) : nothing,
              use && isStrangerAfterLong(ctx, customer, use)
                ? notifications.tellOfAccountBatch(tx, ctx, {
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
    });
    return done({ sid, ...signedIn });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
    await giveBack(ctx, [address]); // the code was right
    return fail(error.refusal);
  }
}

const nothing: Batch<void> = batch([], () => {});

/** The cart and the lists of the browser, locked; null without a browser of its own. */
type BrowserGoods = { basket: cart.BrowserCart; listed: lists.BrowserLists } | null;
const browserGoods = (tx: Tx, browser: OwnerKey | null): Batch<BrowserGoods> =>
  browser
    ? batch([cart.lockBrowserCartBatch(tx, browser), lists.takeBrowserListsBatch(tx, browser)], ([basket, listed]) => ({ basket, listed }))
    : batch([], () => null);

/** Those of the customer that get more, locked. */
type OwnGoods = { basket: cart.CartToJoin | null; listed: lists.ListsToJoin } | null;
const ownGoods = (tx: Tx, ctx: Ctx, account: OwnerKey, browser: BrowserGoods): Batch<OwnGoods> =>
  browser
    ? batch(
        [cart.lockToJoinBatch(tx, ctx, account, browser.basket), lists.lockToJoinBatch(tx, account, browser.listed)],
        ([basket, listed]) => ({
          basket,
          listed,
        }),
      )
    : batch([], () => null);

const joinedGoods = (tx: Tx, ctx: Ctx, account: OwnerKey, browser: BrowserGoods, own: OwnGoods): Batch<{ capped: CappedLine[] }> =>
  browser && own
    ? batch(
        [cart.joinBatch(tx, ctx, account, browser.basket, own.basket), lists.joinBatch(tx, ctx, account, own.listed)],
        ([joined]) => joined,
      )
    : batch([], () => ({ capped: [] }));

/** A phone that lay unused for half a year may have been sold on to somebody else: its old owner hears of a browser that was never here. */
const isStrangerAfterLong = (ctx: Ctx, customer: Customer, { isDeviceKnown, lastUse }: rows.AccountUse): boolean =>
  !isDeviceKnown && (lastUse ?? customer.createdAt) < plus(ctx.now(), -days(ctx.settings.limits.accountIdleDays));

function refuse(ctx: Ctx, error: AuthError): { ok: false; error: AuthError } {
  ctx.log.info({ event: "auth.try_refused", code: error.code });
  return fail(error);
}

const sidHash = (sid: string): string => sha256(sid.slice(0, 200));
const lifeOf = (ctx: Ctx): rows.SessionLife => ({
  idleDays: ctx.settings.limits.sessionIdleDays,
  absoluteDays: ctx.settings.limits.sessionAbsoluteDays,
});

/** Who a session cookie stands for; null when it is unknown, signed out or too old. Notes the visit at most once a minute. */
export async function session(ctx: Ctx, sid: string): Promise<Session | null> {
  const hash = sidHash(sid);
  const found = await rows.findSession(ctx.db, hash, lifeOf(ctx), { now: ctx.now(), seenBefore: plus(ctx.now(), -minutes(1)) });
  return found && { customerId: found.customerId, sidHash: hash, signedInAt: found.createdAt };
}

/** Ends this session on the server: a copy of the cookie opens nothing any more. Unknown ones are no fault. */
export async function signOut(ctx: Ctx, sid: string): Promise<void> {
  await rows.dropSession(ctx.db, sidHash(sid));
  ctx.log.info({ event: "auth.signed_out" });
}

/** Ends all sessions of a customer, the present one included, and forgets its browsers, which are strangers to the account again. */
export async function signOutEverywhere(ctx: Ctx, customerId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await rows.dropSessionsOf(tx, customerId);
    await rows.signOutDevices(tx, customerId, ctx.now());
  });
  ctx.log.info({ event: "auth.signed_out_everywhere" });
}

/** Ends one session from the customer's own list of devices and forgets its browser: it may be lost or stolen. */
export function signOutDevice(ctx: Ctx, customerId: string, sidHashOfDevice: string): Promise<void> {
  return inTransaction(ctx.db, async (tx) => {
    const deviceHash = await rows.dropSessionOf(tx, sidHashOfDevice, customerId);
    if (deviceHash !== null) await rows.signOutDevices(tx, customerId, ctx.now(), deviceHash);
  });
}

/** Whether a code was entered so lately that the phone is surely in its owner's hand. */
export const isFresh = (ctx: Ctx, signedInAt: Date | null): boolean =>
  signedInAt !== null && signedInAt >= plus(ctx.now(), -minutes(ctx.settings.limits.freshCodeMinutes));

/** Holds everybody who signs in with this phone until the transaction ends. */
export const holdPhone = async (tx: Tx, phone: string): Promise<void> => {
  await rows.lockGuard(tx, phone);
};

/** Ends all sessions of an account that is erased and forgets its browsers; the caller holds the phone. Codes sent to it go by themselves after 30 days. */
export async function forget(tx: Tx, { id, phone }: { id: string; phone: string }): Promise<void> {
  await rows.dropSessionsOf(tx, id);
  await rows.dropDevices(tx, id);
  await rows.dropGuard(tx, phone);
}

/** Where the customer is signed in now, most recently seen first. */
export const devices = (ctx: Ctx, customerId: string): Promise<SignedInDevice[]> =>
  rows.sessionsOf(ctx.db, customerId, lifeOf(ctx), ctx.now());

/** Lets go of dead sessions, ended windows and old codes. */
export const sweepSpent = (ctx: Ctx): Promise<void> => rows.dropSpent(ctx.db, lifeOf(ctx), ctx.now());
