import { and, asc, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import { rowsOf, type Db, type Tx } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import { stockDocumentLines as lines, stockDocuments as documents } from "../tables.ts";
import type { DocumentDraft, DocumentFilter, DocumentHead, DocumentKind, DocumentLine, DocumentState, StockDocument } from "./document.ts";

type Row = typeof documents.$inferSelect;

const toHead = ({ costKopecks, sourceKey: _sourceKey, ...row }: Row): DocumentHead => ({
  ...row,
  kind: row.kind as DocumentKind,
  state: row.state as DocumentState,
  cost: costKopecks === null ? null : kopecks(costKopecks),
});

/** Sums that a document stores of its lines. */
function totalsOf(of: readonly DocumentLine[]): { lineCount: number; pieces: number; costKopecks: number | null } {
  const costed = of.filter(({ unitCost }) => unitCost !== null);
  return {
    lineCount: of.length,
    pieces: of.reduce((sum, { quantity }) => sum + Math.abs(quantity), 0),
    costKopecks: costed.length === 0 ? null : costed.reduce((sum, { unitCost, quantity }) => sum + (unitCost ?? 0) * Math.abs(quantity), 0),
  };
}

export type NewDocument = DocumentDraft & { createdAt: Date; createdBy: string; sourceKey: string | null; stocktakeId: number | null };

/** Null: the import of this `sourceKey` has made its document before. */
export async function insert(tx: Tx, { lines: of, ...draft }: NewDocument): Promise<number | null> {
  const [row] = await tx
    .insert(documents)
    .values({ ...draft, ...totalsOf(of) })
    .onConflictDoNothing({ target: documents.sourceKey })
    .returning({ id: documents.id });
  if (!row) return null;
  await insertLines(tx, row.id, of);
  return row.id;
}

/** One statement, whatever the number of lines. */
async function insertLines(tx: Tx, documentId: number, of: readonly DocumentLine[]): Promise<void> {
  if (of.length === 0) return;
  const numbered = of.map((line, index) => ({ ...line, position: index + 1 }));
  await tx.execute(sql`
    insert into stock_document_lines (document_id, coin_id, position, quantity, unit_cost_kopecks)
    select ${documentId}::bigint, "coinId", position, quantity, "unitCost"
    from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb)
      as l ("coinId" integer, position integer, quantity integer, "unitCost" bigint)`);
}

/** Replaces what a draft says. */
export async function replace(tx: Tx, id: number, { lines: of, kind: _kind, ...draft }: DocumentDraft): Promise<void> {
  await tx
    .update(documents)
    .set({ ...draft, ...totalsOf(of), revision: sql`${documents.revision} + 1` })
    .where(eq(documents.id, id));
  await tx.delete(lines).where(eq(lines.documentId, id));
  await insertLines(tx, id, of);
}

export async function idBySource(db: Db, sourceKey: string): Promise<number | null> {
  const [row] = await db.select({ id: documents.id }).from(documents).where(eq(documents.sourceKey, sourceKey));
  return row?.id ?? null;
}

export async function find(db: Db, id: number): Promise<StockDocument | null> {
  const [row] = await db.select().from(documents).where(eq(documents.id, id));
  return row ? { ...toHead(row), lines: await linesOf(db, id) } : null;
}

/** Locks the document before anything else that its steps lock. */
export async function lock(tx: Tx, id: number): Promise<StockDocument | null> {
  const [row] = await tx.select().from(documents).where(eq(documents.id, id)).for("update");
  return row ? { ...toHead(row), lines: await linesOf(tx, id) } : null;
}

async function linesOf(db: Db, id: number): Promise<DocumentLine[]> {
  const rows = await db
    .select({ coinId: lines.coinId, quantity: lines.quantity, unitCost: lines.unitCostKopecks })
    .from(lines)
    .where(eq(lines.documentId, id))
    .orderBy(asc(lines.position));
  return rows.map(({ unitCost, ...row }) => ({ ...row, unitCost: unitCost === null ? null : kopecks(unitCost) }));
}

/**
 * Coins that other documents have corrected since the stocktake of this document counted them: its differences are out of date. Their
 * stock rows are locked.
 */
export async function correctedSinceCount(tx: Tx, { id, stocktakeId }: DocumentHead): Promise<Set<number>> {
  if (stocktakeId === null) return new Set();
  const found = await rowsOf<{ coinId: number }>(
    tx,
    sql`
    select l.coin_id as "coinId"
    from stocktake_lines l
      join stock_entries e on e.coin_id = l.coin_id and e.at > l.counted_at and e.document_id <> ${id}
      join stock_documents d on d.id = e.document_id and d.kind = 'correction'
    where l.stocktake_id = ${stocktakeId} group by l.coin_id having sum(e.quantity) <> 0`,
  );
  return new Set(found.map(({ coinId }) => coinId));
}

/** Documents, newest first. */
export async function page(db: Db, { kind, state, before, limit }: DocumentFilter): Promise<DocumentHead[]> {
  const where: SQL | undefined = and(
    kind ? eq(documents.kind, kind) : undefined,
    state ? eq(documents.state, state) : undefined,
    before === null ? undefined : lt(documents.id, before),
  );
  return (await db.select().from(documents).where(where).orderBy(desc(documents.id)).limit(limit)).map(toHead);
}

type Step = { state: DocumentState } & Partial<Pick<Row, "postedAt" | "postedBy" | "reversedAt" | "reversedBy" | "reversalReason">>;

export async function saveStep(tx: Tx, id: number, step: Step): Promise<void> {
  await tx
    .update(documents)
    .set({ ...step, revision: sql`${documents.revision} + 1` })
    .where(eq(documents.id, id));
}

/** Writes the numbers of pieces that an opening cost was posted for. */
export async function saveQuantities(tx: Tx, id: number, of: readonly DocumentLine[]): Promise<void> {
  await tx.execute(sql`
    update stock_document_lines l set quantity = c.quantity
    from jsonb_to_recordset(${JSON.stringify(of)}::jsonb) as c ("coinId" integer, quantity integer)
    where l.document_id = ${id} and l.coin_id = c."coinId"`);
  await tx.update(documents).set(totalsOf(of)).where(eq(documents.id, id));
}
