import { and, asc, count, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import type { PackingOutcome, Packer, PostponeReason } from "./packing.ts";
import { packedPieces, packingBatches, packingOrders } from "./tables.ts";

export type PackingEntryRow = {
  batchId: number;
  orderId: string;
  place: number;
  outcome: PackingOutcome | null;
  reason: PostponeReason | null;
  packer: (Packer & { seenAt: Date }) | null;
};

const toEntry = (row: typeof packingOrders.$inferSelect): PackingEntryRow => ({
  batchId: row.batchId,
  orderId: row.orderId,
  place: row.place,
  outcome: row.outcome as PackingOutcome | null,
  reason: row.reason as PostponeReason | null,
  packer:
    row.packer !== null && row.packerSeenAt !== null
      ? { login: row.packer, name: row.packerName ?? row.packer, seenAt: row.packerSeenAt }
      : null,
});

/** Ids of the orders that are in an open place. */
export async function openOrderIds(db: Db): Promise<string[]> {
  const rows = await db.select({ orderId: packingOrders.orderId }).from(packingOrders).where(isNull(packingOrders.outcome));
  return rows.map(({ orderId }) => orderId);
}

/** Makes a batch of the orders that are in no other open one; null when none is left. */
export async function insertBatch(tx: Tx, { actor }: Pick<Ctx, "actor">, orderIds: readonly string[], at: Date): Promise<number | null> {
  const [batch] = await tx
    .insert(packingBatches)
    .values({ createdAt: at, actor: actorText(actor) })
    .returning({ id: packingBatches.id });
  if (!batch) throw new Error("the insert into packing_batches returned no id");
  // Sorted: two packers who take the same orders at once must not wait for each other.
  const placed = await tx
    .insert(packingOrders)
    .values(
      orderIds
        .map((orderId, index) => ({ batchId: batch.id, orderId, place: index + 1 }))
        .toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1)),
    )
    .onConflictDoNothing()
    .returning({ orderId: packingOrders.orderId });
  if (placed.length > 0) return batch.id;
  await tx.delete(packingBatches).where(eq(packingBatches.id, batch.id));
  return null;
}

export async function batch(
  db: Db,
  id: number,
): Promise<{ id: number; createdAt: Date; closedAt: Date | null; entries: PackingEntryRow[] } | null> {
  const [found] = await db.select().from(packingBatches).where(eq(packingBatches.id, id));
  if (!found) return null;
  const entries = await db.select().from(packingOrders).where(eq(packingOrders.batchId, id)).orderBy(asc(packingOrders.place));
  return { id: found.id, createdAt: found.createdAt, closedAt: found.closedAt, entries: entries.map(toEntry) };
}

export async function openBatches(db: Db): Promise<{ id: number; createdAt: Date; actor: string; orders: number; ended: number }[]> {
  return db
    .select({
      id: packingBatches.id,
      createdAt: packingBatches.createdAt,
      actor: packingBatches.actor,
      orders: count(),
      ended: count(packingOrders.outcome),
    })
    .from(packingBatches)
    .innerJoin(packingOrders, eq(packingOrders.batchId, packingBatches.id))
    .where(isNull(packingBatches.closedAt))
    .groupBy(packingBatches.id)
    .orderBy(asc(packingBatches.id));
}

/** Why these orders were last taken out of a batch. */
export async function postponed(db: Db, orderIds: readonly string[]): Promise<Map<string, PostponeReason>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([packingOrders.orderId], { orderId: packingOrders.orderId, reason: packingOrders.reason })
    .from(packingOrders)
    .where(inArray(packingOrders.orderId, [...orderIds]))
    .orderBy(packingOrders.orderId, desc(packingOrders.batchId));
  return new Map(rows.flatMap(({ orderId, reason }) => (reason === null ? [] : [[orderId, reason as PostponeReason]])));
}

/** Checked pieces of a batch by order and coin. */
export async function checked(db: Db, batchId: number): Promise<Map<string, Map<number, number>>> {
  const rows = await db.select().from(packedPieces).where(eq(packedPieces.batchId, batchId));
  const byOrder = new Map<string, Map<number, number>>();
  for (const { orderId, coinId, checked: pieces } of rows) {
    const ofOrder = byOrder.get(orderId) ?? new Map<number, number>();
    byOrder.set(orderId, ofOrder.set(coinId, pieces));
  }
  return byOrder;
}

/** Locks the place of an order in a batch: every change of it waits for this lock, and the order itself is locked after it. */
export async function lockEntry(tx: Tx, batchId: number, orderId: string): Promise<PackingEntryRow | null> {
  const [row] = await tx
    .select()
    .from(packingOrders)
    .where(and(eq(packingOrders.batchId, batchId), eq(packingOrders.orderId, orderId)))
    .for("update");
  return row ? toEntry(row) : null;
}

export async function saveEntry(
  tx: Tx,
  { batchId, orderId }: PackingEntryRow,
  change: Partial<Omit<typeof packingOrders.$inferInsert, "outcome" | "reason">> & { outcome?: PackingOutcome; reason?: PostponeReason },
): Promise<void> {
  await tx
    .update(packingOrders)
    .set(change)
    .where(and(eq(packingOrders.batchId, batchId), eq(packingOrders.orderId, orderId)));
}

export async function saveChecked(tx: Tx, { batchId, orderId }: PackingEntryRow, coinId: number, pieces: number): Promise<void> {
  await tx
    .insert(packedPieces)
    .values({ batchId, orderId, coinId, checked: pieces })
    .onConflictDoUpdate({ target: [packedPieces.batchId, packedPieces.orderId, packedPieces.coinId], set: { checked: pieces } });
}

/** Closes a batch of which no order is left to pack. */
export async function closeIfEnded(tx: Tx, batchId: number, at: Date): Promise<void> {
  // Two packers may end the last two orders at once: the second waits here and then sees both.
  await tx.select({ id: packingBatches.id }).from(packingBatches).where(eq(packingBatches.id, batchId)).for("update");
  await tx
    .update(packingBatches)
    .set({ closedAt: at })
    .where(
      and(
        eq(packingBatches.id, batchId),
        sql`not exists (select 1 from ${packingOrders} where ${packingOrders.batchId} = ${batchId} and ${packingOrders.outcome} is null)`,
      ),
    );
}
