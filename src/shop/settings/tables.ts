import { bigint, index, integer, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Settings that staff changed, one row for each group. Groups without a row follow the settings file and the defaults. */
export const settings = pgTable("settings", {
  key: text().primaryKey(),
  /** The group's values; null: the group follows the file again. */
  value: jsonb(),
  revision: integer().notNull(),
  /** As `actorText` writes it, `staff:ivanova`. */
  changedBy: text().notNull(),
  changedAt: timestamp({ withTimezone: true }).notNull(),
});

/** Every change of a group, append-only: a trigger refuses update, delete and truncate. */
export const settingsHistory = pgTable(
  "settings_history",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    key: text().notNull(),
    /** The revision that this change made. */
    revision: integer().notNull(),
    before: jsonb(),
    after: jsonb(),
    changedBy: text().notNull(),
    changedAt: timestamp({ withTimezone: true }).notNull(),
    /** The revision whose values this change brought back. */
    restored: integer(),
  },
  (t) => [index("settings_history_by_key").on(t.key, t.id.desc())],
);
