import { and, asc, count, desc, eq, gt, inArray, lt, or, sql } from "drizzle-orm";
import * as z from "zod";
import { chunks } from "#kit/concurrency/chunks.ts";
import type { Db, Tx } from "#kit/db.ts";
import { exchangeImportRows as importRows, exchangeImports as imports } from "../tables.ts";
import {
  rowOutcomes,
  type CheckedRow,
  type Import,
  type ImportKind,
  type ImportResult,
  type ImportSource,
  type ImportState,
  type RowOutcome,
} from "./import.ts";

const countsSchema = z.object({
  rows: z.number(),
  new: z.number(),
  changed: z.number(),
  unchanged: z.number(),
  errors: z.number(),
  warnings: z.number(),
});
const resultSchema: z.ZodType<ImportResult | null> = z
  .object({
    added: z.number().optional(),
    addedIds: z.array(z.number()).optional(),
    changed: z.number().optional(),
    documents: z.array(z.number()).optional(),
    priceChange: z.number().optional(),
  })
  .nullable() as z.ZodType<ImportResult | null>;
const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]);
const rowSchema = z.object({
  outcome: z.enum(rowOutcomes),
  changes: z.array(z.object({ column: z.string(), before: z.string(), after: z.string() })),
  messages: z.array(z.object({ column: z.string().nullable(), message: z.string(), isError: z.boolean() })),
  values: z.record(z.string(), value),
});

export type NewImport = Omit<Import, "id" | "state" | "appliedAt" | "appliedBy" | "result">;

export async function insert(tx: Tx, { createdBy, ...made }: NewImport, rows: readonly CheckedRow[]): Promise<number> {
  const [row] = await tx
    .insert(imports)
    .values({ ...made, actor: createdBy })
    .returning({ id: imports.id });
  if (!row) throw new Error("an import was not stored");
  for (const some of chunks(rows, 2_000)) await tx.insert(importRows).values(some.map((each) => ({ importId: row.id, ...each })));
  return row.id;
}

export async function find(db: Db, id: number): Promise<Import | null> {
  const [row] = await db.select().from(imports).where(eq(imports.id, id));
  return row ? toImport(row) : null;
}

export async function lock(tx: Tx, id: number): Promise<Import | null> {
  const [row] = await tx.select().from(imports).where(eq(imports.id, id)).for("update");
  return row ? toImport(row) : null;
}

/** Imports, newest first, before an id. */
export async function page(db: Db, { before, limit }: { before: number | null; limit: number }): Promise<Import[]> {
  const rows = await db
    .select()
    .from(imports)
    .where(before === null ? undefined : lt(imports.id, before))
    .orderBy(desc(imports.id))
    .limit(limit);
  return rows.map(toImport);
}

export type RowFilter = { outcomes: readonly RowOutcome[]; hasWarnings?: boolean; after: number; limit: number };

export async function rowsOf(db: Db, importId: number, { outcomes, hasWarnings, after, limit }: RowFilter): Promise<CheckedRow[]> {
  const warned = sql`${importRows.messages} @> '[{"isError": false}]'`;
  const rows = await db
    .select()
    .from(importRows)
    .where(
      and(
        eq(importRows.importId, importId),
        hasWarnings ? or(inArray(importRows.outcome, [...outcomes]), warned) : inArray(importRows.outcome, [...outcomes]),
        gt(importRows.line, after),
      ),
    )
    .orderBy(asc(importRows.line))
    .limit(limit);
  return rows.map(toRow);
}

/** Whether a row of an import says how many pieces were counted. */
export async function hasCounted(db: Db, importId: number): Promise<boolean> {
  const found = await db
    .select({ line: importRows.line })
    .from(importRows)
    .where(and(eq(importRows.importId, importId), sql`${importRows.values} ? 'counted'`))
    .limit(1);
  return found.length > 0;
}

export async function saveState(
  tx: Tx,
  id: number,
  state: { state: ImportState; appliedAt: Date | null; closedBy: string; result: ImportResult | null },
): Promise<void> {
  await tx.update(imports).set(state).where(eq(imports.id, id));
}

/** How many imports of a source wait to be applied. */
export async function countWaiting(db: Db, source: ImportSource): Promise<number> {
  const [row] = await db
    .select({ n: count() })
    .from(imports)
    .where(and(eq(imports.source, source), eq(imports.state, "checked")));
  return row?.n ?? 0;
}

/** The imports of a source and kind that wait to be applied, oldest first. */
export async function waiting(db: Db, source: ImportSource, kind: ImportKind): Promise<Import[]> {
  const found = await db
    .select()
    .from(imports)
    .where(and(eq(imports.source, source), eq(imports.kind, kind), eq(imports.state, "checked")))
    .orderBy(asc(imports.id));
  return found.map(toImport);
}

/** Ends those of these imports that wait. */
export async function discardWaiting(db: Db, ids: readonly number[], actor: string): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(imports)
    .set({ state: "discarded", closedBy: actor })
    .where(and(inArray(imports.id, [...ids]), eq(imports.state, "checked")));
}

/** Ends checks that were made before a time and not applied. */
export async function forgetChecks(db: Db, before: Date, actor: string): Promise<void> {
  await db
    .update(imports)
    .set({ state: "discarded", closedBy: actor })
    .where(and(eq(imports.state, "checked"), lt(imports.createdAt, before)));
}

/** Deletes the rows of imports that were made before a time; the imports stay. */
export async function forgetRows(db: Db, before: Date): Promise<void> {
  const old = db.select({ id: imports.id }).from(imports).where(lt(imports.createdAt, before));
  await db.delete(importRows).where(inArray(importRows.importId, old));
}

const toImport = (row: typeof imports.$inferSelect): Import => ({
  id: row.id,
  kind: row.kind as ImportKind,
  source: row.source as ImportSource,
  fileName: row.fileName,
  format: row.format as Import["format"],
  state: row.state as ImportState,
  counts: countsSchema.parse(row.counts),
  notes: z.array(z.string()).parse(row.notes),
  hash: row.hash,
  createdAt: row.createdAt,
  createdBy: row.actor,
  appliedAt: row.appliedAt,
  appliedBy: row.state === "applied" ? row.closedBy : null,
  result: resultSchema.parse(row.result),
});

function toRow({ line, coinId, title, revision, ...stored }: typeof importRows.$inferSelect): CheckedRow {
  return { line, coinId, title, revision, ...rowSchema.parse(stored) };
}
