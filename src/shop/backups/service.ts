import { days, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { isUnproven } from "./proof.ts";
import * as rows from "./repository.ts";

/**
 * Raises `backup.unproven` when the backup was not restored and checked for `backupProofHours`, or never; not in a demo, which has no
 * backup. Deletes proofs after `recordDays`. For the sweep: raised again at each run until there is a proof.
 */
export async function watch(ctx: Ctx): Promise<void> {
  const { backupProofHours, recordDays } = ctx.settings.limits;
  await rows.deleteBefore(ctx.db, plus(ctx.now(), -days(recordDays)));
  if (ctx.isDemo) return;
  const last = await rows.last(ctx.db);
  if (isUnproven(last, ctx.now(), backupProofHours)) ctx.alarm("backup.unproven", { provedAt: last?.provedAt.toISOString() ?? "" });
}
