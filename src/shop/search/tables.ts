import { pgTable, text } from "drizzle-orm/pg-core";

/** What buyers say and what the catalogue calls it: a query with `phrase` also finds what `meaning` finds. Staff add rows, no code. */
export const searchSynonyms = pgTable("search_synonyms", {
  phrase: text().primaryKey(),
  meaning: text().notNull(),
});
