import { and, asc, count, eq, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#kit/db.ts";
import type { ContentKind, EntrySummary, Redirect } from "./entry.ts";
import { contentEntries, redirects, sitePages } from "./tables.ts";

export type StoredEntry = EntrySummary & { body: string };

const extraShape = z
  .object({
    tags: z.array(z.string()),
    minutes: z.number(),
    related: z.array(z.string()),
    facts: z.array(z.string()),
    conditions: z.array(z.string()),
    group: z.string(),
    startsAt: z.string(),
    endsAt: z.string(),
  })
  .partial();

type Row = typeof contentEntries.$inferSelect;
const toEntry = ({ updatedAt: _updatedAt, position: _position, ...row }: Row): StoredEntry => ({
  ...row,
  kind: row.kind as ContentKind,
  extra: extraShape.parse(row.extra),
});

const visible = (withDemo: boolean): SQL | undefined => (withDemo ? undefined : eq(contentEntries.isDemo, false));
const newestFirst = [sql`${contentEntries.publishedOn} desc nulls last`, asc(contentEntries.position), asc(contentEntries.id)];

export async function readList(
  db: Db,
  kind: ContentKind,
  withDemo: boolean,
  range?: { limit: number; offset: number },
): Promise<StoredEntry[]> {
  const query = db
    .select()
    .from(contentEntries)
    .where(and(eq(contentEntries.kind, kind), visible(withDemo)))
    .orderBy(...newestFirst);
  return (await (range ? query.limit(range.limit).offset(range.offset) : query)).map(toEntry);
}

export async function countList(db: Db, kind: ContentKind, withDemo: boolean): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(contentEntries)
    .where(and(eq(contentEntries.kind, kind), visible(withDemo)));
  return row?.n ?? 0;
}

export async function readBySlug(db: Db, kind: ContentKind, slug: string, withDemo: boolean): Promise<StoredEntry | null> {
  const [row] = await db
    .select()
    .from(contentEntries)
    .where(and(eq(contentEntries.kind, kind), eq(contentEntries.slug, slug), visible(withDemo)));
  return row ? toEntry(row) : null;
}

export async function readById(db: Db, kind: ContentKind, id: number, withDemo: boolean): Promise<StoredEntry | null> {
  const [row] = await db
    .select()
    .from(contentEntries)
    .where(and(eq(contentEntries.kind, kind), eq(contentEntries.id, id), visible(withDemo)));
  return row ? toEntry(row) : null;
}

export async function readAll(db: Db, withDemo: boolean): Promise<StoredEntry[]> {
  return (await db.select().from(contentEntries).where(visible(withDemo)).orderBy(asc(contentEntries.kind), asc(contentEntries.id))).map(
    toEntry,
  );
}

export type StoredPage = Omit<typeof sitePages.$inferSelect, "updatedAt">;

export async function readSitePage(db: Db, path: string): Promise<StoredPage | null> {
  const [row] = await db.select().from(sitePages).where(eq(sitePages.path, path));
  return row ?? null;
}

export function readSitePages(db: Db): Promise<StoredPage[]> {
  return db.select().from(sitePages).orderBy(asc(sitePages.path));
}

export async function readRedirect(db: Db, path: string): Promise<Redirect | null> {
  const { target, isExternal, isPermanent } = redirects;
  const [row] = await db.select({ target, isExternal, isPermanent }).from(redirects).where(eq(redirects.path, path));
  return row ?? null;
}

/** A short version string that changes with each edit. */
export async function readVersion(db: Db): Promise<string> {
  const [row] = await db
    .select({ version: sql<string>`coalesce(max(${contentEntries.updatedAt})::text, '') || '/' || count(*)` })
    .from(contentEntries);
  return row?.version ?? "";
}
