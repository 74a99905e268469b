import { sql } from "drizzle-orm";
import type { Check } from "./check.ts";

/** Payments, refunds, bank transfers, receipts, messages and buyback deals. */
export const moneyChecks: readonly Check[] = [
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
