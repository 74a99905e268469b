import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { rowsOf, type Db, type Tx } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import { metals, type Metal } from "#shop/catalog/coin.ts";
import type { Hedge, HedgeSide, NewHedge, OpenMetal, PriceLock } from "./metal.ts";
import { metalHedges } from "./tables.ts";

/**
 * How much metal is in stock, locked, bought back and hedged. Reserved pieces are those of orders whose price is locked (ledger invariant
 * I3).
 */
export async function openMetal(db: Db, now: Date): Promise<OpenMetal[]> {
  type Row = Record<"metal" | "onHand" | "pieces" | "locked" | "bought" | "deals" | "hedged" | "hedges", string>;
  const rows = await rowsOf<Row>(
    db,
    sql`
    with stock as (
      select c.metal, sum(i.on_hand::bigint * c.pure_mass_mg) as on_hand, sum(i.on_hand) as pieces,
        sum(i.reserved::bigint * c.pure_mass_mg) as locked
      from stock_items i join coins c on c.id = i.coin_id group by c.metal
    ), bought as (
      select c.metal, sum(coalesce(l.checked_quantity, l.offered_quantity)::bigint * c.pure_mass_mg) as mass, count(distinct d.id) as deals
      from buyback_deals d join buyback_lines l on l.deal_id = d.id join coins c on c.id = l.coin_id
      where d.state in ('received', 'checked', 'paid') or (d.state = 'locked' and d.locked_until > ${now.toISOString()}::timestamptz)
      group by c.metal
    ), hedged as (
      select metal, sum(case side when 'sell' then mass_mg else -mass_mg end) as mass, count(*) as hedges
      from metal_hedges where reversed_at is null group by metal
    )
    select m.metal, coalesce(s.on_hand, 0)::text as "onHand", coalesce(s.pieces, 0)::text as pieces,
      coalesce(s.locked, 0)::text as locked, coalesce(g.mass, 0)::text as hedged, coalesce(g.hedges, 0)::text as hedges,
      coalesce(b.mass, 0)::text as bought, coalesce(b.deals, 0)::text as deals
    from (values ('gold'), ('silver')) as m (metal) left join stock s using (metal) left join bought b using (metal)
      left join hedged g using (metal)`,
  );
  return metals.flatMap((metal) => {
    const row = rows.find((each) => each.metal === metal);
    if (!row) return [];
    const [onHandMg, lockedMg, boughtMg, hedgedMg] = [Number(row.onHand), Number(row.locked), Number(row.bought), Number(row.hedged)];
    const [pieces, deals, hedges] = [Number(row.pieces), Number(row.deals), Number(row.hedges)];
    return [{ metal, onHandMg, pieces, lockedMg, boughtMg, deals, hedgedMg, hedges, openMg: onHandMg - lockedMg + boughtMg - hedgedMg }];
  });
}

/** How many orders in these states have pieces of each metal. Reads all of them: some hundred milliseconds at 100,000 orders. */
export async function ordersWithMetal(db: Db, states: readonly string[]): Promise<{ metal: string; orders: number }[]> {
  return rowsOf(
    db,
    sql`
    select c.metal, count(distinct o.id)::integer as orders
    from orders o join order_lines l on l.order_id = o.id join coins c on c.id = l.coin_id
    where o.state in (select jsonb_array_elements_text(${JSON.stringify(states)}::jsonb)) and l.quantity > l.dropped
    group by c.metal`,
  );
}

/** Prices locked for unpaid orders and for carts, those that end first. */
export async function locks(db: Db, now: Date, limit: number): Promise<PriceLock[]> {
  type Row = { id: string | null; number: string | null; gold: string; silver: string; since: Date | string; until: Date | string };
  const at = now.toISOString();
  const rows = await rowsOf<Row>(
    db,
    sql`
    with held as (
      select o.id, o.number, o.created_at as since, o.reserved_until as until, l.coin_id, l.quantity - l.dropped as quantity
      from orders o join order_lines l on l.order_id = o.id
      where o.reserved_until > ${at}::timestamptz
      union all
      select null, null, q.created_at, q.expires_at, line."coinId", line.quantity
      from quotes q, jsonb_to_recordset(q.lines) as line ("coinId" integer, quantity integer)
      where q.used_by_order_id is null and q.replaced_at is null and q.expires_at > ${at}::timestamptz
    )
    select h.id, h.number::text as number, h.since, h.until,
      coalesce(sum(h.quantity::bigint * c.pure_mass_mg) filter (where c.metal = 'gold'), 0)::text as gold,
      coalesce(sum(h.quantity::bigint * c.pure_mass_mg) filter (where c.metal = 'silver'), 0)::text as silver
    from held h join coins c on c.id = h.coin_id
    group by h.id, h.number, h.since, h.until order by h.until limit ${limit}`,
  );
  return rows.map(({ id, number, gold, silver, since, until }) => ({
    order: id !== null && number !== null ? { id, number: Number(number) } : null,
    goldMg: Number(gold),
    silverMg: Number(silver),
    since: new Date(since),
    until: new Date(until),
  }));
}

type Row = typeof metalHedges.$inferSelect;
const toHedge = ({ priceKopecks, ...row }: Row): Hedge => ({
  ...row,
  metal: row.metal as Metal,
  side: row.side as HedgeSide,
  price: kopecks(priceKopecks),
});

/** Hedges, newest first. */
export async function hedges(db: Db, { before, limit }: { before: number | null; limit: number }): Promise<Hedge[]> {
  const rows = await db
    .select()
    .from(metalHedges)
    .where(before === null ? undefined : lt(metalHedges.id, before))
    .orderBy(desc(metalHedges.id))
    .limit(limit);
  return rows.map(toHedge);
}

export async function insert(tx: Tx, { price, ...hedge }: NewHedge, of: Pick<Row, "createdAt" | "createdBy">): Promise<Hedge> {
  const [row] = await tx
    .insert(metalHedges)
    .values({ ...hedge, priceKopecks: price, ...of })
    .returning();
  if (!row) throw new Error("a hedge was not stored");
  return toHedge(row);
}

/** Null: there is no such hedge. One that was reversed before stays as it is. */
export async function reverse(
  tx: Tx,
  id: number,
  of: { reversedAt: Date; reversedBy: string; reversalReason: string },
): Promise<Hedge | null> {
  await tx
    .update(metalHedges)
    .set(of)
    .where(and(eq(metalHedges.id, id), isNull(metalHedges.reversedAt)));
  const [row] = await tx.select().from(metalHedges).where(eq(metalHedges.id, id));
  return row ? toHedge(row) : null;
}
