import type { Tx } from "#kit/db.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import type { AuditEvent, Origin } from "./audit.ts";
import * as rows from "./repository.ts";

/**
 * Appends an entry about what `ctx.actor` did, in the transaction of the change, so that neither exists without the other.
 * Throws when the entry cannot be written.
 */
export const record = (
  tx: Tx,
  ctx: Pick<Ctx, "actor" | "now">,
  action: string,
  event: AuditEvent,
  from: { origin: Origin | null; approvalId: string | null },
): Promise<void> => rows.append(tx, { ...event, ...from, action, actor: actorText(ctx.actor), at: ctx.now() });
