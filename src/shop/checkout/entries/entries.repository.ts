import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { Db } from "#kit/db.ts";
import type { OwnerKey } from "#shop/context.ts";
import { entriesSchema, type CheckoutEntries } from "./entries.ts";
import { checkoutDrafts } from "../tables.ts";

export async function find(db: Db, owner: OwnerKey, now: Date): Promise<CheckoutEntries> {
  const [row] = await db
    .select({ entries: checkoutDrafts.entries })
    .from(checkoutDrafts)
    .where(and(eq(checkoutDrafts.owner, owner), gt(checkoutDrafts.expiresAt, now)));
  return entriesSchema.parse(row?.entries ?? {});
}

/** Merges in one statement, so that concurrent submits do not overwrite each other. Expired entries are replaced as a whole. */
export async function merge(db: Db, owner: OwnerKey, patch: CheckoutEntries, at: { now: Date; expiresAt: Date }): Promise<void> {
  const { entries, expiresAt } = checkoutDrafts;
  await db
    .insert(checkoutDrafts)
    .values({ owner, entries: patch, expiresAt: at.expiresAt })
    .onConflictDoUpdate({
      target: checkoutDrafts.owner,
      set: {
        entries: sql`case when ${expiresAt} > ${at.now.toISOString()}::timestamptz
          then ${entries} || excluded.entries else excluded.entries end`,
        expiresAt: at.expiresAt,
      },
    });
}

export async function remove(db: Db, owner: OwnerKey): Promise<void> {
  await db.delete(checkoutDrafts).where(eq(checkoutDrafts.owner, owner));
}

export async function removeExpired(db: Db, now: Date): Promise<void> {
  await db.delete(checkoutDrafts).where(lte(checkoutDrafts.expiresAt, now));
}
