import { sql, type SQL } from "drizzle-orm";
import { reservingStates, soldStates } from "#shop/orders/order.ts";
import type { Check } from "./check.ts";

const list = (values: readonly string[]): SQL =>
  sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  );

/** States after the coins have left the stock. */
const shippedStates: SQL = list(soldStates);

/** Pieces, reservations and the cost of the stock. */
export const stockChecks: readonly Check[] = [
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
];
