import { and, eq, exists, gt, inArray, lt, notExists, notLike, sql } from "drizzle-orm";
import { batch, deleteInBatches, preparedQuery, type Db, type Placeholders, type QueryBatch, type Tx } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import type { OwnerKey } from "#shop/context.ts";
import { unpaidStates } from "../order.ts";
import { orderHistory, orderLines, orders, unpaidOrderKeys } from "../tables.ts";
import type { ReservedCoins } from "./unpaid-limits.ts";

/** How many of this owner's orders are unpaid, and how many the buyer cancelled unpaid since this moment. */
const selectUnpaid = preparedQuery("orders_unpaid", (db, value: Placeholders<{ owner: OwnerKey; since: Date }>) => {
  const isCancelledUnpaid = and(
    eq(orders.state, "cancelled"),
    eq(orders.paidKopecks, 0),
    exists(
      db
        .select({ step: orderHistory.step })
        .from(orderHistory)
        .where(
          and(
            eq(orderHistory.orderId, orders.id),
            eq(orderHistory.event, "cancel"),
            gt(orderHistory.at, sql.param(value.since, orderHistory.at)),
            notLike(sql`coalesce(${orderHistory.actor}, '')`, "staff:%"),
          ),
        ),
    ),
  );
  return db
    .select({
      unpaid: sql<number>`(count(*) filter (where ${inArray(orders.state, [...unpaidStates])}))::int`,
      cancelled: sql<number>`(count(*) filter (where ${isCancelledUnpaid}))::int`,
    })
    .from(orders)
    .where(eq(orders.owner, value.owner));
});

const selectReserved = preparedQuery("orders_reserved_by_key", (db, value: Placeholders<{ keys: readonly string[] }>) =>
  db
    .select({
      key: unpaidOrderKeys.key,
      coinId: orderLines.coinId,
      pieces: sql<number>`sum(${orderLines.quantity})::int`,
      value: sql<number>`sum(${orderLines.priceKopecks} * ${orderLines.quantity})::float8`,
    })
    .from(unpaidOrderKeys)
    .innerJoin(orders, eq(orders.id, unpaidOrderKeys.orderId))
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .where(and(sql`${unpaidOrderKeys.key} = any(${value.keys}::text[])`, inArray(orders.state, [...unpaidStates])))
    .groupBy(unpaidOrderKeys.key, orderLines.coinId),
);

/** The class of these advisory locks; no other code of this database uses it. */
const unpaidKeyLocks = 7_201;

/**
 * `unpaid`: the number of the owner's unpaid orders; `cancelled`: of those cancelled unpaid lately by the buyer; `reserved`: the coins that
 * the unpaid orders of each key reserve.
 */
export type Unpaid = { unpaid: number; cancelled: number; reserved: (ReservedCoins & { key: string })[] };

/**
 * Locks these keys until the transaction ends, always in the same order, and reads what the unpaid orders of each key reserve, per coin,
 * and how many of the owner's orders are unpaid or were cancelled unpaid since `since`. The caller has locked the owner's cart, so that the
 * counts cannot grow meanwhile.
 */
export function lockUnpaidBatch(
  tx: Tx,
  { owner, keys, since }: { owner: OwnerKey; keys: readonly string[]; since: Date },
): QueryBatch<Unpaid> {
  const sorted = [...new Set(keys)].sort();
  const lockKeys = tx.execute(
    sql`select pg_advisory_xact_lock(${unpaidKeyLocks}, hash) 
      from (select hashtext(key) as hash from unnest(${sql.param(sorted)}::text[]) as key order by 1) as keys`,
  );
  const selectCounts = selectUnpaid(tx, { owner, since });
  const counted = (found: Awaited<typeof selectCounts>) => {
    const [counts] = found;
    if (!counts) throw new Error("orders were not counted");
    return counts;
  };
  if (sorted.length === 0) return batch([selectCounts], ([counts]) => ({ ...counted(counts), reserved: [] }));
  return batch([lockKeys, selectReserved(tx, { keys: sorted }), selectCounts], ([, reserved, counts]) => ({
    ...counted(counts),
    reserved: reserved.map((row) => ({ ...row, value: kopecks(row.value) })),
  }));
}

/** Deletes keys made before this moment whose orders are no longer unpaid. */
export async function deleteUnpaidKeys(db: Db, madeBefore: Date): Promise<void> {
  const unpaid = db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.id, unpaidOrderKeys.orderId), inArray(orders.state, [...unpaidStates])));
  await deleteInBatches(db, unpaidOrderKeys, and(lt(unpaidOrderKeys.createdAt, madeBefore), notExists(unpaid)));
}
