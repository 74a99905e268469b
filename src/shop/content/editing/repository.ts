import { and, asc, desc, eq, isNotNull, lte, or, sql, type SQL } from "drizzle-orm";
import { hasRow, type Db, type Expression, type Tx } from "#kit/db.ts";
import type { ContentKind } from "../entry.ts";
import { wholePart } from "../repository.ts";
import { partKinds, type PartData, type PartKind } from "../site/parts.ts";
import { contentEntries, contentVersions, sitePages, siteParts } from "../tables.ts";
import { isEntryKind, type TextData, type TextKind } from "../text-data.ts";
import { partId, type Editable, type EditableData, type EditableKind, type Subject, type Version, type VersionEvent } from "./editable.ts";

type EntryRow = typeof contentEntries.$inferSelect;
type PageRow = typeof sitePages.$inferSelect;
type PartRow = typeof siteParts.$inferSelect;
type Extra = Record<string, unknown>;

const isPartKind = (kind: EditableKind): kind is PartKind => (partKinds as readonly string[]).includes(kind);

/** Changes of texts, addresses and redirects run one after another, so that none takes an address between another's check and its write. */
export async function lockChanges(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('content'))`);
}

export async function readOne(db: Db, { kind, id }: Subject): Promise<Editable | null> {
  if (isPartKind(kind)) {
    const [row] = id === partId ? await db.select().from(siteParts).where(eq(siteParts.kind, kind)) : [];
    return row ? partOf(row) : null;
  }
  if (isEntryKind(kind)) {
    const [row] = await db.select().from(contentEntries).where(whereEntry(kind, id));
    return row ? entryOf(row) : null;
  }
  const [row] = await db.select().from(sitePages).where(eq(sitePages.id, id));
  return row ? pageOf(row) : null;
}

/** All texts of a kind in the order of their list. */
export async function readAll(db: Db, kind: TextKind): Promise<Editable[]> {
  if (kind === "document") return (await db.select().from(sitePages).orderBy(asc(sitePages.path))).map(pageOf);
  const order = kind === "news" ? [sql`${contentEntries.publishedOn} desc nulls last`, desc(contentEntries.id)] : [];
  const rows = await db
    .select()
    .from(contentEntries)
    .where(eq(contentEntries.kind, kind))
    .orderBy(...order, asc(contentEntries.position), asc(contentEntries.id));
  return rows.map(entryOf);
}

const whereEntry = (kind: ContentKind, id: number): SQL | undefined => and(eq(contentEntries.kind, kind), eq(contentEntries.id, id));

const entryOf = (row: EntryRow): Editable => ({
  kind: row.kind as ContentKind,
  id: row.id,
  live: entryData(row),
  draft: row.draft as EditableData | null,
  isPublished: row.isPublished,
  publishAt: row.publishAt,
  unpublishAt: row.unpublishAt,
  revision: row.revision,
  updatedAt: row.updatedAt,
  slug: row.slug,
  isDemo: row.isDemo,
  editedOn: null,
});

/** What the columns of an entry hold, as editors write it. The seed's texts fit too, so nothing is checked here. */
function entryData({ kind, title, slug, lead, body, publishedOn, extra: raw }: EntryRow): TextData {
  const extra = raw as Extra;
  const own = {
    news: { publishedOn, tags: extra.tags ?? [], cover: extra.cover ?? null },
    training: { minutes: extra.minutes ?? 5, related: extra.related ?? [], cover: extra.cover ?? null },
    case: { facts: extra.facts ?? [] },
    promo: { startsAt: extra.startsAt, endsAt: extra.endsAt, conditions: extra.conditions ?? [], cover: extra.cover ?? null },
    faq: {},
    page: {},
  }[kind as ContentKind];
  const data =
    kind === "faq"
      ? { kind, title, body, group: extra.group }
      : kind === "page"
        ? { kind, title, lead, body }
        : { kind, title, slug, lead, body, ...own };
  return data as TextData;
}

/** The columns that hold the data of an entry. Questions and plain pages keep their slug. */
export const asEntry = (
  data: Exclude<TextData, { kind: "document" }>,
): { title: string; body: string; slug?: string; lead?: string; publishedOn?: string; extra: Extra } => ({
  extra: {},
  ...entryColumns(data),
});

function entryColumns(data: Exclude<TextData, { kind: "document" }>) {
  const { title, body } = data;
  switch (data.kind) {
    case "faq":
      return { title, body, extra: { group: data.group } };
    case "page":
      return { title, lead: data.lead ?? "", body };
    case "news": {
      const { slug, lead, publishedOn, tags, cover } = data;
      return { title, slug, lead, body, publishedOn, extra: { tags, ...(cover ? { cover } : {}) } };
    }
    case "training": {
      const { slug, lead, minutes, related, cover } = data;
      return { title, slug, lead, body, extra: { minutes, related, ...(cover ? { cover } : {}) } };
    }
    case "case":
      return { title, slug: data.slug, lead: data.lead, body, extra: { facts: data.facts } };
    case "promo": {
      const { slug, lead, startsAt, endsAt, conditions, cover } = data;
      return { title, slug, lead, body, extra: { startsAt, endsAt, conditions, ...(cover ? { cover } : {}) } };
    }
  }
}

const pageOf = (row: PageRow): Editable => ({
  kind: "document",
  id: row.id,
  live: {
    kind: "document",
    title: row.title,
    path: row.path,
    description: row.description,
    body: row.body,
    parentPath: row.parentPath,
    hasEditions: row.editedOn !== null,
  },
  draft: row.draft as EditableData | null,
  isPublished: row.isPublished,
  publishAt: row.publishAt,
  unpublishAt: row.unpublishAt,
  revision: row.revision,
  updatedAt: row.updatedAt,
  slug: null,
  isDemo: false,
  editedOn: row.editedOn,
});

const partOf = (row: PartRow): Editable => ({
  kind: row.kind as PartKind,
  id: partId,
  live: wholePart(row.data as PartData),
  draft: row.draft === null ? null : wholePart(row.draft as PartData),
  isPublished: true,
  publishAt: row.publishAt,
  unpublishAt: null,
  revision: row.revision,
  updatedAt: row.updatedAt,
  slug: null,
  isDemo: false,
  editedOn: null,
});

/** What a change writes. `live` is what visitors see from now on; without it they see no change, and the content's version stays. */
export type Written = {
  live?: EditableData;
  draft: EditableData | null;
  isPublished: boolean;
  publishAt: Date | null;
  unpublishAt: Date | null;
  editedOn: string | null;
};

export async function write(tx: Tx, { kind, id, isPublished: wasPublished }: Editable, written: Written): Promise<Editable | null> {
  const { live, draft, publishAt, isPublished, unpublishAt, editedOn } = written;
  const isSeen = isPublished !== wasPublished || (isPublished && live !== undefined);
  const touched = isSeen ? { updatedAt: sql`clock_timestamp()` } : {};
  if (isPartKind(kind)) {
    const [row] = await tx
      .update(siteParts)
      .set({ ...(live ? { data: live } : {}), draft, publishAt, ...touched, revision: sql`${siteParts.revision} + 1` })
      .where(eq(siteParts.kind, kind))
      .returning();
    return row ? partOf(row) : null;
  }
  const state = { draft, isPublished, publishAt, unpublishAt, ...touched };
  if (isEntryKind(kind)) {
    const columns = live ? entryColumns(live as Exclude<TextData, { kind: "document" }>) : {};
    const [row] = await tx
      .update(contentEntries)
      .set({ ...columns, ...state, revision: sql`${contentEntries.revision} + 1` })
      .where(whereEntry(kind, id))
      .returning();
    return row ? entryOf(row) : null;
  }
  const { kind: _kind, hasEditions: _editions, ...columns } = (live ?? {}) as Partial<TextData<"document">>;
  const [row] = await tx
    .update(sitePages)
    .set({ ...columns, ...state, editedOn, revision: sql`${sitePages.revision} + 1` })
    .where(eq(sitePages.id, id))
    .returning();
  return row ? pageOf(row) : null;
}

/** Adds an unpublished text at the end of its list. */
export async function insert(tx: Tx, data: TextData, hasEditionOn: string | null): Promise<Editable> {
  if (data.kind === "document") {
    const { kind: _kind, hasEditions: _editions, ...columns } = data;
    const [row] = await tx
      .insert(sitePages)
      .values({ ...columns, editedOn: hasEditionOn, isPublished: false })
      .returning();
    return pageOf(row as PageRow);
  }
  const [last] = await tx
    .select({
      id: sql<number>`coalesce(max(${contentEntries.id}), 0)`,
      position: sql<number>`coalesce(max(${contentEntries.position}), -1)`,
    })
    .from(contentEntries)
    .where(eq(contentEntries.kind, data.kind));
  // The versions of a removed draft stay, so its id is not used again.
  const [former] = await tx
    .select({ id: sql<number>`coalesce(max(${contentVersions.id}), 0)` })
    .from(contentVersions)
    .where(eq(contentVersions.kind, data.kind));
  const id = Math.max(last?.id ?? 0, former?.id ?? 0) + 1;
  const [row] = await tx
    .insert(contentEntries)
    .values({
      slug: String(id),
      lead: "",
      extra: {},
      ...entryColumns(data),
      kind: data.kind,
      id,
      position: (last?.position ?? -1) + 1,
      isPublished: false,
    })
    .returning();
  return entryOf(row as EntryRow);
}

export async function remove(tx: Tx, { kind, id }: Subject): Promise<void> {
  if (isEntryKind(kind)) await tx.delete(contentEntries).where(whereEntry(kind, id));
  else await tx.delete(sitePages).where(eq(sitePages.id, id));
}

/** Writes the positions of a list: those of `ids` in their order. */
export async function order(tx: Tx, kind: ContentKind, ids: readonly number[]): Promise<void> {
  const places = sql.join(
    ids.map((id, position) => sql`(${id}::int, ${position}::int)`),
    sql`, `,
  );
  await tx.execute(sql`
    update ${contentEntries} set position = places.position, updated_at = clock_timestamp()
      from (values ${places}) as places (id, position)
     where ${contentEntries.kind} = ${kind} and ${contentEntries.id} = places.id and ${contentEntries.position} <> places.position`);
}

/** Pages below a page follow it to its new address. */
export async function moveChildren(tx: Tx, from: string, to: string): Promise<void> {
  await tx
    .update(sitePages)
    .set({ parentPath: to, updatedAt: sql`clock_timestamp()` })
    .where(eq(sitePages.parentPath, from));
}

const isDue = (table: typeof contentEntries | typeof sitePages, now: Date) => or(lte(table.publishAt, now), lte(table.unpublishAt, now));
const isPartDue = (now: Date) => and(isNotNull(siteParts.publishAt), lte(siteParts.publishAt, now));

export const hasDue = (now: Date): Expression =>
  sql`(${hasRow(contentEntries, isDue(contentEntries, now))} or ${hasRow(sitePages, isDue(sitePages, now))}
    or ${hasRow(siteParts, isPartDue(now))})`;

/** Texts and parts whose time to be published or taken down has come. */
export async function readDue(db: Db, now: Date): Promise<Subject[]> {
  const [entries, pages, parts] = await Promise.all([
    db.select({ kind: contentEntries.kind, id: contentEntries.id }).from(contentEntries).where(isDue(contentEntries, now)),
    db.select({ id: sitePages.id }).from(sitePages).where(isDue(sitePages, now)),
    db.select({ kind: siteParts.kind }).from(siteParts).where(isPartDue(now)),
  ]);
  return [
    ...entries.map(({ kind, id }): Subject => ({ kind: kind as ContentKind, id })),
    ...pages.map(({ id }): Subject => ({ kind: "document", id })),
    ...parts.map(({ kind }): Subject => ({ kind: kind as PartKind, id: partId })),
  ];
}

const whereSubject = ({ kind, id }: Subject): SQL | undefined => and(eq(contentVersions.kind, kind), eq(contentVersions.id, id));

export async function hasVersions(tx: Tx, subject: Subject): Promise<boolean> {
  const [row] = await tx.select({ revision: contentVersions.revision }).from(contentVersions).where(whereSubject(subject)).limit(1);
  return row !== undefined;
}

export async function addVersion(
  tx: Tx,
  { kind, id }: Subject,
  version: { revision: number; event: VersionEvent; data: EditableData; actor: string; at: Date },
): Promise<void> {
  await tx.insert(contentVersions).values({ kind, id, ...version });
}

/** The last versions, newest first. */
export async function readVersions(db: Db, subject: Subject, limit: number): Promise<Version[]> {
  const { revision, event, actor, at } = contentVersions;
  const rows = await db
    .select({ revision, event, actor, at })
    .from(contentVersions)
    .where(whereSubject(subject))
    .orderBy(desc(revision))
    .limit(limit);
  return rows.map((row) => ({ ...row, event: row.event as VersionEvent }));
}

export async function readVersion(db: Db, subject: Subject, revision: number): Promise<(Version & { data: EditableData }) | null> {
  const [row] = await db
    .select()
    .from(contentVersions)
    .where(and(whereSubject(subject), eq(contentVersions.revision, revision)));
  return row ? { revision, event: row.event as VersionEvent, actor: row.actor, at: row.at, data: row.data as EditableData } : null;
}
