import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

// The migration makes these tables UNLOGGED: they are written often, and a crash of the database may empty them.

/** The running processes of the shop. */
export const processes = pgTable("processes", {
  id: text().primaryKey(),
  seenAt: timestamp({ withTimezone: true }).notNull(),
});

/**
 * What all processes together have used of a rate limit: the moment at which it is whole again. `key` names the limit, its subject is
 * hashed.
 */
export const rateBuckets = pgTable("rate_buckets", {
  key: text().primaryKey(),
  fullAt: timestamp({ withTimezone: true }).notNull(),
});

/** How many event streams a process has open for a visitor or an address (hashed). */
export const openStreams = pgTable(
  "open_streams",
  { process: text().notNull(), key: text().notNull(), count: integer().notNull() },
  (t) => [
    primaryKey({ columns: [t.key, t.process] }),
    index("open_streams_by_process").on(t.process),
    check("open_streams_count", sql`${t.count} >= 0`),
  ],
);
