import { inTransaction } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import * as rows from "./notes.repository.ts";
import { maxSavedViews, type SavedView } from "./order-list.ts";

type ViewError = { code: "staff.not_found" } | { code: "staff.name_taken" } | { code: "staff.too_many"; limit: number };

/** The saved views of a member of staff, in the order that they have chosen. */
export const savedViews = (ctx: Ctx, login: string): Promise<SavedView[]> => rows.views(ctx.db, login);

/** Saves a view at the end of the list. Refuses with `staff.name_taken` and `staff.too_many`. */
export function addView(ctx: Ctx, login: string, view: Omit<SavedView, "id">): Promise<Result<SavedView[], ViewError>> {
  return inTransaction(ctx.db, async (tx) => {
    if ((await rows.views(tx, login)).length >= maxSavedViews) return fail({ code: "staff.too_many", limit: maxSavedViews });
    if ((await rows.addView(tx, login, view)) === null) return fail({ code: "staff.name_taken" });
    return done(await rows.views(tx, login));
  });
}

/** Renames an own view, or gives it another filter or other columns. Refuses with `staff.not_found` and `staff.name_taken`. */
export function changeView(
  ctx: Ctx,
  login: string,
  id: number,
  change: Partial<Omit<SavedView, "id">>,
): Promise<Result<SavedView[], ViewError>> {
  return inTransaction(ctx.db, async (tx) => {
    if (change.name !== undefined && (await rows.isNameTaken(tx, login, change.name, id))) return fail({ code: "staff.name_taken" });
    return (await rows.saveView(tx, login, id, change)) ? done(await rows.views(tx, login)) : fail({ code: "staff.not_found" });
  });
}

/** Deletes an own view. Refuses with `staff.not_found`. */
export function deleteView(ctx: Ctx, login: string, id: number): Promise<Result<SavedView[], ViewError>> {
  return inTransaction(ctx.db, async (tx) =>
    (await rows.deleteView(tx, login, id)) ? done(await rows.views(tx, login)) : fail({ code: "staff.not_found" }),
  );
}

/** Puts the own views into this order. Ids of others are ignored. */
export function orderViews(ctx: Ctx, login: string, ids: readonly number[]): Promise<SavedView[]> {
  return inTransaction(ctx.db, async (tx) => {
    await rows.orderViews(tx, login, ids);
    return rows.views(tx, login);
  });
}
