import { sql, type SQL } from "drizzle-orm";
import { rowsOf, type Db } from "#kit/db.ts";
import { faultFields } from "#kit/network/outbound.ts";
import { days, minutes, plus } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { orderStates, resendEvents, reservingStates, soldStates, staffEditEvents } from "#shop/orders/order.ts";
import * as payment from "#shop/payment/service.ts";

/** One invariant. `rows` selects one row per violation: `what` names the thing concerned, `fault` what is wrong with it. */
type Check = { invariant: string; rows: SQL };

const list = (values: readonly string[]): SQL =>
  sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  );

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

/** States after the coins have left the stock. */
const shippedStates: SQL = list(soldStates);

/** Actors are stored since a release. For this long after the first one, the previous release may still write rows without an actor. */
const releaseOverlap = "1 hour";

/** The provider's own ledger, to be compared with ours; kopecks. */
export type ProviderLedger = readonly { id: string; amount: number; refunded: number; isTaken: boolean }[];

const checks: readonly Check[] = [
  {
    invariant: "I1",
    rows: sql`
    select 'coin ' || coin_id as what, 'on hand ' || on_hand || ', reserved ' || reserved as fault
    from stock_items where on_hand < 0 or reserved < 0 or reserved > on_hand`,
  },
  {
    invariant: "I2",
    rows: sql`
    select 'coin ' || coin_id as what, 'on hand ' || coalesce(i.on_hand, 0) || ', entries sum to ' || coalesce(e.sum, 0) as fault
    from stock_items i full join (select coin_id, sum(quantity) as sum from stock_entries group by coin_id) e using (coin_id)
    where coalesce(i.on_hand, 0) <> coalesce(e.sum, 0)`,
  },
  {
    invariant: "I13",
    rows: sql`
    select 'coin ' || coin_id as what,
      'cost ' || coalesce(i.cost_kopecks, 0) || ' of ' || coalesce(i.costed_pieces, 0) || ' pieces, entries sum to '
      || coalesce(e.cost, 0) || ' of ' || coalesce(e.costed, 0) as fault
    from stock_items i full join (
      select coin_id, sum(costed_pieces) as costed, sum(cost_kopecks) as cost from stock_entries group by coin_id
    ) e using (coin_id)
    where coalesce(i.costed_pieces, 0) <> coalesce(e.costed, 0) or coalesce(i.cost_kopecks, 0) <> coalesce(e.cost, 0)`,
  },
  {
    invariant: "I13",
    rows: sql`
    select 'coin ' || coin_id as what, 'on hand ' || on_hand || ', with a cost ' || costed_pieces || ' for ' || cost_kopecks as fault
    from stock_items where costed_pieces > on_hand or (costed_pieces = 0 and cost_kopecks <> 0)`,
  },
  {
    invariant: "I13",
    rows: sql`
    select 'order ' || order_id || ', coin ' || coin_id as what,
      'its sale took out ' || -sum(cost_kopecks) || ' more than its returns brought back, for ' || -sum(quantity) || ' pieces' as fault
    from stock_entries where order_id is not null group by order_id, coin_id
    having sum(costed_pieces) > 0 or sum(cost_kopecks) > 0 or (sum(quantity) = 0 and sum(cost_kopecks) <> 0)`,
  },
  {
    invariant: "I13",
    rows: sql`
    with wanted as (
      select d.id, d.state, l.coin_id,
        case d.kind when 'write_off' then -l.quantity when 'opening_cost' then 0 else l.quantity end as quantity,
        case when d.kind in ('receipt', 'opening_cost') and l.unit_cost_kopecks is not null then l.quantity else null end as costed,
        case when d.kind in ('receipt', 'opening_cost') then l.unit_cost_kopecks * l.quantity end as cost
      from stock_documents d join stock_document_lines l on l.document_id = d.id where d.state in ('posted', 'reversed')
    ), found as (
      select document_id, coin_id, sum(quantity) filter (where kind <> 'reversed') as quantity,
        sum(costed_pieces) filter (where kind <> 'reversed') as costed, sum(cost_kopecks) filter (where kind <> 'reversed') as cost,
        sum(quantity) filter (where kind = 'reversed') as back, count(*) filter (where kind <> 'reversed') as entries
      from stock_entries where document_id is not null group by document_id, coin_id
    )
    select 'stock document ' || coalesce(w.id, f.document_id) || ', coin ' || coin_id as what,
      'is ' || coalesce(w.state, 'not posted') || ' with ' || coalesce(w.quantity, 0) || ' pieces for ' || coalesce(w.cost, 0)
      || ', its entries have ' || coalesce(f.quantity, 0) || ' for ' || coalesce(f.cost, 0)
      || ', taken back ' || coalesce(f.back, 0) as fault
    from (select id as document_id, * from wanted) w full join found f using (document_id, coin_id)
    where w.quantity is distinct from f.quantity or f.entries is distinct from 1
      or (w.costed is not null and (w.costed <> f.costed or w.cost <> f.cost))
      or (w.state = 'reversed' and (f.back is null or f.back <> -f.quantity)) or (w.state = 'posted' and f.back is not null)`,
  },
  {
    invariant: "I2",
    rows: sql`
    with wanted as (
      select l.order_id, l.coin_id, case when o.state in (${shippedStates}) then nullif(l.dropped - l.quantity, 0) end as sold,
        nullif(case when o.state = 'returned' then l.quantity - l.dropped else l.returned end, 0) as returned
      from order_lines l join orders o on o.id = l.order_id
    ), found as (
      select order_id, coin_id, sum(quantity) filter (where kind = 'sold') as sold,
        sum(quantity) filter (where kind = 'returned') as returned
      from stock_entries where order_id is not null group by order_id, coin_id
    )
    select 'order ' || order_id || ', coin ' || coin_id as what,
      'sold ' || coalesce(f.sold, 0) || ', came back ' || coalesce(f.returned, 0) as fault
    from wanted w full join found f using (order_id, coin_id)
    where w.sold is distinct from f.sold or w.returned is distinct from f.returned`,
  },
  {
    invariant: "I3",
    rows: sql`
    with held as (
      select l.coin_id, sum(l.quantity - l.dropped) as quantity from order_lines l join orders o on o.id = l.order_id
      where o.state in (${list(reservingStates)}) group by l.coin_id
    )
    select 'coin ' || coin_id as what, 'reserved ' || coalesce(i.reserved, 0) || ', orders hold ' || coalesce(h.quantity, 0) as fault
    from stock_items i full join held h using (coin_id) where coalesce(i.reserved, 0) <> coalesce(h.quantity, 0)`,
  },
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
    invariant: "I3",
    rows: sql`
    select 'order ' || o.id as what, 'its cancellation is requested, and its parcel is not recalled' as fault
    from orders o left join shipments s on s.order_id = o.id where o.state = 'cancellation_requested' and s.call_off is null`,
  },
  {
    invariant: "I2",
    rows: sql`
    select 'order ' || o.id || ', coin ' || l.coin_id as what,
      'is ' || o.state || ', dropped ' || l.dropped || ', came back piece by piece ' || l.returned as fault
    from order_lines l join orders o on o.id = l.order_id
    where (l.returned > 0 and o.state not in ('delivered', 'returned')) or (l.dropped > 0 and o.paid_kopecks = 0)`,
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
    invariant: "I6",
    rows: sql`
    select 'order ' || o.id as what,
      'recorded ' || o.paid_kopecks || ' paid, ' || o.refunded_kopecks || ' back; kept ' || coalesce(sum(p.amount_kopecks), 0)
      || ', back ' || coalesce(sum(p.refunded_kopecks), 0) as fault
    from orders o left join payments p on p.order_id = o.id and p.is_kept = 'kept' group by o.id
    having o.paid_kopecks <> coalesce(sum(p.amount_kopecks), 0) or o.paid_kopecks > o.total_kopecks
      or o.refunded_kopecks > coalesce(sum(p.refunded_kopecks), 0) or o.refunded_kopecks > o.paid_kopecks`,
  },
  {
    invariant: "I6",
    rows: sql`
    select 'payment ' || p.id as what,
      'taken ' || p.amount_kopecks || ', back ' || p.refunded_kopecks || ', refunds arrived '
      || coalesce(sum(r.amount_kopecks) filter (where r.state = 'succeeded'), 0) as fault
    from payments p left join refunds r on r.payment_id = p.id group by p.id
    having p.refunded_kopecks <> coalesce(sum(r.amount_kopecks) filter (where r.state = 'succeeded'), 0)
      or coalesce(sum(r.amount_kopecks) filter (where r.state <> 'canceled'), 0) > p.amount_kopecks
      or (count(r.id) > 0 and p.state <> 'succeeded')`,
  },
  {
    invariant: "I6",
    rows: sql`
    select 'order ' || o.id as what,
      'cancelled with ' || o.paid_kopecks || ' paid, owed back ' || coalesce(sum(r.amount_kopecks), 0) as fault
    from orders o join payments p on p.order_id = o.id and p.is_kept = 'kept' left join refunds r on r.payment_id = p.id
      and r.state <> 'canceled'
    where o.state = 'cancelled' group by o.id, o.paid_kopecks having coalesce(sum(r.amount_kopecks), 0) < o.paid_kopecks`,
  },
  {
    invariant: "I6",
    rows: sql`
    select 'order ' || o.id as what, 'is ' || o.state || ', paid ' || o.paid_kopecks || ' of ' || o.total_kopecks as fault from orders o
    where (o.paid_kopecks <> o.total_kopecks and exists (select 1 from order_history h where h.order_id = o.id and h.event = 'pay'))
      or (o.paid_kopecks = o.total_kopecks and o.state = 'awaiting_payment')
      or (o.paid_kopecks not in (0, o.total_kopecks)
        and not exists (select 1 from order_history h where h.order_id = o.id and h.event = 'pay_part'))`,
  },
  {
    invariant: "I7",
    rows: sql`
    select 'order ' || p.order_id as what,
      'attempts ' || string_agg(p.attempt::text, ', ' order by p.attempt) || ' of ' || min(p.amount_kopecks) as fault
    from payments p left join orders o on o.id = p.order_id group by p.order_id
    having max(p.attempt) <> count(*) or min(p.attempt) <> 1 or bool_or(o.id is null)
      or bool_or(p.amount_kopecks <> o.total_kopecks and p.provider <> 'by_hand')
      or count(*) filter (where p.is_kept = 'kept' and p.provider <> 'by_hand') > 1
        or count(distinct p.provider) filter (where p.is_kept = 'kept') > 1`,
  },
  {
    invariant: "I7",
    rows: sql`
    select 'payment ' || p.id as what,
      'not kept, taken ' || p.amount_kopecks || ', owed back ' || coalesce(sum(r.amount_kopecks), 0) as fault
    from payments p left join refunds r on r.payment_id = p.id and r.state <> 'canceled'
    where p.state = 'succeeded' and p.is_kept = 'returned' group by p.id having coalesce(sum(r.amount_kopecks), 0) < p.amount_kopecks`,
  },
  {
    invariant: "I7",
    rows: sql`
    select 'payment ' || id as what, 'is ' || state || ' and ' || is_kept as fault from payments where is_kept <> 'undecided'
      and state <> 'succeeded'`,
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
    invariant: "I6",
    rows: sql`
    select 'statement entry ' || e.id as what,
      'is ' || e.state || ' with ' || e.amount_kopecks || ' of ' || e.date || ', its transfer ' || coalesce(t.id::text, 'is missing')
      || coalesce(' has ' || t.amount_kopecks || ' of ' || t.date || ' for order ' || t.order_id, '') as fault
    from bank_statement_entries e left join bank_transfers t on t.id = e.transfer_id
    where e.state in ('counted', 'settled', 'known')
      and (t.id is null or t.number <> e.number or t.date <> e.date or t.amount_kopecks <> e.amount_kopecks or t.order_id <> e.order_id)`,
  },
  {
    invariant: "I6",
    rows: sql`
    select 'bank transfer ' || transfer_id as what, 'counted by ' || count(*) || ' statement entries' as fault
    from bank_statement_entries where state in ('counted', 'settled') group by transfer_id having count(*) > 1`,
  },
  {
    invariant: "I6",
    rows: sql`
    select 'bank transfer ' || t.id as what, t.amount_kopecks || ', payments ' || coalesce(sum(p.amount_kopecks), 0) as fault
    from bank_transfers t left join payments p on p.transfer_id = t.id
    group by t.id having coalesce(sum(p.amount_kopecks), 0) <> t.amount_kopecks`,
  },
  {
    invariant: "I6",
    rows: sql`
    select 'statement ' || s.id as what, 'names ' || s.entry_count || ' entries, holds ' || count(e.id) as fault
    from bank_statements s left join bank_statement_entries e on e.statement_id = s.id
    group by s.id having count(e.id) <> s.entry_count`,
  },
  {
    invariant: "I9",
    rows: sql`
    select about || ' ' || kind || ' ' || channel as what, count(*) || ' messages' as fault
      from outbox group by about, kind, channel having count(*) > 1`,
  },
  {
    invariant: "I9",
    rows: sql`
    select about as what, count(*) || ' receipts' as fault from receipts group by about having count(*) > 1`,
  },
  {
    invariant: "I9",
    rows: sql`
    select 'order ' || o.id as what, 'was handed over without its receipt' as fault from orders o
    where exists (select 1 from order_history h where h.order_id = o.id and h.event = 'deliver')
      and o.paid_kopecks > (
        select coalesce(sum(r.amount_kopecks), 0) from refunds r join payments p on p.id = r.payment_id and p.is_kept = 'kept'
          where r.order_id = o.id and (r.state <> 'canceled' or r.is_dropped)
      )
      and not exists (select 1 from receipts r where r.order_id = o.id
        and (r.kind = 'handover' or (r.kind = 'payment' and r.mode = 'full_payment')))`,
  },
  {
    invariant: "I6",
    rows: sql`
    select 'order ' || o.id as what, 'was handed over, paid ' || o.paid_kopecks || ' of ' || o.total_kopecks as fault from orders o
    where o.paid_kopecks <> o.total_kopecks and exists (select 1 from order_history h where h.order_id = o.id and h.event = 'deliver')`,
  },
  {
    invariant: "I9",
    rows: sql`
    select 'payment ' || p.id as what, 'is kept and has no receipt' as fault from payments p
    where p.is_kept = 'kept' and p.settled_at >= (select min(created_at) from receipts)
      and not exists (select 1 from receipts r where r.about = 'payment:' || p.id)`,
  },
  {
    invariant: "I9",
    rows: sql`
    select 'refund ' || r.id as what, 'of kept money has arrived and has no receipt' as fault from refunds r
      join payments p on p.id = r.payment_id
    where p.is_kept = 'kept' and r.state = 'succeeded' and r.settled_at >= (select min(created_at) from receipts)
      and not exists (select 1 from receipts where about = 'refund:' || r.id)`,
  },
  {
    invariant: "I9",
    rows: sql`
    select 'refund ' || t.refund_id as what, 'was paid by transfer, its receipt is of the provider' as fault from refund_transfers t
      join receipts c on c.refund_id = t.refund_id
    where c.registrar <> 'office'`,
  },
  {
    invariant: "I6",
    rows: sql`
    select 'refund ' || r.id as what, 'was paid by transfer, is ' || r.state || ' of money from ' || p.provider as fault
    from refund_transfers t join refunds r on r.id = t.refund_id join payments p on p.id = r.payment_id
    where r.state <> 'succeeded' or r.order_id <> t.order_id or p.provider = 'by_hand'`,
  },
  {
    invariant: "I6",
    rows: sql`
    select 'payment order ' || number || ' of ' || date as what, 'paid refunds of ' || count(distinct order_id) || ' orders' as fault
    from refund_transfers group by number, date having count(distinct order_id) > 1`,
  },
  {
    invariant: "I6",
    rows: sql`
    select r.about as what,
      r.amount_kopecks || ', lines ' || coalesce(sum((line->>'unitPrice')::bigint * (line->>'quantity')::bigint), 0) || ', money '
      || coalesce(max(f.amount_kopecks), max(p.amount_kopecks)) as fault
    from receipts r join payments p on p.id = r.payment_id left join refunds f on f.id = r.refund_id
      cross join jsonb_array_elements(r.receipt->'lines') as line
    group by r.id having r.amount_kopecks <> sum((line->>'unitPrice')::bigint * (line->>'quantity')::bigint)
      or (r.kind = 'payment' and r.amount_kopecks <> max(p.amount_kopecks))
        or (r.kind = 'refund' and r.amount_kopecks <> max(f.amount_kopecks))`,
  },
  {
    invariant: "I9",
    rows: sql`
    select 'order ' || o.id as what, 'has no message that it was placed' as fault from orders o
    where not exists (select 1 from outbox m where m.about = 'order:' || o.id and m.kind = 'order_placed')`,
  },
  {
    invariant: "I9",
    rows: sql`
    select 'message ' || m.id as what,
      m.kind || ' by ' || m.channel || ' was suppressed' || coalesce(' because of ' || m.suppressed_because, '') as fault from outbox m
    where m.suppressed_at is not null
      and (m.kind not in ('order_placed', 'order_cancelled') or m.sent_at is not null or m.suppressed_because is null)`,
  },
  {
    invariant: "I9",
    rows: sql`
    select m.about as what, 'is named by a message, and does not exist' as fault from outbox m
    where m.about like 'order:%' and not exists (select 1 from orders o where 'order:' || o.id = m.about)`,
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
  {
    invariant: "I15",
    rows: sql`
    select 'deal ' || d.id as what,
      'offer ' || d.offer_kopecks || ', checked ' || coalesce(d.checked_kopecks, 0) || ', paid ' || coalesce(d.payout_kopecks, 0)
        || ', lines offered ' || coalesce(l.offered, 0) || ', checked ' || coalesce(l.checked, 0) as fault
    from buyback_deals d left join (
      select deal_id, sum(offered_quantity * offered_kopecks) as offered, sum(checked_quantity * checked_kopecks) as checked,
        sum(coalesce(checked_quantity, offered_quantity)) as pieces
      from buyback_lines group by deal_id) l on l.deal_id = d.id
    where d.offer_kopecks <> coalesce(l.offered, 0) or d.pieces <> coalesce(l.pieces, 0)
      or (d.checked_kopecks is not null and d.checked_kopecks <> coalesce(l.checked, 0))
      or (d.paid_at is not null and d.payout_kopecks <> coalesce(l.checked, 0))`,
  },
  {
    invariant: "I15",
    rows: sql`
    select 'deal ' || d.id as what, 'is ' || d.state || ' and has a document that is ' || coalesce(s.kind || ' ' || s.state, 'missing') as fault
    from buyback_deals d left join stock_documents s on s.source_key = 'buyback:' || d.id
    where (d.state = 'shelved') <> (s.id is not null) or d.stock_document_id is distinct from s.id
      or s.kind <> 'receipt' or s.state not in ('posted', 'reversed')`,
  },
  {
    invariant: "I15",
    rows: sql`
    select 'deal ' || d.id || ', coin ' || coalesce(b.coin_id, s.coin_id) as what,
      'bought ' || coalesce(b.checked_quantity, 0) || ' at ' || coalesce(b.checked_kopecks, 0) || ', shelved ' || coalesce(s.quantity, 0)
        || ' at ' || coalesce(s.unit_cost_kopecks, 0) as fault
    from (select d.id, l.coin_id, l.checked_quantity, l.checked_kopecks, d.stock_document_id as document
        from buyback_deals d join buyback_lines l on l.deal_id = d.id and l.checked_quantity > 0 where d.state = 'shelved') b
      full join (select l.* from stock_document_lines l join buyback_deals d on d.stock_document_id = l.document_id) s
        on s.document_id = b.document and s.coin_id = b.coin_id
      join buyback_deals d on d.id = b.id or d.stock_document_id = s.document_id
    where b.checked_quantity is distinct from s.quantity or b.checked_kopecks is distinct from s.unit_cost_kopecks`,
  },
  {
    invariant: "I15",
    rows: sql`
    select 'deal ' || d.id as what, 'is ' || d.state || ', its history ends with ' || coalesce(e.state, 'nothing') as fault
    from buyback_deals d left join lateral (
      select state from buyback_events where deal_id = d.id order by id desc limit 1) e on true
    where e.state is distinct from d.state`,
  },
];

/**
 * The broken invariants of stock and money, one line each; empty when all hold. Reads one snapshot of the database, so it may run beside
 * the shop. With the provider's ledger it also compares both sides.
 */
export function checkLedger(db: Db, provider?: ProviderLedger): Promise<string[]> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`select set_config('statement_timeout', '60000', true)`);
      const broken: string[] = [];
      for (const { invariant, rows } of checks) {
        const found = await rowsOf<{ what: string; fault: string }>(tx, rows);
        broken.push(...found.map(({ what, fault }) => `${invariant} ${what}: ${fault}`));
      }
      if (provider) broken.push(...compare(await readRecordedPayments(tx), provider));
      return broken;
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** Payments of the last minutes are left to the next check: their webhooks may be in transit. */
const inTransitTime = minutes(5);

/** Where the provider's payments and refunds of the last days differ from ours, one line each. Throws when the provider does not answer. */
export async function compareWithProvider(ctx: payment.CompareCtx, lastDays: number): Promise<string[]> {
  const found = await payment.compareNow(ctx, { from: plus(ctx.now(), -days(lastDays)), till: plus(ctx.now(), -inTransitTime) });
  return found.map(
    ({ kind, providerId, orderId, ours: mine, theirs }) =>
      `I6 ${kind} ${providerId}, order ${orderId ?? "unknown"}: ours ${mine || "nothing"}, the provider's ${theirs || "nothing"}`,
  );
}

/**
 * Sweep: checks the ledger a few times a day and raises an alarm for each broken invariant. Compares with the provider's ledger too; if the
 * provider does not answer, that part is skipped.
 */
export async function watchLedger(ctx: Ctx): Promise<void> {
  const broken = await checkLedger(ctx.db);
  const there = await compareWithProvider(ctx, ctx.settings.limits.ledgerCompareDays).catch((error: unknown) => {
    ctx.log.warn(faultFields(error), "the ledger was not compared with the payment provider");
    return [];
  });
  for (const reason of [...broken, ...there]) ctx.alarm("ledger.broken", { reason });
}

type RecordedPayment = { id: string; amount: number; refunded: number; taken: boolean };

const readRecordedPayments = (db: Db): Promise<RecordedPayment[]> =>
  rowsOf(
    db,
    sql`
  select provider_id as id, amount_kopecks::float8 as amount, state = 'succeeded' as taken,
    (refunded_kopecks - coalesce((
      select sum(r.amount_kopecks) from refunds r join refund_transfers t on t.refund_id = r.id where r.payment_id = payments.id
    ), 0))::float8 as refunded
  from payments where provider_id is not null`,
  );

/** Compares payment by payment what the provider received and refunded with our records; one line for each difference. */
function compare(known: readonly RecordedPayment[], provider: ProviderLedger): string[] {
  const theirs = new Map(provider.map((each) => [each.id, each]));
  const unknown = provider
    .filter((each) => each.isTaken && !known.some(({ id }) => id === each.id))
    .map((each) => `I6 payment ${each.id}: taken by the provider, unknown here`);
  const different = known.flatMap((mine) => {
    const other = theirs.get(mine.id);
    const isSame =
      other && other.isTaken === mine.taken && (!mine.taken || (other.amount === mine.amount && other.refunded === mine.refunded));
    return isSame
      ? []
      : [
          `I6 payment ${mine.id}: ${mine.amount} taken ${mine.taken}, ${mine.refunded} back; ` +
            `the provider says ${JSON.stringify(other ?? null)}`,
        ];
  });
  return [...unknown, ...different];
}
