import { done, fail, type Result } from "#kit/result.ts";
import { sha256 } from "#kit/security/secrets.ts";
import { minutes, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as rows from "./failures.repository.ts";

/** Who tries to sign in: an account by its mailbox, or null where none was named, and a network address. */
export type SignInAttempt = { email: string | null; address: string };

const keysOf = ({ email, address }: SignInAttempt): string[] =>
  [...(email === null ? [] : [`account ${email}`]), `address ${address}`].map(sha256).toSorted();

/**
 * Counts an attempt before it is checked, so that parallel ones cannot exceed the limit. Refuses when account or address have as many
 * failures as `staffFailures`; both open again `staffClosedMinutes` after the last counted one. Unknown accounts count like known ones.
 */
export async function countAttempt(
  ctx: Ctx,
  attempt: SignInAttempt,
): Promise<Result<null, { code: "staff.sign_in_closed"; retryAfterSeconds: number }>> {
  const { staffFailures, staffClosedMinutes } = ctx.settings.limits;
  const now = ctx.now();
  const counted: string[] = [];
  for (const key of keysOf(attempt)) {
    const opensAt = await rows.count(ctx.db, { key, limit: staffFailures, now, forgetAt: plus(now, minutes(staffClosedMinutes)) });
    if (opensAt) {
      await rows.uncount(ctx.db, counted);
      return fail({ code: "staff.sign_in_closed", retryAfterSeconds: Math.ceil((opensAt.getTime() - now.getTime()) / 1000) });
    }
    counted.push(key);
  }
  return done(null);
}

/**
 * Takes back what `countAttempt` counted for an attempt that succeeded; the account's failures before are forgotten, those of the address
 * are not.
 */
export async function forgetAttempt(ctx: Ctx, { email, address }: SignInAttempt): Promise<void> {
  if (email !== null) await rows.remove(ctx.db, sha256(`account ${email}`));
  await rows.uncount(ctx.db, [sha256(`address ${address}`)]);
}
