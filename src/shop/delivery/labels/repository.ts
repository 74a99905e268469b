import { and, asc, desc, eq, inArray, lt, lte } from "drizzle-orm";
import { z } from "zod";
import { deleteInBatches, hasRow, type Db, type Expression, type Tx } from "#kit/db.ts";
import { labelFiles } from "../tables.ts";
import type { LabelState } from "./label.ts";

export type LabelRow = {
  id: number;
  key: string;
  orderIds: string[];
  state: LabelState;
  taskId: string | null;
  fault: string | null;
  attempts: number;
  askedAt: Date | null;
  readyAt: Date | null;
  nextCheckAt: Date | null;
};

/** All but the bytes. */
const columns = {
  id: labelFiles.id,
  key: labelFiles.key,
  orderIds: labelFiles.orderIds,
  state: labelFiles.state,
  taskId: labelFiles.taskId,
  fault: labelFiles.fault,
  attempts: labelFiles.attempts,
  askedAt: labelFiles.askedAt,
  readyAt: labelFiles.readyAt,
  nextCheckAt: labelFiles.nextCheckAt,
};
const idList = z.array(z.string());
const toRow = ({ orderIds, state, ...row }: Omit<typeof labelFiles.$inferSelect, "pdf" | "createdAt">): LabelRow => ({
  ...row,
  orderIds: idList.parse(orderIds),
  state: state as LabelState,
});

const current: LabelState[] = ["waiting", "asked", "ready"];

/** Inserts a file to be requested, or returns the current one of the same parcels. */
export async function insertOrFind(tx: Tx, file: { key: string; orderIds: readonly string[] }, at: Date): Promise<LabelRow> {
  const [made] = await tx
    .insert(labelFiles)
    .values({ ...file, state: "waiting", createdAt: at, nextCheckAt: at })
    .onConflictDoNothing()
    .returning(columns);
  if (made) return toRow(made);
  const [known] = await tx
    .select(columns)
    .from(labelFiles)
    .where(and(eq(labelFiles.key, file.key), inArray(labelFiles.state, current)));
  if (!known) throw new Error("a file of labels changed while it was requested");
  return toRow(known);
}

/** The newest file of each key, also a failed or expired one. */
export async function newestByKey(db: Db, keys: readonly string[]): Promise<Map<string, LabelRow>> {
  if (keys.length === 0) return new Map();
  const found = await db
    .selectDistinctOn([labelFiles.key], columns)
    .from(labelFiles)
    .where(inArray(labelFiles.key, [...keys]))
    .orderBy(labelFiles.key, desc(labelFiles.id));
  return new Map(found.map((row) => [row.key, toRow(row)]));
}

export async function byId(db: Db, id: number): Promise<LabelRow | null> {
  const [row] = await db.select(columns).from(labelFiles).where(eq(labelFiles.id, id));
  return row ? toRow(row) : null;
}

export async function pdfOf(db: Db, id: number): Promise<Buffer | null> {
  const [row] = await db.select({ pdf: labelFiles.pdf }).from(labelFiles).where(eq(labelFiles.id, id));
  return row?.pdf ?? null;
}

export const hasDue = (now: Date): Expression => hasRow(labelFiles, lte(labelFiles.nextCheckAt, now));

/** Claims a file that is due: postpones its next check to `until`, so that no other process works on it meanwhile. */
export async function claimDue(db: Db, at: Date, until: Date): Promise<LabelRow | null> {
  const due = db
    .select({ id: labelFiles.id })
    .from(labelFiles)
    .where(lte(labelFiles.nextCheckAt, at))
    .orderBy(asc(labelFiles.nextCheckAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [row] = await db.update(labelFiles).set({ nextCheckAt: until }).where(inArray(labelFiles.id, due)).returning(columns);
  return row ? toRow(row) : null;
}

/** Saves the new state of a file, if it is still in the state in which it was claimed. */
export async function save(
  db: Db,
  { id, state }: LabelRow,
  change: Partial<Omit<typeof labelFiles.$inferInsert, "state"> & { state: LabelState }>,
): Promise<void> {
  await db
    .update(labelFiles)
    .set(change)
    .where(and(eq(labelFiles.id, id), eq(labelFiles.state, state)));
}

/** Deletes prints that were requested before this moment and have no file any more. */
export async function deleteOld(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, labelFiles, and(lt(labelFiles.createdAt, before), inArray(labelFiles.state, ["failed", "expired"])));
}
