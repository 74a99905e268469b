import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";

/** What editing adds to a text: whether visitors see it, what was saved and is not published yet, and when that changes. */
const editing = {
  isPublished: boolean().notNull().default(true),
  /** The saved data of a published text that visitors do not see yet; null: none. An unpublished text holds its data in its own columns. */
  draft: jsonb(),
  /** When the sweep publishes the text, or its draft. */
  publishAt: timestamp({ withTimezone: true }),
  /** When the sweep takes the text down. */
  unpublishAt: timestamp({ withTimezone: true }),
  revision: integer().notNull().default(0),
};

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
    /** Set by every change that visitors see; the newest of all rows is the content's version. */
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    ...editing,
  },
  (t) => [
    check("content_kind", sql`${t.kind} in ('news','training','case','promo','faq','page')`),
    primaryKey({ columns: [t.kind, t.id] }),
    index("content_by_slug").on(t.kind, t.slug),
    uniqueIndex("content_slug_once").on(t.kind, t.slug),
    index("content_due")
      .on(t.publishAt)
      .where(sql`${t.publishAt} is not null`),
    index("content_down_due")
      .on(t.unpublishAt)
      .where(sql`${t.unpublishAt} is not null`),
  ],
);

/** Pages with their own address of one to four segments: documents, and whatever the owner adds. Markdown with `{{PLACEHOLDER}}`s. */
export const sitePages = pgTable(
  "site_pages",
  {
    /** With a leading slash and without a trailing one: `/consent/order`. */
    path: text().primaryKey(),
    id: integer().notNull().generatedByDefaultAsIdentity(),
    title: text().notNull(),
    /** For search engines; if empty, the beginning of the text is used. */
    description: text().notNull().default(""),
    body: text().notNull(),
    /** The address of the page above it, for the breadcrumbs; null: below the home page. */
    parentPath: text(),
    /** The day of a document's edition. */
    editedOn: date(),
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    ...editing,
  },
  (t) => [unique("site_pages_id").on(t.id), check("site_pages_path", sql`${t.path} ~ '^(/[a-z0-9][a-z0-9._-]*){1,4}$'`)],
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
    /** Made when a published address was renamed. */
    isAutomatic: boolean().notNull().default(false),
    revision: integer().notNull().default(0),
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [check("redirects_path", sql`${t.path} ~ '^(/[a-z0-9][a-z0-9._-]*){1,4}$'`)],
);

/** The parts of the site that are data: the blocks of the home page, banners, menus, groups of questions. One row each. */
export const siteParts = pgTable(
  "site_parts",
  {
    kind: text().primaryKey(),
    /** As the schemas in site/parts.ts. */
    data: jsonb().notNull(),
    updatedAt: timestamp({ withTimezone: true }).notNull().defaultNow(),
    draft: jsonb(),
    publishAt: timestamp({ withTimezone: true }),
    revision: integer().notNull().default(0),
  },
  (t) => [check("site_parts_kind", sql`${t.kind} in ('home','banner','menu','questions','films','pages')`)],
);

/** Every saved version of a text or a part of the site, append-only: triggers refuse update, delete and truncate. */
export const contentVersions = pgTable(
  "content_versions",
  {
    /** `news`, `document`, `home`. */
    kind: text().notNull(),
    id: integer().notNull(),
    revision: integer().notNull(),
    /** What happened: saved, scheduled, published, taken_down, restored. */
    event: text().notNull(),
    data: jsonb().notNull(),
    /** As `actorText` writes it, `staff:ivanova`. */
    actor: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.id, t.revision] }),
    check("content_versions_event", sql`${t.event} in ('saved','scheduled','published','taken_down','restored')`),
  ],
);
