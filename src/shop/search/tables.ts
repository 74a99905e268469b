import { pgTable, text } from "drizzle-orm/pg-core";

/** Synonyms: a query with `phrase` also finds what `meaning` finds. Staff can add rows. */
export const searchSynonyms = pgTable("search_synonyms", {
  phrase: text().primaryKey(),
  meaning: text().notNull(),
});
