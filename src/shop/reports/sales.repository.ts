import { sql, type SQL } from "drizzle-orm";
import { rowsOf, type Db } from "#kit/db.ts";

/** Instants, the second one excluded. */
export type Span = { from: Date; before: Date };

export const groupings = ["day", "coin", "order", "delivery", "payment", "buyer", "channel", "source"] as const;
export type Grouping = (typeof groupings)[number];

/** Sums of a group; kopecks. Sums over metal leave out pieces whose metal or rate is not known, sums over cost those of unknown cost. */
export type SalesRow = {
  key: string;
  label: string | null;
  orders: number;
  pieces: number;
  goods: number;
  overMetal: number;
  overGold: number;
  overSilver: number;
  overCost: number;
  costedPieces: number;
};

const groupOf: Readonly<Record<Grouping, { key: SQL; label: SQL }>> = {
  day: { key: sql`s.day::text`, label: sql`null::text` },
  coin: { key: sql`s.coin_id::text`, label: sql`max(s.title)` },
  order: { key: sql`s.order_id`, label: sql`max(s.number)::text` },
  delivery: { key: sql`s.delivery_id::text`, label: sql`null::text` },
  payment: { key: sql`s.payment_method_id::text`, label: sql`null::text` },
  buyer: { key: sql`case when s.customer_id is null then 'guest' else 'customer' end`, label: sql`null::text` },
  channel: { key: sql`s.channel`, label: sql`null::text` },
  source: {
    key: sql`concat_ws('|', s.channel, s.source_name, s.source_campaign)`,
    label: sql`concat_ws(', ', max(s.source_name), max(s.source_campaign))`,
  },
};
/** Groups that sold most come first; days and orders are ordered by time. */
const mostSold = sql`sum(s.pieces * s.price_kopecks) desc`;
const orderOf: Readonly<Record<Grouping, SQL>> = {
  day: sql`1`,
  coin: sql`${mostSold}, 1`,
  order: sql`max(s.paid_at) desc`,
  delivery: mostSold,
  payment: mostSold,
  buyer: mostSold,
  channel: mostSold,
  source: sql`${mostSold}, 1`,
};

/** Moscow is three hours ahead of UTC all year (kit/moscow-time.ts). */
export const moscowDay = (at: SQL): SQL => sql`((${at} at time zone 'UTC') + interval '3 hours')::date`;

/**
 * What was paid for in the span, without what was dropped, returned or cancelled since. Metal at the rate that the order's price was made
 * from. Reads the tables of orders, prices and stock (docs/decisions/0069). At most `limit` groups; `all`: everything as one group, also
 * what the limit left out, in which an order counts once.
 */
export async function sales(db: Db, { from, before }: Span, by: Grouping, limit: number): Promise<{ groups: SalesRow[]; all: SalesRow }> {
  const { key, label } = groupOf[by];
  type Row = Record<"key" | "pieces" | "goods" | "overMetal" | "overGold" | "overSilver" | "overCost" | "costed", string>;
  const found = await rowsOf<Row & { label: string | null; orders: number; isAll: boolean }>(
    db,
    sql`
    with sale as (
      select o.id as order_id, o.number, o.paid_at, ${moscowDay(sql`o.paid_at`)} as day, o.customer_id, o.delivery_id, o.payment_method_id,
        case when o.linked_order_id is not null then 'staff' else coalesce(o.source_channel, 'unknown') end as channel,
        case when o.linked_order_id is null then o.source_name end as source_name,
        case when o.linked_order_id is null then o.source_campaign end as source_campaign,
        l.coin_id, l.title, l.price_kopecks, l.quantity - l.dropped - l.returned as pieces, c.metal,
        round((l.quantity - l.dropped - l.returned) * (l.price_kopecks - c.pure_mass_mg::numeric
          * nullif(case c.metal when 'gold' then p.gold_e_4 else p.silver_e_4 end, 0) / 100000))::bigint as over_metal
      from orders o join order_lines l on l.order_id = o.id
        left join coins c on c.id = l.coin_id left join price_lists p on p.version = o.price_list_version
      where o.paid_at >= ${from.toISOString()}::timestamptz and o.paid_at < ${before.toISOString()}::timestamptz
        and o.state not in ('cancelled', 'returned') and l.quantity > l.dropped + l.returned
    ), cost as (
      select e.order_id, e.coin_id, -sum(e.costed_pieces) as costed, -sum(e.cost_kopecks) as cost
      from stock_entries e where e.order_id in (select order_id from sale) group by e.order_id, e.coin_id
    )
    select ${key} as key, ${label} as label, grouping(${key}) = 1 as "isAll", count(distinct s.order_id)::integer as orders,
      coalesce(sum(s.pieces), 0)::text as pieces, coalesce(sum(s.pieces * s.price_kopecks), 0)::text as goods,
      coalesce(sum(s.over_metal), 0)::text as "overMetal",
      coalesce(sum(s.over_metal) filter (where s.metal = 'gold'), 0)::text as "overGold",
      coalesce(sum(s.over_metal) filter (where s.metal = 'silver'), 0)::text as "overSilver",
      coalesce(sum(k.costed * s.price_kopecks - k.cost), 0)::text as "overCost", coalesce(sum(k.costed), 0)::text as costed
    from sale s left join cost k on k.order_id = s.order_id and k.coin_id = s.coin_id
    group by grouping sets ((${key}), ()) order by grouping(${key}) desc, ${orderOf[by]} limit ${limit + 1}`,
  );
  const [all, ...groups] = found.map(({ costed, isAll, ...row }) => ({
    ...row,
    key: isAll ? "" : row.key,
    pieces: Number(row.pieces),
    goods: Number(row.goods),
    overMetal: Number(row.overMetal),
    overGold: Number(row.overGold),
    overSilver: Number(row.overSilver),
    overCost: Number(row.overCost),
    costedPieces: Number(costed),
  }));
  if (!all) throw new Error("a sum over no group has no row");
  return { groups, all };
}

export type RepeatRow = { isRepeat: boolean | null; orders: number; buyers: number; goods: number };

/**
 * Paid orders of the span, without those of which nothing is left: of buyers who had paid before, of others, and of all (`isRepeat` null;
 * a buyer whose first and second orders are both in the span counts once there). A buyer is an account, or the phone of a guest.
 */
export async function repeat(db: Db, { from, before }: Span): Promise<RepeatRow[]> {
  const rows = await rowsOf<Omit<RepeatRow, "goods"> & { goods: string }>(
    db,
    sql`
    with paid as (
      select o.id, o.customer_id, l.goods,
        coalesce('customer ' || o.customer_id, nullif('phone ' || (o."user" ->> 'phone'), 'phone '), 'order ' || o.id) as buyer,
        case when o.customer_id is not null then exists (
            select 1 from orders p where p.customer_id = o.customer_id and p.paid_at < o.paid_at
              and p.state not in ('cancelled', 'returned'))
          else coalesce(o."user" ->> 'phone', '') <> '' and exists (
            select 1 from orders p where p.customer_id is null and (p."user" ->> 'phone') = (o."user" ->> 'phone')
              and p.paid_at < o.paid_at and p.state not in ('cancelled', 'returned')) end as is_repeat
      from orders o join lateral (
        select sum((quantity - dropped - returned) * price_kopecks) as goods from order_lines where order_id = o.id
      ) l on l.goods > 0
      where o.paid_at >= ${from.toISOString()}::timestamptz and o.paid_at < ${before.toISOString()}::timestamptz
        and o.state not in ('cancelled', 'returned')
    )
    select is_repeat as "isRepeat", count(*)::integer as orders, count(distinct buyer)::integer as buyers,
      coalesce(sum(goods), 0)::text as goods
    from paid group by grouping sets ((is_repeat), ()) order by is_repeat desc`,
  );
  return rows.map((row) => ({ ...row, goods: Number(row.goods) }));
}

/** Orders of each day, without those that staff added to others, and how many of them were paid by now. */
export async function placed(db: Db, { from, before }: Span): Promise<{ day: string; orders: number; paid: number }[]> {
  return rowsOf(
    db,
    sql`
    select ${moscowDay(sql`created_at`)}::text as day, count(*)::integer as orders, count(paid_at)::integer as paid
    from orders where created_at >= ${from.toISOString()}::timestamptz and created_at < ${before.toISOString()}::timestamptz
      and linked_order_id is null group by 1`,
  );
}
