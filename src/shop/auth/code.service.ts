import { randomInt } from "node:crypto";
import { randomId } from "#kit/ids.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { sha256 } from "#kit/security/secrets.ts";
import { days, hours, plus, seconds } from "#kit/time.ts";
import type { Db } from "#kit/db.ts";
import { timeForStatements, withoutDeadline } from "#kit/concurrency/deadline.ts";
import type { Ctx } from "#shop/context.ts";
import * as customers from "#shop/customers/service.ts";
import { isPhone } from "#shop/customers/customer.ts";
import * as notifications from "#shop/notifications/service.ts";
import { signInCodeText } from "#shop/notifications/texts.ru.ts";
import type { LimitRule } from "./limit-rule.ts";
import { count, undoCount, networkOf, findExhausted, consume } from "./limits.service.ts";
import { isValidProof, puzzleFor } from "./proof.service.ts";
import { proofBits } from "./proof.ts";
import * as rows from "./repository.ts";
import * as limitRows from "./limits.repository.ts";
import { raiseBudgetAlarms, smsBudgetRules } from "./sms-budget.service.ts";
import { codeLength, type AuthError, type CodeSent } from "./sign-in.ts";

const hour = 3600;
const day = 86_400;

/** At least 15 of the newest 50 codes should have been used; fewer is a sign of SMS pumping. */
const lowUse = { among: 50, atLeast: 15 };

export type CodeRequest = {
  phone: string;
  address: string;
  deviceHash: string | null;
  /** The answer to the puzzle of an earlier `auth.proof_needed`. */
  proof?: string | null;
};

/**
 * Sends a sign-in code to a phone (`+7` and ten digits); the answer does not reveal whether the phone has an account.
 * The previous code stops working. The waiting time and all counts start only once the gateway has accepted the message.
 * Of parallel calls for one phone only one sends.
 *
 * Refuses with `auth.bad_phone` (a range that is not sent to), `auth.too_many_codes`, `auth.proof_needed` and `auth.sms_unavailable`.
 */
export async function requestCode(ctx: Ctx, input: CodeRequest): Promise<Result<CodeSent, AuthError>> {
  const { phone, address } = input;
  const { limits } = ctx.settings;
  if (!isSendable(phone, ctx.isDemo)) return fail({ code: "auth.bad_phone" });
  const token = randomId();
  const rules = sendingRules(ctx, address);
  const isClaimed = await rows.claimPhone(ctx.db, { phone, token, waitSeconds: limits.codeResendSeconds }, ctx.now());
  let isSent = false;
  try {
    const subject = { phone, since: plus(ctx.now(), -days(1)), newest: lowUse.among, keys: rules.map(({ key }) => key) };
    const state = await rows.sendingState(ctx.db, subject, ctx.now());
    const block = await blockOf(ctx.db, ctx, state.guard, input);
    if (block) return refuse(ctx, block.retryAfterSeconds);
    const isProofNeeded = !ctx.isDemo && lowUseOf(state.usedAmongNewest) !== null;
    if (isProofNeeded && !(input.proof && (await isValidProof(ctx, phone, input.proof))))
      return fail({ code: "auth.proof_needed", puzzle: puzzleFor(ctx, phone), bits: proofBits });
    if (!isClaimed) return refuse(ctx, await secondsUntilResend(ctx, phone));
    const waitSeconds = waitByPhoneLimits(ctx, state.sent);
    if (waitSeconds !== null) return refuse(ctx, waitSeconds);
    const result = findExhausted(rules, state.windows, ctx.now()) ?? (await consume(ctx, rules));
    raiseBudgetAlarms(ctx, rules, result);
    if (!result.isAllowed) return refuse(ctx, result.retryAfterSeconds);

    const code = String(randomInt(10 ** codeLength)).padStart(codeLength, "0");
    const canBeStored = timeForStatements() > timeToStoreCode;
    if (!canBeStored || !(await send(ctx, { to: phone, text: signInCodeText(ctx.settings.shop.name, code), address }))) {
      await withoutDeadline(() => undoCount(ctx, rules));
      return fail({ code: "auth.sms_unavailable" });
    }
    isSent = true; // from here on the waiting time applies, even if a later step fails
    const challenge = randomId();
    const now = ctx.now();
    await withoutDeadline(async () => {
      await rows.saveCode(ctx.db, {
        phone,
        codeHmac: codeHmac(ctx, phone, code),
        challengeHash: sha256(challenge),
        address: addressHash(ctx, address),
        createdAt: now,
        expiresAt: plus(now, seconds(limits.codeLifeSeconds)),
      });
      await alarmOnLowUse(ctx, lowUseOf(await rows.usedAmongNewest(ctx.db, lowUse.among)));
    });
    return done({ challenge, resendIn: limits.codeResendSeconds, expiresIn: limits.codeLifeSeconds });
  } finally {
    if (isClaimed && !isSent) await withoutDeadline(() => rows.releasePhone(ctx.db, phone, token));
  }
}

/** The stored form of a code: keyed with the server's secret and bound to its phone. */
export const codeHmac = (ctx: Ctx, phone: string, code: string): string => ctx.secrets.sign("sign-in-code", `${phone} ${code}`);

/** The stored form of a network address: a keyed hash, never the address itself. */
export const addressHash = (ctx: Ctx, address: string): string => ctx.secrets.sign("limits", address, 32);

/** Production sends to Russian mobile numbers only: +7 6xx and +7 7xx belong to another country and are a target of SMS pumping. */
const isSendable = (phone: string, isDemo: boolean): boolean => isPhone(phone) && (isDemo || phone.startsWith("+79"));

/**
 * Whether the phone is blocked for this browser: for a day after 15 wrong codes within 24 hours, and after 100 since the last sign-in.
 * A known device of the account is not blocked, so that an attacker cannot lock the customer out. This holds for a limited time after the
 * device's last use and for a limited number of its own wrong codes, which only a sign-in resets.
 */
export async function blockOf(
  db: Db,
  ctx: Ctx,
  guard: rows.Guard | null,
  { phone, deviceHash }: { phone: string; deviceHash: string | null },
): Promise<{ retryAfterSeconds: number } | null> {
  if (!guard) return null;
  const isBlocked = guard.barredUntil !== null && guard.barredUntil > ctx.now();
  if (!isBlocked && guard.wrongSinceSuccess < ctx.settings.limits.wrongCodesPerPhoneEver) return null;
  const customer = deviceHash === null ? null : await customers.byPhone(db, phone);
  const device = customer && deviceHash !== null ? await rows.findDevice(db, deviceHash, customer.id) : null;
  if (device && isTrusted(ctx, device)) return null;
  return { retryAfterSeconds: isBlocked && guard.barredUntil ? limitRows.secondsUntil(guard.barredUntil, ctx.now()) : day };
}

const isTrusted = (ctx: Ctx, { lastSeenAt, wrongTries }: rows.KnownDevice): boolean =>
  lastSeenAt > plus(ctx.now(), -days(ctx.settings.limits.knownDeviceDays)) && wrongTries < ctx.settings.limits.wrongCodesPerDevice;

function refuse(ctx: Ctx, retryAfterSeconds: number): { ok: false; error: AuthError } {
  ctx.log.info({ event: "auth.code_refused" });
  return fail({ code: "auth.too_many_codes", retryAfterSeconds });
}

/** A code that the request may have no time to store is not sent, milliseconds. */
const timeToStoreCode = 700;

/** Seconds until the next code may be sent to the phone. */
export async function secondsUntilResend(ctx: Ctx, phone: string): Promise<number> {
  const since = await rows.claimedAt(ctx.db, phone);
  return since ? limitRows.secondsUntil(plus(since, seconds(ctx.settings.limits.codeResendSeconds)), ctx.now()) : 1;
}

/** Seconds to wait by the limits per phone, in a sliding hour and a sliding day; null when a code may be sent. `sent`: newest first. */
function waitByPhoneLimits(ctx: Ctx, sent: readonly Date[]): number | null {
  const { codesPerPhoneHour, codesPerPhoneDay } = ctx.settings.limits;
  const now = ctx.now();
  const frees = (limit: number, span: number): number[] => {
    const blocking = sent.filter((moment) => moment > plus(now, -span))[limit - 1];
    return blocking ? [limitRows.secondsUntil(plus(blocking, span), now)] : [];
  };
  const waits = [...frees(codesPerPhoneHour, hours(1)), ...frees(codesPerPhoneDay, days(1))];
  return waits.length > 0 ? Math.max(...waits) : null;
}

/** The rows of the whole shop come last, because all requests contend for them. */
function sendingRules(ctx: Ctx, address: string): LimitRule[] {
  const { limits } = ctx.settings;
  return [
    { key: `codes:address:${addressHash(ctx, address)}`, windowSeconds: hour, limit: limits.codesPerAddressHour },
    { key: `codes:network:${addressHash(ctx, networkOf(address))}`, windowSeconds: hour, limit: limits.codesPerNetworkHour },
    ...smsBudgetRules(ctx),
  ];
}

/** Sends the SMS; false with a log entry for any fault of the gateway. */
async function send(ctx: Ctx, message: { to: string; text: string; address: string }): Promise<boolean> {
  try {
    notifications.alarmLowBalance(ctx, await ctx.gateways.sms.send(message));
    ctx.log.info({ event: "auth.code_sent" });
    return true;
  } catch (error) {
    ctx.log.warn({ event: "auth.code_not_sent", reason: error instanceof Error ? error.message : "unknown" });
    notifications.alarmAccountRefused(ctx, "sms", error);
    return false;
  }
}

/**
 * How many of the newest codes were used, if suspiciously few; else null. A proof of work is required only then, and never in demo mode.
 */
const lowUseOf = (used: number | null): number | null => (used === null || used >= lowUse.atLeast ? null : used);

async function alarmOnLowUse(ctx: Ctx, used: number | null): Promise<void> {
  if (used !== null && (await count(ctx, "codes:low-use-alarm", hour, 1))) ctx.alarm("sms.low_use", { used, of: lowUse.among });
}
