import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/** News, training articles, cases, promos, questions and plain pages: Markdown with `{{PLACEHOLDER}}`s. */
export const contentEntries = pgTable(
  "content_entries",
  {
    kind: text().notNull(),
    id: integer().notNull(),
    slug: text().notNull(),
    title: text().notNull(),
    lead: text().notNull(),
    body: text().notNull(),
    publishedOn: date(),
    position: integer().notNull(),
    isDemo: boolean().notNull().default(false),
    /** Fields that only one kind has: tags, minutes, related, facts, conditions, group, startsAt, endsAt. */
    extra: jsonb().notNull(),
    /** Set by every change; the newest of all rows is the content's version. */
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    check("content_kind", sql`${t.kind} in ('news','training','case','promo','faq','page')`),
    primaryKey({ columns: [t.kind, t.id] }),
    index("content_by_slug").on(t.kind, t.slug),
  ],
);

/** Pages with their own address of one to four segments: documents, and whatever the owner adds. Markdown with `{{PLACEHOLDER}}`s. */
export const sitePages = pgTable(
  "site_pages",
  {
    /** With a leading slash and without a trailing one: `/consent/order`. */
    path: text().primaryKey(),
    title: text().notNull(),
    /** For search engines; if empty, the beginning of the text is used. */
    description: text().notNull().default(""),
    body: text().notNull(),
    /** The address of the page above it, for the breadcrumbs; null: below the home page. */
    parentPath: text(),
    /** The day of a document's edition. */
    editedOn: date(),
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [check("site_pages_path", sql`${t.path} ~ '^(/[a-z0-9][a-z0-9._-]*){1,4}$'`)],
);

/** Redirects, to a path of the site or to another site. */
export const redirects = pgTable(
  "redirects",
  {
    path: text().primaryKey(),
    /** A path of the site, or a whole https address; may be one `{{PLACEHOLDER}}`. */
    target: text().notNull(),
    isExternal: boolean().notNull().default(false),
    isPermanent: boolean().notNull().default(true),
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [check("redirects_path", sql`${t.path} ~ '^(/[a-z0-9][a-z0-9._-]*){1,4}$'`)],
);
