import { date, integer, jsonb, pgTable, primaryKey, text, boolean, index } from "drizzle-orm/pg-core";

/** News, training articles, cases, promos, questions and plain pages: Markdown with `{{PLACEHOLDER}}`s. */
export const contentEntries = pgTable("content_entries", {
  kind: text().notNull(),
  id: integer().notNull(),
  slug: text().notNull(),
  title: text().notNull(),
  lead: text().notNull(),
  body: text().notNull(),
  publishedOn: date(),
  position: integer().notNull(),
  isDemo: boolean().notNull().default(false),
  /** What only one kind has: tags, minutes, related, group, startsAt, endsAt. */
  extra: jsonb().notNull(),
}, (t) => [primaryKey({ columns: [t.kind, t.id] }), index("content_by_slug").on(t.kind, t.slug)]);

export const contentReviews = pgTable("content_reviews", {
  id: integer().primaryKey(),
  name: text().notNull(),
  city: text().notNull(),
  writtenOn: date().notNull(),
  rating: integer().notNull(),
  coinSlug: text(),
  body: text().notNull(),
  isDemo: boolean().notNull(),
});
