import { and, asc, count, eq, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#kit/db.ts";
import { tableVersion } from "#kit/table-version.ts";
import type { ContentKind, EntrySummary, Redirect } from "./entry.ts";
import { emptyParts, type PartData, type PartKind } from "./site/parts.ts";
import { contentEntries, redirects, sitePages, siteParts } from "./tables.ts";

export type StoredText = EntrySummary & { body: string };

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
    cover: z.object({ picture: z.string(), alt: z.string() }),
  })
  .partial();

type Row = typeof contentEntries.$inferSelect;
const toEntry = ({ kind, id, slug, title, lead, body, publishedOn, isDemo, extra }: Row): StoredText => ({
  kind: kind as ContentKind,
  id,
  slug,
  title,
  lead,
  body,
  publishedOn,
  isDemo,
  extra: extraShape.parse(extra),
});

/** What visitors see: published texts, and invented samples in a demo only. */
const visible = (withDemo: boolean): SQL | undefined =>
  and(eq(contentEntries.isPublished, true), withDemo ? undefined : eq(contentEntries.isDemo, false));
const newestFirst = [sql`${contentEntries.publishedOn} desc nulls last`, asc(contentEntries.position), asc(contentEntries.id)];

export async function readList(
  db: Db,
  kind: ContentKind,
  withDemo: boolean,
  range?: { limit: number; offset: number },
): Promise<StoredText[]> {
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

export async function readBySlug(db: Db, kind: ContentKind, slug: string, withDemo: boolean): Promise<StoredText | null> {
  const [row] = await db
    .select()
    .from(contentEntries)
    .where(and(eq(contentEntries.kind, kind), eq(contentEntries.slug, slug), visible(withDemo)));
  return row ? toEntry(row) : null;
}

export async function readById(db: Db, kind: ContentKind, id: number, withDemo: boolean): Promise<StoredText | null> {
  const [row] = await db
    .select()
    .from(contentEntries)
    .where(and(eq(contentEntries.kind, kind), eq(contentEntries.id, id), visible(withDemo)));
  return row ? toEntry(row) : null;
}

export async function readAll(db: Db, withDemo: boolean): Promise<StoredText[]> {
  return (await db.select().from(contentEntries).where(visible(withDemo)).orderBy(asc(contentEntries.kind), asc(contentEntries.id))).map(
    toEntry,
  );
}

const { path, title, description, body, parentPath, editedOn } = sitePages;
const pageColumns = { path, title, description, body, parentPath, editedOn };
export type StoredPage = Pick<typeof sitePages.$inferSelect, keyof typeof pageColumns>;

export async function readSitePage(db: Db, path: string): Promise<StoredPage | null> {
  const [row] = await db
    .select(pageColumns)
    .from(sitePages)
    .where(and(eq(sitePages.path, path), eq(sitePages.isPublished, true)));
  return row ?? null;
}

export function readSitePages(db: Db): Promise<StoredPage[]> {
  return db.select(pageColumns).from(sitePages).where(eq(sitePages.isPublished, true)).orderBy(asc(sitePages.path));
}

export async function readRedirect(db: Db, path: string): Promise<Redirect | null> {
  const { target, isExternal, isPermanent } = redirects;
  const [row] = await db.select({ target, isExternal, isPermanent }).from(redirects).where(eq(redirects.path, path));
  return row ?? null;
}

/** A short version string that changes with each edit that visitors see: of texts, pages, redirects and parts of the site. */
export async function readVersion(db: Db): Promise<string> {
  const parts = sql.join([contentEntries, sitePages, redirects, siteParts].map(tableVersion), sql` || ' ' || `);
  const { rows } = (await db.execute(sql`select ${parts} as version`)) as unknown as { rows: { version: string }[] };
  return rows[0]?.version ?? "";
}

/** A stored part with the fields that did not exist when it was saved, empty. */
export const wholePart = <Data extends PartData>(data: Data): Data => ({ ...(emptyParts[data.kind] as Data), ...data });

/** The parts of the site as visitors see them. Staff save them through their schemas, so the type is trusted here. */
export async function readParts(db: Db): Promise<PartData[]> {
  return (await db.select({ data: siteParts.data }).from(siteParts)).map(({ data }) => wholePart(data as PartData));
}

export async function readPartDraft(db: Db, kind: PartKind): Promise<PartData | null> {
  const [row] = await db.select({ draft: siteParts.draft }).from(siteParts).where(eq(siteParts.kind, kind));
  return row?.draft ? wholePart(row.draft as PartData) : null;
}
