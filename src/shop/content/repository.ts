import { and, asc, count, desc, eq, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#kit/db.ts";
import type { ContentKind, EntrySummary, Review } from "./entry.ts";
import { contentEntries, contentReviews } from "./tables.ts";

export type StoredEntry = EntrySummary & { body: string };

const extraShape = z.object({
  tags: z.array(z.string()), minutes: z.number(), related: z.array(z.string()), facts: z.array(z.string()), conditions: z.array(z.string()),
  group: z.string(), startsAt: z.string(), endsAt: z.string(),
}).partial();

type Row = typeof contentEntries.$inferSelect;
const toEntry = ({ updatedAt: _updatedAt, position: _position, ...row }: Row): StoredEntry => ({ ...row, kind: row.kind as ContentKind, extra: extraShape.parse(row.extra) });

const visible = (withDemo: boolean): SQL | undefined => (withDemo ? undefined : eq(contentEntries.isDemo, false));
const newestFirst = [sql`${contentEntries.publishedOn} desc nulls last`, asc(contentEntries.position), asc(contentEntries.id)];

export async function readList(db: Db, kind: ContentKind, withDemo: boolean, range?: { limit: number; offset: number }): Promise<StoredEntry[]> {
  const query = db.select().from(contentEntries).where(and(eq(contentEntries.kind, kind), visible(withDemo))).orderBy(...newestFirst);
  return (await (range ? query.limit(range.limit).offset(range.offset) : query)).map(toEntry);
}

export async function countList(db: Db, kind: ContentKind, withDemo: boolean): Promise<number> {
  const [row] = await db.select({ n: count() }).from(contentEntries).where(and(eq(contentEntries.kind, kind), visible(withDemo)));
  return row?.n ?? 0;
}

export async function readBySlug(db: Db, kind: ContentKind, slug: string, withDemo: boolean): Promise<StoredEntry | null> {
  const [row] = await db.select().from(contentEntries).where(and(eq(contentEntries.kind, kind), eq(contentEntries.slug, slug), visible(withDemo)));
  return row ? toEntry(row) : null;
}

export async function readById(db: Db, kind: ContentKind, id: number, withDemo: boolean): Promise<StoredEntry | null> {
  const [row] = await db.select().from(contentEntries).where(and(eq(contentEntries.kind, kind), eq(contentEntries.id, id), visible(withDemo)));
  return row ? toEntry(row) : null;
}

export async function readAll(db: Db, withDemo: boolean): Promise<StoredEntry[]> {
  return (await db.select().from(contentEntries).where(visible(withDemo)).orderBy(asc(contentEntries.kind), asc(contentEntries.id))).map(toEntry);
}

export async function readReviews(db: Db, withDemo: boolean, coinSlug?: string): Promise<Review[]> {
  const { id, name, city, writtenOn, rating, coinSlug: about, body, isDemo } = contentReviews;
  return db.select({ id, name, city, writtenOn, rating, coinSlug: about, body, isDemo }).from(contentReviews)
    .where(and(withDemo ? undefined : eq(isDemo, false), coinSlug === undefined ? undefined : eq(about, coinSlug)))
    .orderBy(desc(writtenOn), asc(id));
}

/** One short text that differs as soon as a text or a review was written. */
export async function readVersion(db: Db): Promise<string> {
  const newest = (table: typeof contentEntries | typeof contentReviews) => sql`select coalesce(max(${table.updatedAt})::text, '') || '/' || count(*) from ${table}`;
  const [row] = await db.select({ version: sql<string>`(${newest(contentEntries)}) || ' ' || (${newest(contentReviews)})` }).from(sql`(values (1)) as one`);
  return row?.version ?? "";
}
