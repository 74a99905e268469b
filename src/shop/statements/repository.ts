import { and, asc, count, desc, eq, gt, inArray, lt, max, ne, sql } from "drizzle-orm";
import * as z from "zod";
import type { Db, Tx } from "#kit/db.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";
import type { CalendarDate } from "#kit/time.ts";
import {
  entryStates,
  type EntryState,
  type LeftReason,
  type Statement,
  type StatementFault,
  type StoredStatementEntry,
} from "./statement.ts";
import { bankStatementEntries as entries, bankStatements as statements } from "./tables.ts";

const faultsSchema = z.array(z.object({ line: z.number(), what: z.string() }));
/** The stored value of an unknown account. */
const unknown = "";

/** One import at a time: equal files are recognised, and imports of overlapping files do not wait for each other's orders. */
export async function lockImports(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('bank statements', 0))`);
}

export async function idByHash(db: Db, hash: string): Promise<number | null> {
  const [row] = await db.select({ id: statements.id }).from(statements).where(eq(statements.hash, hash));
  return row?.id ?? null;
}

export type NewStatement = Pick<Statement, "fileName" | "importedAt" | "importedBy" | "totals" | "faults" | "entryCount"> & {
  hash: string;
};

export async function insertStatement(tx: Tx, { totals, importedBy, ...statement }: NewStatement): Promise<number> {
  const [row] = await tx
    .insert(statements)
    .values({
      ...statement,
      actor: importedBy,
      fromDay: totals.from,
      tillDay: totals.till,
      openingKopecks: totals.opening,
      receivedKopecks: totals.received,
      spentKopecks: totals.spent,
      closingKopecks: totals.closing,
    })
    .returning({ id: statements.id });
  if (!row) throw new Error("a bank statement was not stored");
  return row.id;
}

/** The stored entries with these fingerprints that are not repetitions themselves. */
export async function idsByFingerprints(db: Db, fingerprints: readonly string[]): Promise<Map<string, number>> {
  const found = await db
    .select({ id: entries.id, fingerprint: entries.fingerprint })
    .from(entries)
    .where(and(inArray(entries.fingerprint, [...fingerprints]), ne(entries.state, "repeated")));
  return new Map(found.map((row) => [row.fingerprint, row.id]));
}

/**
 * Locks the stored entries with these fingerprints that wait for staff because their money had not arrived, and returns their ids. Those
 * that a person is settling at the moment are left out.
 */
export async function lockNotArrived(tx: Tx, fingerprints: readonly string[]): Promise<Map<string, number>> {
  const reason: LeftReason = "not_arrived";
  const found = await tx
    .select({ id: entries.id, fingerprint: entries.fingerprint })
    .from(entries)
    .where(and(inArray(entries.fingerprint, [...fingerprints]), eq(entries.state, "left"), eq(entries.reason, reason)))
    .for("update", { skipLocked: true });
  return new Map(found.map((row) => [row.fingerprint, row.id]));
}

export type NewEntry = Omit<StoredStatementEntry, "id" | "settledAt" | "settledBy" | "note"> & {
  fingerprint: string;
  repeatsId: number | null;
};
/** Rows per statement: PostgreSQL limits the number of parameters. */
const rowsAtOnce = 500;

/** Inserts entries; returns their ids by fingerprint. */
export async function insertEntries(tx: Tx, made: readonly NewEntry[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (let at = 0; at < made.length; at += rowsAtOnce) {
    const rows = await tx
      .insert(entries)
      .values(
        made.slice(at, at + rowsAtOnce).map(({ entry, ...row }) => ({
          ...row,
          number: entry.number,
          date: entry.date,
          arrivedOn: entry.arrivedOn,
          amountKopecks: entry.amount,
          payer: entry.payer,
          payerAccount: entry.payerAccount ?? unknown,
          purpose: entry.purpose,
        })),
      )
      .returning({ id: entries.id, fingerprint: entries.fingerprint });
    for (const row of rows) ids.set(row.fingerprint, row.id);
  }
  return ids;
}

export async function statementById(db: Db, id: number): Promise<Statement | null> {
  const [row] = await db.select().from(statements).where(eq(statements.id, id));
  return row ? toStatement(row, (await countsOf(db, [row.id])).get(row.id)) : null;
}

export async function newestId(db: Db): Promise<number | null> {
  const [row] = await db.select({ id: max(statements.id) }).from(statements);
  return row?.id ?? null;
}

/** Statements before an id, newest first. */
export async function page(db: Db, { before, limit }: { before: number | null; limit: number }): Promise<Statement[]> {
  const rows = await db
    .select()
    .from(statements)
    .where(before === null ? undefined : lt(statements.id, before))
    .orderBy(desc(statements.id))
    .limit(limit);
  const counts = await countsOf(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => toStatement(row, counts.get(row.id)));
}

type Counts = Record<EntryState, number>;

async function countsOf(db: Db, ids: readonly number[]): Promise<Map<number, Counts>> {
  const found = new Map<number, Counts>();
  if (ids.length === 0) return found;
  const rows = await db
    .select({ id: entries.statementId, state: entries.state, n: count() })
    .from(entries)
    .where(inArray(entries.statementId, [...ids]))
    .groupBy(entries.statementId, entries.state);
  for (const { id, state, n } of rows) found.set(id, { ...(found.get(id) ?? none()), [state]: n });
  return found;
}

const none = (): Counts => Object.fromEntries(Object.keys(entryStates).map((state) => [state, 0])) as Counts;

/** Entries of a statement in these states behind a position, in the order of the file. */
export async function entriesOf(
  db: Db,
  statementId: number,
  { states, after, limit }: { states: readonly EntryState[]; after: number; limit: number },
): Promise<StoredStatementEntry[]> {
  const rows = await db
    .select()
    .from(entries)
    .where(and(eq(entries.statementId, statementId), inArray(entries.state, [...states]), gt(entries.position, after)))
    .orderBy(asc(entries.position))
    .limit(limit);
  return rows.map(toEntry);
}

export async function lockEntry(tx: Tx, id: number): Promise<StoredStatementEntry | null> {
  const [row] = await tx.select().from(entries).where(eq(entries.id, id)).for("update");
  return row ? toEntry(row) : null;
}

export type EntryChanges = Partial<
  Pick<StoredStatementEntry, "reason" | "orderId" | "orderNumber" | "transferId" | "settledAt" | "settledBy" | "note">
> & {
  state: EntryState;
  arrivedOn?: CalendarDate;
};
export async function saveEntry(tx: Tx, id: number, changes: EntryChanges): Promise<void> {
  await tx.update(entries).set(changes).where(eq(entries.id, id));
}

/** The number of entries that wait for staff, at most `limit`. */
export async function countLeft(db: Db, limit: number): Promise<number> {
  const left = db.select({ id: entries.id }).from(entries).where(eq(entries.state, "left")).limit(limit).as("left_entries");
  const [row] = await db.select({ n: count() }).from(left);
  return row?.n ?? 0;
}

/** Entries whose money is to be sent back, behind an id. */
export async function entriesToReturn(db: Db, { after, limit }: { after: number; limit: number }): Promise<StoredStatementEntry[]> {
  const rows = await db
    .select()
    .from(entries)
    .where(and(eq(entries.state, "to_return"), gt(entries.id, after)))
    .orderBy(asc(entries.id))
    .limit(limit);
  return rows.map(toEntry);
}

/** How many these are (at most `limit`), what they come to, and when the first of them was marked. */
export async function countToReturn(db: Db, limit: number): Promise<{ count: number; since: Date | null; amount: Kopecks }> {
  const waiting = db
    .select({ amount: entries.amountKopecks, at: entries.settledAt })
    .from(entries)
    .where(eq(entries.state, "to_return"))
    .limit(limit)
    .as("entries_to_return");
  const [row] = await db
    .select({
      n: count(),
      since: sql<string | null>`min(${waiting.at})`,
      amount: sql<number>`coalesce(sum(${waiting.amount}), 0)::float8`,
    })
    .from(waiting);
  return { count: row?.n ?? 0, since: row?.since ? new Date(row.since) : null, amount: kopecks(row?.amount ?? 0) };
}

/** The payers' names of these transfers as their statements have them. */
export async function payers(db: Db, transferIds: readonly number[]): Promise<Map<number, string>> {
  if (transferIds.length === 0) return new Map();
  const rows = await db
    .select({ transferId: entries.transferId, payer: entries.payer })
    .from(entries)
    .where(inArray(entries.transferId, [...transferIds]));
  return new Map(rows.flatMap(({ transferId, payer }) => (transferId === null || payer === "" ? [] : [[transferId, payer]])));
}

/** Empties payer, account and purpose of documents before a day. */
export async function erasePayers(db: Db, before: CalendarDate): Promise<void> {
  await db
    .update(entries)
    .set({ payer: "", payerAccount: unknown, purpose: "" })
    .where(and(lt(entries.date, before), sql`(${entries.payer} <> '' or ${entries.payerAccount} <> '' or ${entries.purpose} <> '')`));
}

const orNull = (sum: number | null): Kopecks | null => (sum === null ? null : kopecks(sum));

const toStatement = (row: typeof statements.$inferSelect, counts: Counts | undefined): Statement => ({
  id: row.id,
  fileName: row.fileName,
  importedAt: row.importedAt,
  importedBy: row.actor,
  totals: {
    from: row.fromDay,
    till: row.tillDay,
    opening: orNull(row.openingKopecks),
    received: orNull(row.receivedKopecks),
    spent: orNull(row.spentKopecks),
    closing: orNull(row.closingKopecks),
  },
  faults: faultsSchema.parse(row.faults) satisfies StatementFault[],
  entryCount: row.entryCount,
  counts: counts ?? none(),
});

const toEntry = (row: typeof entries.$inferSelect): StoredStatementEntry => ({
  id: row.id,
  statementId: row.statementId,
  position: row.position,
  entry: {
    number: row.number,
    date: row.date,
    arrivedOn: row.arrivedOn,
    amount: kopecks(row.amountKopecks),
    payer: row.payer,
    payerAccount: row.payerAccount === unknown ? null : row.payerAccount,
    purpose: row.purpose,
  },
  isOutgoing: row.isOutgoing,
  state: row.state as EntryState,
  reason: row.reason as LeftReason | null,
  orderId: row.orderId,
  orderNumber: row.orderNumber,
  transferId: row.transferId,
  settledAt: row.settledAt,
  settledBy: row.settledBy,
  note: row.note,
});
