import { and, asc, count, desc, eq, inArray, isNull, lt, or, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Db, Tx } from "#kit/db.ts";
import { foldedPattern } from "#kit/text/folded-text.ts";
import type { InquiryKind, InquiryNote, InquiryState } from "../inquiry.ts";
import { dueOrCreated, inquiries, inquiryNotes } from "../tables.ts";

/** Written out in the statement, so that the planner sees that a partial index serves it. */
const isOpen = sql`${inquiries.state} in ('received','in_work')`;
const isFinished = sql`${inquiries.state} in ('answered','closed')`;
const due = dueOrCreated(inquiries);

export type StoredInquiry = typeof inquiries.$inferSelect;

export type RequestFilter = {
  state: "open" | "finished";
  kind?: InquiryKind;
  /** Login; null: free ones. */
  assignee?: string | null;
  text?: SearchedText;
};
/** `phone`: digits of a phone, when the text can be a part of one; `words`: folded. */
export type SearchedText = { phone: string | null; words: readonly string[] };

/** A text has no index, so only so many are searched: the most urgent open ones, or the newest finished ones. */
const searchedAtMost = 10_000;

/** What the sender wrote, and what came of it. */
const writtenIn = ({ name, details, outcome }: Record<"name" | "details" | "outcome", AnyPgColumn>): SQL =>
  sql`concat_ws(' ', ${name}, ${details} ->> 'note', ${details} ->> 'convenientTime', ${details} ->> 'company', ${details} ->> 'city',
    ${outcome}, (select string_agg(coin ->> 'title', ' ') from jsonb_array_elements(${details} -> 'coins') coin))`;

function hasText(db: Db, { state, text }: RequestFilter): SQL | undefined {
  if (!text) return undefined;
  const searched = db
    .select()
    .from(inquiries)
    .where(state === "open" ? isOpen : isFinished)
    .orderBy(...(state === "open" ? [asc(due), asc(inquiries.id)] : [desc(inquiries.id)]))
    .limit(searchedAtMost)
    .as("searched");
  const isFound = or(
    text.phone === null ? undefined : sql`strpos(${searched.phone}, ${text.phone}) > 0`,
    and(...text.words.map((word) => sql`${writtenIn(searched)} ~ ${foldedPattern(word)}`)),
  );
  // The text is a condition of the outer query: beside the limit the planner would look for it in all rows first.
  return inArray(inquiries.id, db.select({ id: searched.id }).from(searched).where(isFound));
}

const matches = (db: Db, filter: RequestFilter): SQL | undefined => {
  const { state, kind, assignee } = filter;
  return and(
    state === "open" ? isOpen : isFinished,
    kind === undefined ? undefined : eq(inquiries.kind, kind),
    assignee === undefined ? undefined : assignee === null ? isNull(inquiries.assignee) : eq(inquiries.assignee, assignee),
    hasText(db, filter),
  );
};

/** Open ones with the earliest due time first, behind the cursor. */
export const openInquiries = (
  db: Db,
  filter: RequestFilter,
  after: { at: Date; id: number } | null,
  limit: number,
): Promise<StoredInquiry[]> =>
  db
    .select()
    .from(inquiries)
    .where(
      and(
        matches(db, filter),
        after ? sql`(${due}, ${inquiries.id}) > (${after.at.toISOString()}::timestamptz, ${after.id}::int)` : undefined,
      ),
    )
    .orderBy(asc(due), asc(inquiries.id))
    .limit(limit);

/** Finished ones, newest first. */
export const finishedInquiries = (db: Db, filter: RequestFilter, before: number | null, limit: number): Promise<StoredInquiry[]> =>
  db
    .select()
    .from(inquiries)
    .where(and(matches(db, filter), before === null ? undefined : lt(inquiries.id, before)))
    .orderBy(desc(inquiries.id))
    .limit(limit);

/** Open inquiries, those that are overdue and those of one member of staff, each up to the limit. */
export async function countOpen(db: Db, now: Date, login: string, limit: number): Promise<{ open: number; overdue: number; mine: number }> {
  const some = (more?: SQL) => {
    const found = db
      .select({ one: sql`1`.as("one") })
      .from(inquiries)
      .where(and(isOpen, more))
      .limit(limit)
      .as("found");
    return db.select({ n: count() }).from(found);
  };
  const [row] = await db
    .select({
      open: sql<number>`(${some()})`.mapWith(Number),
      // A row of an earlier release without a due time does not count.
      overdue: sql<number>`(${some(lt(inquiries.dueAt, now))})`.mapWith(Number),
      mine: sql<number>`(${some(eq(inquiries.assignee, login))})`.mapWith(Number),
    })
    .from(sql`(values (1)) as one`);
  return row ?? { open: 0, overdue: 0, mine: 0 };
}

export async function findInquiry(db: Db, id: number): Promise<StoredInquiry | null> {
  const [row] = await db.select().from(inquiries).where(eq(inquiries.id, id));
  return row ?? null;
}

export async function lockForStaff(tx: Tx, id: number): Promise<StoredInquiry | null> {
  const [row] = await tx.select().from(inquiries).where(eq(inquiries.id, id)).for("update");
  return row ?? null;
}

type Change = Partial<{ state: InquiryState; assignee: string | null; dueAt: Date; outcome: string; answeredAt: Date | null }>;

/** Stores the change and counts the revision; the row is locked. */
export async function saveInquiry(tx: Tx, id: number, change: Change): Promise<StoredInquiry> {
  const [row] = await tx
    .update(inquiries)
    .set({ ...change, revision: sql`${inquiries.revision} + 1` })
    .where(eq(inquiries.id, id))
    .returning();
  if (!row) throw new Error(`inquiry ${id} is gone`);
  return row;
}

export const notesOf = (db: Db, inquiryId: number): Promise<InquiryNote[]> =>
  db
    .select({ id: inquiryNotes.id, at: inquiryNotes.at, author: inquiryNotes.author, text: inquiryNotes.text })
    .from(inquiryNotes)
    .where(eq(inquiryNotes.inquiryId, inquiryId))
    .orderBy(asc(inquiryNotes.id));

export async function insertNote(tx: Tx, note: { inquiryId: number; at: Date; author: string; text: string }): Promise<void> {
  await tx.insert(inquiryNotes).values(note);
}
