/** How the seed writes this module's tables; nothing else imports it. */
import type { Tx } from "#kit/db.ts";
import { whereItDiffers } from "#kit/upsert.ts";
import { reviews } from "./tables.ts";

/** Adds sample reviews and brings known ones up to date; the decision of staff and what is stored about the author stay. */
export async function writeReviews(tx: Tx, list: readonly (typeof reviews.$inferInsert)[]): Promise<void> {
  await tx
    .insert(reviews)
    .values([...list])
    .onConflictDoUpdate({ target: reviews.id, ...whereItDiffers(reviews, ["id", "state", "email", "isSuspect", "decidedAt"]) });
}
