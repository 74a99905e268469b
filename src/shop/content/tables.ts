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
    /** What only one kind has: tags, minutes, related, facts, conditions, group, startsAt, endsAt. */
    extra: jsonb().notNull(),
    /** Moves with every change; the newest of all rows is the content's version. */
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    check("content_kind", sql`${t.kind} in ('news','training','case','promo','faq','page')`),
    primaryKey({ columns: [t.kind, t.id] }),
    index("content_by_slug").on(t.kind, t.slug),
  ],
);

/** Pages that live at an address of their own, of one to four segments: documents, and whatever the owner adds. Markdown with `{{PLACEHOLDER}}`s. */
export const sitePages = pgTable(
  "site_pages",
  {
    /** With the first slash and without the last: `/consent/order`. */
    path: text().primaryKey(),
    title: text().notNull(),
    /** For search engines; empty takes the beginning of the text. */
    description: text().notNull().default(""),
    body: text().notNull(),
    /** The address of the page above it, for the breadcrumbs; null stands below the front page. */
    parentPath: text(),
    /** Which edition of a document this is. */
    editedOn: date(),
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [check("site_pages_path", sql`${t.path} ~ '^(/[a-z0-9][a-z0-9._-]*){1,4}$'`)],
);

/** Addresses that lead elsewhere: of the site itself, or of the wide world. */
export const redirects = pgTable(
  "redirects",
  {
    path: text().primaryKey(),
    /** A path of ours, or a whole https address; may be one `{{PLACEHOLDER}}`. */
    target: text().notNull(),
    isExternal: boolean().notNull().default(false),
    isPermanent: boolean().notNull().default(true),
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [check("redirects_path", sql`${t.path} ~ '^(/[a-z0-9][a-z0-9._-]*){1,4}$'`)],
);
