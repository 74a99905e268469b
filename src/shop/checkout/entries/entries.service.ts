import { hours, plus } from "#kit/time.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import type { CheckoutEntries } from "./entries.ts";
import * as rows from "./entries.repository.ts";

/** What this owner has entered in the checkout without scripts; empty after it has expired. */
export const readEntries = (ctx: Ctx, owner: OwnerKey): Promise<CheckoutEntries> => rows.find(ctx.db, owner, ctx.now());

/** Stores the parts in `patch` and leaves the others. Each change extends the life of the whole by `checkoutDraftHours`. */
export const saveEntries = (ctx: Ctx, owner: OwnerKey, patch: CheckoutEntries): Promise<void> =>
  rows.merge(ctx.db, owner, patch, { now: ctx.now(), expiresAt: plus(ctx.now(), hours(ctx.settings.limits.checkoutDraftHours)) });

/** Deletes what the owner entered, when the order is made or the account is deleted. */
export const deleteEntries = (ctx: Pick<Ctx, "db">, owner: OwnerKey): Promise<void> => rows.remove(ctx.db, owner);

/** Deletes entries whose time is over. Idempotent; for the sweep. */
export const deleteExpiredEntries = (ctx: Ctx): Promise<void> => rows.removeExpired(ctx.db, ctx.now());
