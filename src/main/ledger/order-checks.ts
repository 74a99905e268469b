import { sql, type SQL } from "drizzle-orm";
import { orderStates, resendEvents, reservingStates, soldStates, staffEditEvents } from "#shop/orders/order.ts";
import type { Check } from "./check.ts";

/** States in which an order has money that may be refunded in part. */
const paidStates = ["paid", "assembled", "shipped", "ready", "delivered", "returning", "cancelled", "returned"] as const;

/** Every transition of the state table as rows of SQL. A partial payment or refund changes no state. */
const transitions: SQL = sql.join(
  [
    ...Object.entries(orderStates).flatMap(([from, events]) =>
      Object.entries(events).map(([event, to]) => sql`(${from}::text, ${event}::text, ${to}::text)`),
    ),
    sql`('cancelled', 'refund', 'cancelled')`,
    sql`('returned', 'refund', 'returned')`,
    sql`('awaiting_payment', 'pay_part', 'awaiting_payment')`,
    sql`('delivered', 'give_back_part', 'delivered')`,
    ...paidStates.map((state) => sql`(${state}::text, 'refund_part', ${state}::text)`),
    // The carrier may refuse a parcel that it already has.
    ...soldStates.flatMap((state) => resendEvents.map((event) => sql`(${state}::text, ${event}::text, ${state}::text)`)),
    ...reservingStates.flatMap((state) => staffEditEvents.map((event) => sql`(${state}::text, ${event}::text, ${state}::text)`)),
  ],
  sql`, `,
);

/** Actors are stored since a release. For this long after the first one, the previous release may still write rows without an actor. */
const releaseOverlap = "1 hour";

/** Orders, their quotes, history and promo codes; carts and sign-in codes. */
export const orderChecks: readonly Check[] = [
  {
    invariant: "I14",
    rows: sql`
    select 'promo code ' || c.code as what, 'counts ' || c.used || ' uses, ' || count(u.order_id) || ' stand' as fault
    from promo_codes c left join promo_code_uses u on u.code_id = c.id and u.returned_at is null
    group by c.id having c.used <> count(u.order_id)`,
  },
  {
    invariant: "I14",
    rows: sql`
    select 'order ' || o.id as what, 'has ' || o.discount_kopecks || ' of a promo code, its use ' || coalesce(u.discount_kopecks, 0)
      || ', its quote ' || coalesce(q.discount_kopecks, 0) as fault
    from orders o left join promo_code_uses u on u.order_id = o.id left join quotes q on q.used_by_order_id = o.id
    where o.discount_kopecks <> coalesce(u.discount_kopecks, 0) or o.discount_kopecks <> coalesce(q.discount_kopecks, 0)
      or u.code_id is distinct from q.promo_code_id`,
  },
  {
    invariant: "I14",
    rows: sql`
    select 'order ' || o.id as what, 'is ' || o.state || ', and its promo code is '
      || case when u.returned_at is null then 'used' else 'given back' end as fault
    from orders o join promo_code_uses u on u.order_id = o.id
    where (u.returned_at is null) = (o.state = 'cancelled')`,
  },
  {
    invariant: "I4",
    rows: sql`
    select 'key of ' || k.owner as what,
      'order ' || k.order_id || case when o.id is null then ' does not exist' else ' is of ' || o.owner end as fault
    from idempotency_keys k left join orders o on o.id = k.order_id where o.id is null or o.owner <> k.owner`,
  },
  {
    invariant: "I4",
    rows: sql`
    select 'quote ' || coalesce(q.id, o.quote_id) as what,
      'order ' || coalesce(o.id, q.used_by_order_id) || ' and quote do not name each other' as fault
    from quotes q full join orders o on o.quote_id = q.id
    where (o.id is not null and (q.id is null or q.used_by_order_id is distinct from o.id
        or q.owner <> coalesce('addition:' || o.linked_order_id, o.owner)))
      or (o.id is null and q.used_by_order_id is not null)`,
  },
  {
    invariant: "I5",
    rows: sql`
    select 'order ' || o.id as what,
      'total ' || o.total_kopecks || ', lines ' || coalesce(sum(l.price_kopecks * l.quantity), 0) || ', delivery '
      || o.delivery_kopecks as fault
    from orders o left join order_lines l on l.order_id = o.id group by o.id
    having o.total_kopecks <> coalesce(sum(l.price_kopecks * l.quantity), 0) + o.delivery_kopecks`,
  },
  {
    invariant: "I5",
    rows: sql`
    with quoted as (
      select q.used_by_order_id as order_id, line."coinId" as coin_id, line.quantity, line."priceKopecks" as price_kopecks
      from quotes q, jsonb_to_recordset(q.lines) as line ("coinId" integer, quantity integer, "priceKopecks" bigint)
        where q.used_by_order_id is not null
    )
    select 'order ' || order_id || ', coin ' || coin_id as what, 'ordered and quoted differ' as fault
    from quoted q full join order_lines l using (order_id, coin_id)
    where q.quantity is distinct from l.quantity or q.price_kopecks is distinct from l.price_kopecks`,
  },
  {
    invariant: "I5",
    rows: sql`
    select 'order ' || o.id as what, 'total ' || o.total_kopecks || ', quoted ' || q.total_kopecks as fault
    from orders o join quotes q on q.id = o.quote_id
    where (o.total_kopecks, o.delivery_kopecks, o.delivery_id, o.price_list_version)
      <> (q.total_kopecks, q.delivery_kopecks, q.delivery_id, q.price_list_version)`,
  },
  {
    invariant: "I8",
    rows: sql`
    with path as (
      select order_id, step, event, state, at, lag(state) over w as earlier, lag(step) over w as earlier_step, lag(at) over w as earlier_at
      from order_history window w as (partition by order_id order by step)
    )
    select 'order ' || order_id || ', step ' || step as what, coalesce(earlier, 'nothing') || ' → ' || event || ' → ' || state as fault
      from path
    where step <> coalesce(earlier_step, 0) + 1 or at < earlier_at
      or (earlier is null and (event <> 'place' or state not in ('placed', 'awaiting_payment')))
      or (earlier is not null and (earlier, event, state) not in (values ${transitions}))`,
  },
  {
    invariant: "I8",
    rows: sql`
    select 'order ' || o.id as what, 'is ' || o.state || ', its history ends with ' || coalesce(h.state, 'nothing') as fault
    from orders o left join lateral (select state from order_history where order_id = o.id order by step desc limit 1) h on true
    where h.state is distinct from o.state`,
  },
  {
    invariant: "I12",
    rows: sql`
    with written (what, actor, at) as (
      select 'order ' || order_id || ', ' || event, actor, at from order_history
      union all select 'payment ' || id || ', by hand', actor, created_at from payments where provider = 'by_hand'
      union all select 'refund ' || id, actor, created_at from refunds
      union all select 'bank transfer ' || id, actor, entered_at from bank_transfers
      union all select 'statement entry ' || id, settled_by, settled_at from bank_statement_entries where settled_at is not null
      union all select 'stock entry ' || id, actor, at from stock_entries
      union all select 'hedge ' || id, created_by, created_at from metal_hedges
      union all select 'stock document ' || id, posted_by, posted_at from stock_documents where posted_at is not null
      union all select 'stock document ' || id || ', reversed', reversed_by, reversed_at from stock_documents where reversed_at is not null
    )
    select what, 'has no actor' as fault from written
    where actor is null and at > (select min(at) + ${releaseOverlap}::interval from written where actor is not null)`,
  },
  {
    invariant: "I12",
    rows: sql`
    with entered (what, actor) as (
      select 'payment ' || id || ', by hand', actor from payments where provider = 'by_hand'
      union all select 'bank transfer ' || id, actor from bank_transfers
      union all select 'refund ' || refund_id || ', by transfer', actor from refund_transfers
    )
    select what, 'was recorded by ' || actor || ', not by staff' as fault from entered where actor not like 'staff:%'`,
  },
  {
    invariant: "I10",
    rows: sql`
    select 'cart ' || cart_id || ', coin ' || coin_id as what, count(*) || ' lines, least quantity ' || min(quantity) as fault
    from cart_lines group by cart_id, coin_id having count(*) > 1 or min(quantity) <= 0`,
  },
  {
    invariant: "I10",
    rows: sql`select 'owner ' || owner as what, count(*) || ' carts' as fault from carts group by owner having count(*) > 1`,
  },
  {
    invariant: "I11",
    rows: sql`
    select 'code ' || id as what, attempts || ' tries' as fault from sign_in_codes where attempts > 5`,
  },
  {
    invariant: "I11",
    rows: sql`
    select 'code ' || min(id) as what, count(*) || ' live codes for one phone' as fault
    from sign_in_codes where used_at is null and replaced_at is null group by phone having count(*) > 1`,
  },
];
