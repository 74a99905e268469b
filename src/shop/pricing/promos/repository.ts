import { and, asc, desc, eq, gt, inArray, lt, lte, sql } from "drizzle-orm";
import { batch, hasRow, type QueryBatch, type Db, type Expression, type Tx } from "#kit/db.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";
import type { RunningPromo } from "../price.ts";
import { priceChangeItems, priceChanges, priceLists, pricePromoItems, pricePromos } from "../tables.ts";
import type { Promo, PromoAction, PromoState } from "./promo.ts";

const toPromo = (row: typeof pricePromos.$inferSelect): Promo => ({
  ...row,
  state: row.state as PromoState,
  action: row.action as PromoAction,
});

/** The items of running promos, for the price list. */
export const runningBatch = (db: Db): QueryBatch<ReadonlyMap<number, RunningPromo>> =>
  batch(
    [
      db
        .select({
          coinId: pricePromoItems.coinId,
          premiumBp: pricePromoItems.premiumBp,
          fixedPriceKopecks: pricePromoItems.fixedPriceKopecks,
          settled: pricePromoItems.settledKopecks,
          endsAt: pricePromos.endsAt,
        })
        .from(pricePromos)
        .innerJoin(pricePromoItems, eq(pricePromoItems.promoId, pricePromos.id))
        .where(eq(pricePromos.state, "running")),
    ],
    ([rows]) =>
      new Map(rows.map(({ coinId, settled, ...promo }) => [coinId, { ...promo, settled: settled === null ? null : kopecks(settled) }])),
  );

export type StoredPromoItem = {
  coinId: number;
  premiumBefore: number;
  fixedPriceBefore: number | null;
  premiumBp: number | null;
  fixedPriceKopecks: number | null;
};

type NewPromo = Pick<Promo, "action" | "label" | "startsAt" | "endsAt" | "coins" | "createdAt" | "createdBy" | "approvalReason">;

export async function insert(tx: Tx, promo: NewPromo, items: readonly StoredPromoItem[]): Promise<number> {
  const [row] = await tx
    .insert(pricePromos)
    .values({ ...promo, state: "scheduled" })
    .returning({ id: pricePromos.id });
  if (!row) throw new Error("a promo was not stored");
  const values = JSON.stringify(
    items.map((item) => ({
      c: item.coinId,
      pb: item.premiumBefore,
      fb: item.fixedPriceBefore,
      p: item.premiumBp,
      f: item.fixedPriceKopecks,
    })),
  );
  await tx.execute(sql`insert into ${pricePromoItems}
      (promo_id, coin_id, premium_before, fixed_price_before, premium_bp, fixed_price_kopecks)
    select ${row.id}, v.c, v.pb, v.fb, v.p, v.f
    from jsonb_to_recordset(${values}::jsonb) as v(c int, pb int, fb bigint, p int, f bigint)`);
  return row.id;
}

/** A scheduled or running promo of one of these coins within the span, with the ids of the coins that both have. */
export async function overlapping(
  tx: Tx,
  coinIds: readonly number[],
  span: { from: Date; till: Date },
): Promise<{ promo: Promo; coinIds: number[] } | null> {
  const [first] = await tx
    .select({ promo: pricePromos, coinIds: sql<number[]>`array_agg(${pricePromoItems.coinId} order by ${pricePromoItems.coinId})` })
    .from(pricePromos)
    .innerJoin(pricePromoItems, eq(pricePromoItems.promoId, pricePromos.id))
    .where(
      and(
        inArray(pricePromos.state, ["scheduled", "running"]),
        lt(pricePromos.startsAt, span.till),
        gt(pricePromos.endsAt, span.from),
        sql`${pricePromoItems.coinId} = any(${sql.param([...coinIds])}::int[])`,
      ),
    )
    .groupBy(pricePromos.id)
    .orderBy(asc(pricePromos.startsAt))
    .limit(1);
  return first ? { promo: toPromo(first.promo), coinIds: first.coinIds } : null;
}

export async function find(db: Db, id: number): Promise<Promo | null> {
  const [row] = await db.select().from(pricePromos).where(eq(pricePromos.id, id));
  return row ? toPromo(row) : null;
}

export async function lock(tx: Tx, id: number): Promise<Promo | null> {
  const [row] = await tx.select().from(pricePromos).where(eq(pricePromos.id, id)).for("update");
  return row ? toPromo(row) : null;
}

export async function list(db: Db, { before, limit }: { before: number | null; limit: number }): Promise<Promo[]> {
  const rows = await db
    .select()
    .from(pricePromos)
    .where(before === null ? undefined : lt(pricePromos.id, before))
    .orderBy(desc(pricePromos.id))
    .limit(limit);
  return rows.map(toPromo);
}

/** The items of a promo by coin, `after` being the last coin of the page before. */
export async function items(
  db: Db,
  promoId: number,
  page: { after: number; limit: number } | null = null,
): Promise<(StoredPromoItem & { settled: Kopecks | null })[]> {
  const query = db
    .select()
    .from(pricePromoItems)
    .where(and(eq(pricePromoItems.promoId, promoId), page ? gt(pricePromoItems.coinId, page.after) : undefined))
    .orderBy(asc(pricePromoItems.coinId));
  const rows = await (page ? query.limit(page.limit) : query);
  return rows.map(({ promoId: _promoId, settledKopecks, ...item }) => ({
    ...item,
    settled: settledKopecks === null ? null : kopecks(settledKopecks),
  }));
}

type Change = Partial<Pick<Promo, "state" | "startedAt" | "endedAt" | "closedBy" | "refusal" | "crossedOut">>;
export async function update(tx: Tx, id: number, change: Change): Promise<void> {
  await tx.update(pricePromos).set(change).where(eq(pricePromos.id, id));
}

export const hasDue = (now: Date): Expression => hasRow(pricePromos, isDue(now));

/** Locks the promo that has to start or end first; ends come before starts of the same moment. */
export async function lockDue(tx: Tx, now: Date): Promise<Promo | null> {
  const [row] = await tx
    .select()
    .from(pricePromos)
    .where(isDue(now))
    .orderBy(
      sql`case when ${pricePromos.state} = 'running' then ${pricePromos.endsAt} else ${pricePromos.startsAt} end`,
      sql`${pricePromos.state} = 'scheduled'`,
      asc(pricePromos.id),
    )
    .limit(1)
    .for("update");
  return row ? toPromo(row) : null;
}

const isDue = (now: Date) => {
  const at = sql`${now.toISOString()}::timestamptz`;
  return sql`(${pricePromos.state} = 'scheduled' and ${pricePromos.startsAt} <= ${at})
    or (${pricePromos.state} = 'running' and ${pricePromos.endsAt} <= ${at})`;
};

export async function saveSettled(tx: Tx, promoId: number, settled: ReadonlyMap<number, Kopecks>): Promise<void> {
  const values = JSON.stringify([...settled].map(([coinId, amount]) => ({ c: coinId, k: amount })));
  await tx.execute(sql`update ${pricePromoItems} set settled_kopecks = v.k
    from jsonb_to_recordset(${values}::jsonb) as v(c int, k bigint)
    where promo_id = ${promoId} and coin_id = v.c`);
}

/** Removes the settled prices of coins in running promos, and counts them out. */
export async function forgetSettled(tx: Tx, coinIds: readonly number[]): Promise<void> {
  await tx.execute(sql`
    with gone as (
      update ${pricePromoItems} set settled_kopecks = null from ${pricePromos}
      where ${pricePromos.id} = ${pricePromoItems.promoId} and ${pricePromos.state} = 'running'
        and ${pricePromoItems.settledKopecks} is not null and ${pricePromoItems.coinId} = any(${sql.param([...coinIds])}::int[])
      returning ${pricePromoItems.promoId} as promo_id)
    update ${pricePromos} set crossed_out = crossed_out - gone_of.coins
    from (select promo_id, count(*)::int as coins from gone group by promo_id) as gone_of where ${pricePromos.id} = gone_of.promo_id`);
}

/** The rates of the price list in a span, beginning with those in effect at its start, oldest first. */
export async function ratesSince(tx: Tx, from: Date): Promise<{ from: Date; goldE4: number; silverE4: number }[]> {
  const columns = { from: priceLists.madeAt, goldE4: priceLists.goldE4, silverE4: priceLists.silverE4 };
  const before = await tx.select(columns).from(priceLists).where(lte(priceLists.madeAt, from)).orderBy(desc(priceLists.version)).limit(1);
  const since = await tx.select(columns).from(priceLists).where(gt(priceLists.madeAt, from)).orderBy(asc(priceLists.version));
  return [...before, ...since];
}

type AppliedItem = {
  coinId: number;
  at: Date;
  premiumBefore: number;
  premiumAfter: number;
  fixedPriceBefore: number | null;
  fixedPriceAfter: number | null;
};

/** What changed the coins' prices after a moment, oldest first. */
export async function changesSince(tx: Tx, coinIds: readonly number[], from: Date): Promise<AppliedItem[]> {
  const rows = await tx
    .select({
      coinId: priceChangeItems.coinId,
      at: priceChanges.appliedAt,
      premiumBefore: priceChangeItems.premiumBefore,
      premiumAfter: priceChangeItems.premiumAfter,
      fixedPriceBefore: priceChangeItems.fixedPriceBefore,
      fixedPriceAfter: priceChangeItems.fixedPriceAfter,
    })
    .from(priceChangeItems)
    .innerJoin(priceChanges, eq(priceChanges.id, priceChangeItems.changeId))
    .where(
      and(
        sql`${priceChangeItems.coinId} = any(${sql.param([...coinIds])}::int[])`,
        eq(priceChangeItems.outcome, "changed"),
        gt(priceChanges.appliedAt, from),
      ),
    )
    .orderBy(asc(priceChanges.appliedAt), asc(priceChanges.id));
  return rows.flatMap(({ at, ...row }) => (at === null ? [] : [{ ...row, at }]));
}

export type EarlierPromo = { coinId: number; from: Date; till: Date; premiumBp: number | null; fixedPriceKopecks: number | null };

/** Promos of the coins that ran after a moment and are over. */
export async function endedSince(tx: Tx, coinIds: readonly number[], from: Date): Promise<EarlierPromo[]> {
  const rows = await tx
    .select({
      coinId: pricePromoItems.coinId,
      from: pricePromos.startedAt,
      till: pricePromos.endedAt,
      premiumBp: pricePromoItems.premiumBp,
      fixedPriceKopecks: pricePromoItems.fixedPriceKopecks,
    })
    .from(pricePromoItems)
    .innerJoin(pricePromos, eq(pricePromos.id, pricePromoItems.promoId))
    .where(
      and(
        eq(pricePromos.state, "ended"),
        gt(pricePromos.endedAt, from),
        sql`${pricePromoItems.coinId} = any(${sql.param([...coinIds])}::int[])`,
      ),
    );
  return rows.flatMap(({ from: start, till, ...row }) => (start === null || till === null ? [] : [{ ...row, from: start, till }]));
}
