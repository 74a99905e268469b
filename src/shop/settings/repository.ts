import { and, asc, desc, eq, lt, sql } from "drizzle-orm";
import type { Db, Expression, Tx } from "#kit/db.ts";
import { settings, settingsHistory } from "./tables.ts";

export type StoredGroup = typeof settings.$inferSelect;
export type StoredChange = typeof settingsHistory.$inferSelect;

/** Key and revision of each stored group as one text: small enough to be read every second. */
export const revisions: Expression = sql`(select coalesce(string_agg(key || ':' || revision, ' ' order by key), '') from settings)`;

export const readAll = (db: Db): Promise<StoredGroup[]> => db.select().from(settings).orderBy(asc(settings.key));

export async function find(db: Db, key: string): Promise<StoredGroup | null> {
  const [row] = await db.select().from(settings).where(eq(settings.key, key));
  return row ?? null;
}

/** Stores the next revision of a group; false when another one than `row.revision - 1` is stored. */
export async function save(tx: Tx, row: StoredGroup): Promise<boolean> {
  const { key, ...change } = row;
  const saved =
    row.revision === 1
      ? await tx.insert(settings).values(row).onConflictDoNothing().returning({ key: settings.key })
      : await tx
          .update(settings)
          .set(change)
          .where(and(eq(settings.key, key), eq(settings.revision, row.revision - 1)))
          .returning({ key: settings.key });
  return saved.length > 0;
}

export async function appendChange(tx: Tx, change: Omit<StoredChange, "id">): Promise<void> {
  await tx.insert(settingsHistory).values(change);
}

/** Newest first; `before`: the revision of the last one of the page before. */
export const changes = (db: Db, key: string, { before, limit }: { before: number | null; limit: number }): Promise<StoredChange[]> =>
  db
    .select()
    .from(settingsHistory)
    .where(and(eq(settingsHistory.key, key), before === null ? undefined : lt(settingsHistory.revision, before)))
    .orderBy(desc(settingsHistory.id))
    .limit(limit);

export async function findChange(db: Db, key: string, revision: number): Promise<StoredChange | null> {
  const [row] = await db
    .select()
    .from(settingsHistory)
    .where(and(eq(settingsHistory.key, key), eq(settingsHistory.revision, revision)));
  return row ?? null;
}
