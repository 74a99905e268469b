import { desc, eq, sql } from "drizzle-orm";
import { pipelineTransaction, type QueryBatch, type Db, type Tx } from "#kit/db.ts";
import type { QuantitySteps, RunningPromo } from "./price.ts";
import { runningBatch } from "./promos/repository.ts";
import { stepsBatch } from "./steps/repository.ts";
import { quantitySteps } from "./steps/steps.ts";
import { priceLists } from "./tables.ts";

export type PriceListRow = { version: number; goldE4: number; silverE4: number; ratesAt: Date; madeAt: Date };

/** Serialises `refresh` of several processes until the end of the transaction, so that one rate makes one list. */
export async function lockLists(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('pricing.refresh'))`);
}

export async function newest(db: Db): Promise<PriceListRow | null> {
  const [row] = await selectNewest(db);
  return row ?? null;
}

export async function byVersion(db: Db, version: number): Promise<PriceListRow | null> {
  const [row] = await db.select().from(priceLists).where(eq(priceLists.version, version));
  return row ?? null;
}

/** The newest list and then the rates, steps and promos, which are therefore not older than the list. One round trip. */
export async function newestWithMetals<Metals>(
  db: Db,
  readMetals: (tx: Tx) => QueryBatch<Metals>,
): Promise<{ list: PriceListRow | null; metals: Metals; steps: QuantitySteps; promos: ReadonlyMap<number, RunningPromo> }> {
  const [[row], metals, steps, promos] = await pipelineTransaction(db, (tx) => [
    selectNewest(tx),
    readMetals(tx),
    stepsBatch(tx),
    runningBatch(tx),
  ]);
  return { list: row ?? null, metals, steps: quantitySteps(steps), promos };
}

const selectNewest = (db: Db) => db.select().from(priceLists).orderBy(desc(priceLists.version)).limit(1);

export async function append(tx: Tx, list: Omit<PriceListRow, "version">): Promise<void> {
  await tx.insert(priceLists).values(list);
}

/** Adds a version with the rates of the newest list, for a change of prices that no rate caused; null before the first list. */
export async function appendSame(tx: Tx, madeAt: Date): Promise<number | null> {
  const [newest] = await selectNewest(tx);
  if (!newest) return null;
  const { goldE4, silverE4, ratesAt } = newest;
  const [added] = await tx.insert(priceLists).values({ goldE4, silverE4, ratesAt, madeAt }).returning({ version: priceLists.version });
  return added?.version ?? null;
}
