import { and, asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { batch, type QueryBatch, type Db, type Tx } from "#kit/db.ts";
import type { Metal } from "#shop/catalog/coin.ts";
import { priceSteps } from "../tables.ts";
import type { PriceStep } from "../price.ts";
import type { StepScope, StepSet } from "./steps.ts";

const stored = z.array(z.object({ quantity: z.int(), discountBp: z.int() }));

const select = (db: Db) => db.select().from(priceSteps).orderBy(asc(priceSteps.coinId));
const toSets = (rows: Awaited<ReturnType<typeof select>>): Omit<StepSet, "title">[] =>
  rows.map(({ id: _id, metal, steps, ...row }) => ({ ...row, metal: metal as Metal | null, steps: stored.parse(steps) }));

export const readSteps = async (db: Db): Promise<Omit<StepSet, "title">[]> => toSets(await select(db));
export const stepsBatch = (db: Db): QueryBatch<Omit<StepSet, "title">[]> => batch([select(db)], ([rows]) => toSets(rows));

const isOf = (scope: StepScope) => ("metal" in scope ? eq(priceSteps.metal, scope.metal) : eq(priceSteps.coinId, scope.coinId));

/** Writes the steps if their revision is still this one; 0: there are none yet. */
export async function writeSteps(
  tx: Tx,
  scope: StepScope,
  revision: number,
  to: { steps: readonly PriceStep[]; updatedAt: Date; updatedBy: string },
): Promise<boolean> {
  const written =
    revision === 0
      ? await tx
          .insert(priceSteps)
          .values({ ...scope, ...to, steps: [...to.steps], revision: 1 })
          .onConflictDoNothing()
          .returning({ id: priceSteps.id })
      : await tx
          .update(priceSteps)
          .set({ ...to, steps: [...to.steps], revision: sql`${priceSteps.revision} + 1` })
          .where(and(isOf(scope), eq(priceSteps.revision, revision)))
          .returning({ id: priceSteps.id });
  return written.length === 1;
}

/** Deletes a coin's own steps: those of its metal hold again. */
export async function deleteSteps(tx: Tx, scope: StepScope, revision: number): Promise<boolean> {
  const gone = await tx
    .delete(priceSteps)
    .where(and(isOf(scope), eq(priceSteps.revision, revision)))
    .returning({ id: priceSteps.id });
  return gone.length === 1;
}
