import type { Db, Tx } from "#kit/db.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { withoutContacts, type AuditEntry, type AuditEvent, type AuditFilter, type Origin } from "./audit.ts";
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
): Promise<void> => rows.append(tx, { ...withoutContacts(event), ...from, action, actor: actorText(ctx.actor), at: ctx.now() });

/**
 * Appends an entry for each of many subjects of one change, whose own entry says where the request came from. In the transaction of the
 * change.
 */
export const recordAll = (tx: Tx, ctx: Pick<Ctx, "actor" | "now">, action: string, events: readonly AuditEvent[]): Promise<void> =>
  rows.appendAll(
    tx,
    events.map((event) => ({ ...withoutContacts(event), action, actor: actorText(ctx.actor), at: ctx.now(), approvalId: null })),
  );

/** Entries that a filter finds, newest first. `before`: the id of the last entry of the page before. */
export const list = (db: Db, filter: AuditFilter, page: { before: number | null; limit: number }): Promise<AuditEntry[]> =>
  rows.list(db, filter, page);
