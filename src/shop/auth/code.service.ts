import { randomInt } from "node:crypto";
import { randomId } from "#kit/ids.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { sha256 } from "#kit/secrets.ts";
import { days, hours, plus, seconds } from "#kit/time.ts";
import type { Db } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import * as customers from "#shop/customers/service.ts";
import { isPhone } from "#shop/customers/customer.ts";
import { signInCodeText } from "#shop/notifications/texts.ru.ts";
import type { LimitRule } from "./limit-rule.ts";
import { count, giveBack, networkOf, refusedAtSight, take } from "./limits.service.ts";
import { isGoodProof, puzzleFor } from "./proof.service.ts";
import { proofBits } from "./proof.ts";
import * as rows from "./repository.ts";
import { raiseBudgetAlarms, smsBudgetRules } from "./sms-budget.service.ts";
import { codeLength, type AuthError, type CodeSent } from "./sign-in.ts";

const hour = 3600;
const day = 86_400;

/** Of the newest 50 codes at least 15 should have signed somebody in; fewer is what paid-for traffic to strangers' phones looks like. */
const lowUse = { among: 50, atLeast: 15 };

export type CodeRequest = {
  phone: string;
  address: string;
  deviceHash: string | null;
  /** The answer to the puzzle of an earlier `auth.proof_needed`. */
  proof?: string | null;
};

/**
 * Sends a code to a phone (`+7` and ten digits), the same way whether or not somebody has signed in with it before.
 * The code before stops working; the waiting time and all counts start only once the gateway took the message,
 * and of parallel calls for one phone a single one sends.
 *
 * Refuses with `auth.bad_phone` (a range that is not sent to), `auth.too_many_codes`, `auth.proof_needed` and `auth.sms_unavailable`.
 */
export async function requestCode(ctx: Ctx, ask: CodeRequest): Promise<Result<CodeSent, AuthError>> {
  const { phone, address } = ask;
  const { limits } = ctx.settings;
  if (!isSentTo(phone, ctx.isDemo)) return fail({ code: "auth.bad_phone" });
  const token = randomId();
  const rules = sendingRules(ctx, address);
  const isWon = await rows.claimPhone(ctx.db, { phone, token, waitSeconds: limits.codeResendSeconds }, ctx.now());
  let isSent = false;
  try {
    const asked = { phone, since: plus(ctx.now(), -days(1)), newest: lowUse.among, keys: rules.map(({ key }) => key) };
    const state = await rows.sendingState(ctx.db, asked, ctx.now());
    const bar = await barOf(ctx.db, ctx, state.guard, ask);
    if (bar) return refuse(ctx, bar.retryAfterSeconds);
    const isProofNeeded = !ctx.isDemo && lowUseOf(state.usedAmongNewest) !== null;
    if (isProofNeeded && !(ask.proof && (await isGoodProof(ctx, phone, ask.proof))))
      return fail({ code: "auth.proof_needed", puzzle: puzzleFor(ctx, phone), bits: proofBits });
    if (!isWon) return refuse(ctx, await waitLeft(ctx, phone));
    const tooMany = tooOften(ctx, state.sent);
    if (tooMany !== null) return refuse(ctx, tooMany);
    const taken = refusedAtSight(rules, state.windows, ctx.now()) ?? (await take(ctx, rules));
    raiseBudgetAlarms(ctx, rules, taken);
    if (!taken.isAllowed) return refuse(ctx, taken.retryAfterSeconds);

    const code = String(randomInt(10 ** codeLength)).padStart(codeLength, "0");
    if (!(await send(ctx, { to: phone, text: signInCodeText(ctx.settings.shop.name, code), address }))) {
      await giveBack(ctx, rules);
      return fail({ code: "auth.sms_unavailable" });
    }
    isSent = true; // from here on the phone waits, whatever else may fail
    const challenge = randomId();
    const now = ctx.now();
    await rows.saveCode(ctx.db, {
      phone,
      codeHmac: codeHmac(ctx, phone, code),
      challengeHash: sha256(challenge),
      address: addressHash(ctx, address),
      createdAt: now,
      expiresAt: plus(now, seconds(limits.codeLifeSeconds)),
    });
    await tellLowUse(ctx, lowUseOf(await rows.usedAmongNewest(ctx.db, lowUse.among)));
    return done({ challenge, resendIn: limits.codeResendSeconds, expiresIn: limits.codeLifeSeconds });
  } finally {
    if (isWon && !isSent) await rows.releasePhone(ctx.db, phone, token);
  }
}

/** How a code is kept: useless without the server's key, bound to its phone. */
export const codeHmac = (ctx: Ctx, phone: string, code: string): string => ctx.secrets.sign("sign-in-code", `${phone} ${code}`);

/** Addresses are counted, never stored in clear. */
export const addressHash = (ctx: Ctx, address: string): string => ctx.secrets.sign("limits", address, 32);

/** Production sends to Russian mobiles alone: +7 6xx and 7xx are another country's and a target of SMS pumping. */
const isSentTo = (phone: string, isDemo: boolean): boolean => isPhone(phone) && (isDemo || phone.startsWith("+79"));

/**
 * Whether a phone's guard keeps this browser away: for a day after 15 wrong tries within 24 h, and after 100 since the last success.
 * A browser that has signed in to the account before is let through, so that strangers cannot lock a customer out; but not for ever
 * after its last use, and only for so many wrong tries of its own, which no waiting gives back.
 */
export async function barOf(
  db: Db,
  ctx: Ctx,
  guard: rows.Guard | null,
  { phone, deviceHash }: { phone: string; deviceHash: string | null },
): Promise<{ retryAfterSeconds: number } | null> {
  if (!guard) return null;
  const isBarred = guard.barredUntil !== null && guard.barredUntil > ctx.now();
  if (!isBarred && guard.wrongSinceSuccess < ctx.settings.limits.wrongCodesPerPhoneEver) return null;
  const customer = deviceHash === null ? null : await customers.byPhone(db, phone);
  const device = customer && deviceHash !== null ? await rows.findDevice(db, deviceHash, customer.id) : null;
  if (device && isTrusted(ctx, device)) return null;
  return { retryAfterSeconds: isBarred && guard.barredUntil ? rows.secondsUntil(guard.barredUntil, ctx.now()) : day };
}

const isTrusted = (ctx: Ctx, { lastSeenAt, wrongTries }: rows.KnownDevice): boolean =>
  lastSeenAt > plus(ctx.now(), -days(ctx.settings.limits.knownDeviceDays)) && wrongTries < ctx.settings.limits.wrongCodesPerDevice;

function refuse(ctx: Ctx, retryAfterSeconds: number): { ok: false; error: AuthError } {
  ctx.log.info({ event: "auth.code_refused" });
  return fail({ code: "auth.too_many_codes", retryAfterSeconds });
}

/** Until the phone may be sent the next code. */
export async function waitLeft(ctx: Ctx, phone: string): Promise<number> {
  const since = await rows.claimedAt(ctx.db, phone);
  return since ? rows.secondsUntil(plus(since, seconds(ctx.settings.limits.codeResendSeconds)), ctx.now()) : 1;
}

/** Codes sent to the phone in the last hour and day, newest first, counted over every moment and not by the clock's hours; null when one more may go. */
function tooOften(ctx: Ctx, sent: readonly Date[]): number | null {
  const { codesPerPhoneHour, codesPerPhoneDay } = ctx.settings.limits;
  const now = ctx.now();
  const frees = (limit: number, span: number): number[] => {
    const blocking = sent.filter((moment) => moment > plus(now, -span))[limit - 1];
    return blocking ? [rows.secondsUntil(plus(blocking, span), now)] : [];
  };
  const waits = [...frees(codesPerPhoneHour, hours(1)), ...frees(codesPerPhoneDay, days(1))];
  return waits.length > 0 ? Math.max(...waits) : null;
}

/** The shop's own rows come last: they are the ones that everybody waits for. */
function sendingRules(ctx: Ctx, address: string): LimitRule[] {
  const { limits } = ctx.settings;
  return [
    { key: `codes:address:${addressHash(ctx, address)}`, windowSeconds: hour, limit: limits.codesPerAddressHour },
    { key: `codes:network:${addressHash(ctx, networkOf(address))}`, windowSeconds: hour, limit: limits.codesPerNetworkHour },
    ...smsBudgetRules(ctx),
  ];
}

/** Whatever the gateway's trouble is, the buyer's answer is the same: it could not be sent, try again. */
async function send(ctx: Ctx, message: { to: string; text: string; address: string }): Promise<boolean> {
  try {
    await ctx.gateways.sms.send(message);
    ctx.log.info({ event: "auth.code_sent" });
    return true;
  } catch (error) {
    ctx.log.warn({ event: "auth.code_not_sent", reason: error instanceof Error ? error.message : "unknown" });
    return false;
  }
}

/**
 * How many of the newest codes were used, when that is suspiciously few. A demo's messages cost nothing; elsewhere nobody is asked for a proof
 * while codes are sent to people who want them.
 */
const lowUseOf = (used: number | null): number | null => (used === null || used >= lowUse.atLeast ? null : used);

async function tellLowUse(ctx: Ctx, used: number | null): Promise<void> {
  if (used !== null && (await count(ctx, "codes:low-use-alarm", hour, 1))) ctx.alarm("sms.low_use", { used, of: lowUse.among });
}
