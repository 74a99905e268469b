import { and, asc, desc, eq, lt, sql } from "drizzle-orm";
import { chunks } from "#kit/concurrency/chunks.ts";
import type { Db, Tx } from "#kit/db.ts";
import { stocktakeLines as lines, stocktakes } from "../tables.ts";
import type { Stocktake, StocktakeHead, StocktakeLine, StocktakeState } from "./stocktake.ts";

type Row = typeof stocktakes.$inferSelect;

const columns = {
  id: stocktakes.id,
  title: stocktakes.title,
  state: stocktakes.state,
  createdAt: stocktakes.createdAt,
  createdBy: stocktakes.createdBy,
  endedAt: stocktakes.endedAt,
  endedBy: stocktakes.endedBy,
  lineCount: sql<number>`(select count(*)::integer from stocktake_lines l where l.stocktake_id = "stocktakes"."id")`,
  countedLines: sql<number>`(select count(l.counted)::integer from stocktake_lines l where l.stocktake_id = "stocktakes"."id")`,
  documentId: sql<string | null>`(select d.id from stock_documents d where d.stocktake_id = "stocktakes"."id" order by d.id limit 1)`,
};
const toHead = (row: Row & { lineCount: number; countedLines: number; documentId: string | null }): StocktakeHead => ({
  ...row,
  state: row.state as StocktakeState,
  documentId: row.documentId === null ? null : Number(row.documentId),
});

export async function insert(tx: Tx, of: Pick<Row, "title" | "createdAt" | "createdBy">, coinIds: readonly number[]): Promise<number> {
  const [row] = await tx.insert(stocktakes).values(of).returning({ id: stocktakes.id });
  if (!row) throw new Error("a stocktake was not stored");
  const numbered = coinIds.map((coinId, index) => ({ stocktakeId: row.id, coinId, position: index + 1 }));
  for (const some of chunks(numbered, 10_000)) await tx.insert(lines).values(some);
  return row.id;
}

/** Stocktakes, newest first. */
export async function page(db: Db, { before, limit }: { before: number | null; limit: number }): Promise<StocktakeHead[]> {
  const rows = await db
    .select(columns)
    .from(stocktakes)
    .where(before === null ? undefined : lt(stocktakes.id, before))
    .orderBy(desc(stocktakes.id))
    .limit(limit);
  return rows.map(toHead);
}

export async function find(db: Db, id: number): Promise<Stocktake | null> {
  const [row] = await db.select(columns).from(stocktakes).where(eq(stocktakes.id, id));
  if (!row) return null;
  const of = await db.select().from(lines).where(eq(lines.stocktakeId, id)).orderBy(asc(lines.position));
  return { ...toHead(row), lines: of.map(toLine) };
}

const toLine = ({ coinId, counted, expected, firstExpected, countedAt, countedBy }: typeof lines.$inferSelect): StocktakeLine => ({
  coinId,
  counted,
  expected,
  hasMoved: expected !== firstExpected,
  countedAt,
  countedBy,
});

/** Locks the stocktake for a count: counts of several devices run beside each other, its end waits for them. */
export async function lockForCount(tx: Tx, id: number): Promise<StocktakeState | null> {
  const [row] = await tx.select({ state: stocktakes.state }).from(stocktakes).where(eq(stocktakes.id, id)).for("share");
  return (row?.state as StocktakeState | undefined) ?? null;
}
export async function lockForEnd(tx: Tx, id: number): Promise<StocktakeState | null> {
  const [row] = await tx.select({ state: stocktakes.state }).from(stocktakes).where(eq(stocktakes.id, id)).for("update");
  return (row?.state as StocktakeState | undefined) ?? null;
}

type NewCount = { stocktakeId: number; coinId: number; quantity: number; expected: number; at: Date; by: string };

/** Adds pieces to what was counted of a coin; returns the sum, or null when the coin is not on the sheet. */
export async function addCount(tx: Tx, { stocktakeId, coinId, quantity, expected, at, by }: NewCount): Promise<number | null> {
  const [row] = await tx
    .update(lines)
    .set({
      counted: sql`coalesce(${lines.counted}, 0) + ${quantity}`,
      expected,
      firstExpected: sql`coalesce(${lines.firstExpected}, ${expected})`,
      countedAt: at,
      countedBy: by,
    })
    .where(and(eq(lines.stocktakeId, stocktakeId), eq(lines.coinId, coinId)))
    .returning({ counted: lines.counted });
  return row?.counted ?? null;
}

/** Says how many pieces are there, whatever was counted before; null when the coin is not on the sheet. */
export async function setCount(tx: Tx, { stocktakeId, coinId, quantity, expected, at, by }: NewCount): Promise<number | null> {
  const [row] = await tx
    .update(lines)
    .set({ counted: quantity, expected, firstExpected: expected, countedAt: at, countedBy: by })
    .where(and(eq(lines.stocktakeId, stocktakeId), eq(lines.coinId, coinId)))
    .returning({ counted: lines.counted });
  return row?.counted ?? null;
}

export async function end(tx: Tx, id: number, { state, at, by }: { state: StocktakeState; at: Date; by: string }): Promise<void> {
  await tx.update(stocktakes).set({ state, endedAt: at, endedBy: by }).where(eq(stocktakes.id, id));
}
