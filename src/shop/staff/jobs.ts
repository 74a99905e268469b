import { days, hours, minutes, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { expire } from "./approvals/service.ts";
import { deleteOld } from "./calls/service.ts";
import { removeOldChallenges } from "./sign-in/factors.repository.ts";
import { removeOld as removeOldFailures } from "./sign-in/failures.repository.ts";
import { removeOld as removeOldInvitations } from "./people/invitations.repository.ts";
import { removeEnded } from "./sign-in/sessions.repository.ts";

/** Deletes what has ended: sessions, stored answers, challenges, counters of failures, invitations; closes approvals whose time is over. */
async function deleteEnded(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  const { staffIdleHours, staffSessionHours, staffCallKeyHours } = ctx.settings.limits;
  await removeEnded(ctx.db, plus(now, -hours(staffIdleHours)), plus(now, -hours(staffSessionHours)));
  await deleteOld(ctx.db, plus(now, -hours(staffCallKeyHours)));
  await removeOldChallenges(ctx.db, plus(now, -minutes(10)));
  await removeOldFailures(ctx.db, now);
  await removeOldInvitations(ctx.db, plus(now, -days(1)));
  await expire(ctx);
}

export const sweeps = { "staff.ended": { everySeconds: 600, run: deleteEnded } };
