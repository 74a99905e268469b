import { inTransaction } from "#kit/db.ts";
import { fromMoscow, moscow } from "#kit/moscow-time.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import { workingDayAfter } from "#shop/working-hours.ts";
import type { PrivacyRequest, PrivacyRequestError } from "./privacy-request.ts";
import * as rows from "./privacy-requests.repository.ts";

const pageSize = 50;
export type PrivacyCursor = { dueOn: string; id: number };

/** One page of the register: open requests by the day they are due, done ones newest first. */
export async function list(
  ctx: Ctx,
  state: PrivacyRequest["state"],
  after: PrivacyCursor | null,
): Promise<{ items: PrivacyRequest[]; next: PrivacyCursor | null }> {
  const found = await rows.ofState(ctx.db, state, after, pageSize + 1);
  const items = found.slice(0, pageSize);
  const last = items.at(-1);
  return { items, next: last && found.length > items.length ? { dueOn: last.dueOn, id: last.id } : null };
}

/** Open requests, those that are due first; their number stops at `limit`. */
export const waiting = (ctx: Ctx, limit: number): Promise<PrivacyRequest[]> => rows.ofState(ctx.db, "open", null, limit);

type NewPrivacyRequest = Pick<PrivacyRequest, "kind" | "applicant" | "contact" | "text" | "customerId" | "receivedOn">;

/**
 * Enters a request about personal data into the register. The answer is due within ten working days of its receipt
 * (152-FZ of 27.07.2006, article 20, part 1, as amended by 266-FZ of 14.07.2022).
 * Refuses with `privacy_request.from_future` when the day of receipt is yet to come.
 */
export function add(
  ctx: Ctx,
  request: NewPrivacyRequest,
  enteredBy: string,
): Promise<Result<PrivacyRequest, Exclude<PrivacyRequestError, { code: "staff.stale" }>>> {
  return inTransaction(ctx.db, async (tx) => {
    if (request.receivedOn > moscow(ctx.now()).date) return fail({ code: "privacy_request.from_future" });
    const { market, limits } = ctx.settings;
    const dueOn = workingDayAfter(market, fromMoscow(request.receivedOn), limits.privacyRequestWorkingDays);
    return done(await rows.insert(tx, { ...request, dueOn, enteredBy, state: "open" }));
  });
}

/** Marks a request as answered. Refuses with `privacy_request.not_found`, and with `staff.stale` when it was changed meanwhile. */
export function finish(
  ctx: Ctx,
  { id, revision }: { id: number; revision: number },
  { outcome, doneBy }: { outcome: string; doneBy: string },
): Promise<Result<PrivacyRequest, PrivacyRequestError>> {
  return inTransaction(ctx.db, async (tx) => {
    const before = await rows.lock(tx, id);
    if (!before) return fail({ code: "privacy_request.not_found" });
    if (before.revision !== revision || before.state === "done") return fail({ code: "staff.stale", current: before });
    return done(await rows.finish(tx, id, { outcome, doneBy, doneAt: ctx.now() }));
  });
}
