import { randomId } from "#kit/ids.ts";
import { sha256 } from "#kit/security/secrets.ts";
import { minutes, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import * as rows from "./factors.repository.ts";

const lifeMs = minutes(5);

/**
 * A challenge for a passkey. It is signed and not stored, so that visitors cannot fill the database. `use` binds it to one purpose:
 * `sign-in`, `step-up 17`.
 */
export function issueChallenge({ secrets, now }: Pick<Ctx, "secrets" | "now">, use: string): string {
  const text = `${randomId()}.${plus(now(), lifeMs).getTime()}`;
  return Buffer.from(`${text}.${secrets.sign("staff", `challenge ${use} ${text}`, 32)}`).toString("base64url");
}

/** Whether a challenge was issued for this use, is fresh, and is used for the first time. */
export async function consumeChallenge(ctx: Pick<Ctx, "db" | "secrets" | "now">, use: string, challenge: string): Promise<boolean> {
  const [id = "", expires = "", signature = ""] = Buffer.from(challenge, "base64url").toString("utf8").split(".");
  const isOurs = ctx.secrets.isSigned("staff", `challenge ${use} ${id}.${expires}`, signature, 32);
  if (!isOurs || Number(expires) <= ctx.now().getTime()) return false;
  return rows.insertChallenge(ctx.db, sha256(challenge), ctx.now());
}
