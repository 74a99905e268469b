import { sql } from "drizzle-orm";
import { bigserial, check, integer, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { coins } from "#shop/catalog/tables.ts";

export const listEntries = pgTable(
  "list_entries",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    owner: text().notNull(),
    list: text().notNull(),
    coinId: integer()
      .notNull()
      .references(() => coins.id),
    addedAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [
    check("list_entries_list", sql`${t.list} in ('wishlist','compare')`),
    uniqueIndex("list_entries_once").on(t.owner, t.list, t.coinId),
  ],
);
