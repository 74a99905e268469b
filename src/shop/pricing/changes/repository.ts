import { and, asc, desc, eq, getTableColumns, lt, lte, sql } from "drizzle-orm";
import { hasRow, type Db, type Expression, type Tx } from "#kit/db.ts";
import type { CoinPrices } from "#shop/catalog/prices/prices.ts";
import { priceChangeItems, priceChanges } from "../tables.ts";
import type { ItemOutcome, PriceAction, PriceChange, PriceChangeKind, PriceChangeState } from "./price-change.ts";

export type StoredItem = { coinId: number; before: CoinPrices; after: CoinPrices; outcome: ItemOutcome };

const undoneBy = sql<number | null>`(select max(later.id) from ${priceChanges} later
  where later.undoes = price_changes.id and later.changed > 0)`.mapWith(Number);

const select = (db: Db) => db.select({ ...getTableColumns(priceChanges), undoneBy }).from(priceChanges);

/** The table's checks allow only these kinds and states; the action was stored from the same type. */
const toChange = ({
  closedBy: _closedBy,
  priceListVersion: _version,
  ...row
}: Awaited<ReturnType<typeof select>>[number]): PriceChange => ({
  ...row,
  kind: row.kind as PriceChangeKind,
  state: row.state as PriceChangeState,
  action: row.action as PriceAction | null,
  undoneBy: row.undoneBy === 0 ? null : row.undoneBy,
});

export async function find(db: Db, id: number): Promise<PriceChange | null> {
  const [row] = await select(db).where(eq(priceChanges.id, id));
  return row ? toChange(row) : null;
}

/** Locks a change until the transaction ends. */
export async function lock(tx: Tx, id: number): Promise<PriceChange | null> {
  await tx.select({ id: priceChanges.id }).from(priceChanges).where(eq(priceChanges.id, id)).for("update");
  return find(tx, id);
}

export async function list(db: Db, before: number | null, limit: number): Promise<PriceChange[]> {
  const rows = await select(db)
    .where(before === null ? undefined : lt(priceChanges.id, before))
    .orderBy(desc(priceChanges.id))
    .limit(limit);
  return rows.map(toChange);
}

/** Scheduled changes, soonest first. */
export async function scheduled(db: Db, limit: number): Promise<PriceChange[]> {
  const rows = await select(db)
    .where(eq(priceChanges.state, "scheduled"))
    .orderBy(asc(priceChanges.dueAt), asc(priceChanges.id))
    .limit(limit);
  return rows.map(toChange);
}

const isDue = (now: Date) => and(eq(priceChanges.state, "scheduled"), lte(priceChanges.dueAt, now));

export const hasDue = (now: Date): Expression => hasRow(priceChanges, isDue(now));

/** The oldest change whose time has come and that no other process applies now; locked until the transaction ends. */
export async function lockDue(tx: Tx, now: Date): Promise<PriceChange | null> {
  const [due] = await tx
    .select({ id: priceChanges.id })
    .from(priceChanges)
    .where(isDue(now))
    .orderBy(asc(priceChanges.dueAt), asc(priceChanges.id))
    .limit(1)
    .for("update", { skipLocked: true });
  return due ? find(tx, due.id) : null;
}

export type NewChange = Pick<
  typeof priceChanges.$inferInsert,
  "kind" | "state" | "action" | "label" | "undoes" | "coins" | "createdAt" | "createdBy" | "dueAt" | "approvalReason" | "appliedAt"
>;

export async function insert(tx: Tx, change: NewChange): Promise<number> {
  const [row] = await tx.insert(priceChanges).values(change).returning({ id: priceChanges.id });
  if (!row) throw new Error("a price change was not stored");
  return row.id;
}

export type Closing = Partial<
  Pick<typeof priceChanges.$inferInsert, "state" | "appliedAt" | "changed" | "stale" | "closedBy" | "refusal" | "priceListVersion">
>;
export async function update(tx: Tx, id: number, to: Closing): Promise<void> {
  await tx.update(priceChanges).set(to).where(eq(priceChanges.id, id));
}

/** Stores the items of a change in one statement, in place of those it had. */
export async function writeItems(tx: Tx, changeId: number, items: readonly StoredItem[]): Promise<void> {
  const values = items.map(({ coinId, before, after, outcome }) => ({
    c: coinId,
    pb: before.premiumBp,
    pa: after.premiumBp,
    bb: before.buybackBp,
    ba: after.buybackBp,
    fb: before.fixedPriceKopecks,
    fa: after.fixedPriceKopecks,
    gb: before.fixedBuybackKopecks,
    ga: after.fixedBuybackKopecks,
    o: outcome,
  }));
  const i = priceChangeItems;
  await tx.execute(sql`insert into ${i} (change_id, coin_id, premium_before, premium_after, buyback_before, buyback_after,
      fixed_price_before, fixed_price_after, fixed_buyback_before, fixed_buyback_after, outcome)
    select ${changeId}, v.c, v.pb, v.pa, v.bb, v.ba, v.fb, v.fa, v.gb, v.ga, v.o
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
      as v(c int, pb int, pa int, bb int, ba int, fb bigint, fa bigint, gb bigint, ga bigint, o text)
    on conflict (change_id, coin_id) do update set premium_before = excluded.premium_before, premium_after = excluded.premium_after,
      buyback_before = excluded.buyback_before, buyback_after = excluded.buyback_after,
      fixed_price_before = excluded.fixed_price_before, fixed_price_after = excluded.fixed_price_after,
      fixed_buyback_before = excluded.fixed_buyback_before, fixed_buyback_after = excluded.fixed_buyback_after,
      outcome = excluded.outcome`);
}

/** The items of a change by coin, `after` being the last coin of the page before. */
export async function items(db: Db, changeId: number, page: { after: number; limit: number } | null = null): Promise<StoredItem[]> {
  const query = db
    .select()
    .from(priceChangeItems)
    .where(and(eq(priceChangeItems.changeId, changeId), page ? sql`${priceChangeItems.coinId} > ${page.after}` : undefined))
    .orderBy(asc(priceChangeItems.coinId));
  const rows = await (page ? query.limit(page.limit) : query);
  return rows.map((row) => ({
    coinId: row.coinId,
    before: {
      premiumBp: row.premiumBefore,
      buybackBp: row.buybackBefore,
      fixedPriceKopecks: row.fixedPriceBefore,
      fixedBuybackKopecks: row.fixedBuybackBefore,
    },
    after: {
      premiumBp: row.premiumAfter,
      buybackBp: row.buybackAfter,
      fixedPriceKopecks: row.fixedPriceAfter,
      fixedBuybackKopecks: row.fixedBuybackAfter,
    },
    outcome: row.outcome as ItemOutcome,
  }));
}
