/** Writes this module's tables for the seed. No other code imports it. */
import type { Tx } from "#kit/db.ts";
import { whereItDiffers } from "#kit/upsert.ts";
import { reviews } from "./tables.ts";

/** Adds sample reviews and updates existing ones; the decision of staff and the author's data are not changed. */
export async function writeReviews(tx: Tx, list: readonly (typeof reviews.$inferInsert)[]): Promise<void> {
  await tx
    .insert(reviews)
    .values([...list])
    .onConflictDoUpdate({ target: reviews.id, ...whereItDiffers(reviews, ["id", "state", "email", "isSuspect", "decidedAt"]) });
}
