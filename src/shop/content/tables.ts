import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

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
  /** What only one kind has: tags, minutes, related, facts, conditions, group, startsAt, endsAt. */
  extra: jsonb().notNull(),
  /** Moves with every change; the newest of all rows is the content's version. */
  updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
}, (t) => [
  check("content_kind", sql`${t.kind} in ('news','training','case','promo','faq','page')`),
  primaryKey({ columns: [t.kind, t.id] }), index("content_by_slug").on(t.kind, t.slug),
]);

export const contentReviews = pgTable("content_reviews", {
  id: integer().primaryKey(),
  name: text().notNull(),
  city: text().notNull(),
  writtenOn: date().notNull(),
  rating: integer().notNull(),
  coinSlug: text(),
  body: text().notNull(),
  isDemo: boolean().notNull(),
  updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
});
