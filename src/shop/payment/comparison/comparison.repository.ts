import { desc, eq } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { paymentComparisons, paymentDifferences } from "../tables.ts";

export async function isCompared(db: Db, day: string): Promise<boolean> {
  const [row] = await db.select({ day: paymentComparisons.day }).from(paymentComparisons).where(eq(paymentComparisons.day, day));
  return row !== undefined;
}

export async function saveComparison(tx: Tx, comparison: { day: string; at: Date; differences: number }): Promise<void> {
  await tx
    .insert(paymentComparisons)
    .values({ day: comparison.day, comparedAt: comparison.at, differences: comparison.differences })
    .onConflictDoNothing();
}

export type Difference = {
  kind:
    | "unknown_here"
    | "unknown_there"
    | "state"
    | "amount"
    | "refunded"
    | "refund_unknown_here"
    | "refund_unknown_there"
    | "refund_state"
    | "refund_amount";
  provider: string;
  providerId: string;
  paymentId: string | null;
  orderId: string | null;
  ours: string;
  theirs: string;
};

/** Inserts a difference; false when it is already stored. */
export async function insertDifference(tx: Tx, difference: Difference, at: Date): Promise<boolean> {
  const inserted = await tx
    .insert(paymentDifferences)
    .values({ ...difference, foundAt: at })
    .onConflictDoNothing()
    .returning({ id: paymentDifferences.id });
  return inserted.length === 1;
}

export async function differences(db: Db, limit: number): Promise<(Difference & { foundAt: Date })[]> {
  const rows = await db.select().from(paymentDifferences).orderBy(desc(paymentDifferences.id)).limit(limit);
  return rows.map((row) => ({ ...row, kind: row.kind as Difference["kind"] }));
}
