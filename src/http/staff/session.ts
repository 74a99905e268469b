import * as contract from "#contract/staff/session.ts";
import { done } from "#kit/result.ts";
import * as people from "#shop/staff/people.service.ts";
import * as sessions from "#shop/staff/sessions.service.ts";
import { staffChange, staffRead, type StaffEndpoint } from "./endpoint.ts";
import { meView } from "./views.ts";

/** The caller's own session. */
export const sessionEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readMe, async (ctx, { staff, session }) => done(meView(ctx, staff, session, await people.factors(ctx, staff.id)))),

  staffChange(contract.signOut, {
    change: async (ctx, { staff, session, audit, setSession }) => {
      await sessions.endSession(ctx.db, staff.id, session.id);
      audit({ subject: `staff:${staff.login}` });
      setSession(null);
      return done(true as const);
    },
  }),
];
