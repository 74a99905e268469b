import { sql, type SQL } from "drizzle-orm";
import { inTransaction, type Db, type Tx } from "#kit/db.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";

/**
 * Invented orders of the last two years, newest with the highest number, for load tests: customers and guests, lines, prices, payments,
 * refunds, receipts, parcels, seals, messages and stock, so that `npm run check:ledger` holds. Most are closed; those of the last days are
 * in every state. The newest has up to 200 lines. Written by statements over many rows, because a service per order would take hours.
 */
export async function addOrders(db: Db, count: number, now: Date, progress: (done: string) => void): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`select set_config('statement_timeout', '0', true)`);
    await tx.execute(shareFunction);
    await tx.execute(coinTable);
    await tx.execute(sql`analyze seed_coins`);
    await tx.execute(sql`create temp table seed_pieces (coin_id int, sold bigint, held bigint) on commit drop`);
    await addCustomers(tx, Math.ceil(count / 10), now);
    for (let from = 0; from < count; from += atOnce) {
      const till = Math.min(from + atOnce, count);
      for (const statement of statementsFor({ from, till, count, now })) await tx.execute(statement);
      progress(`${till} orders`);
    }
    for (const statement of stockStatements(now)) await tx.execute(statement);
  });
}

/** Invented audit entries of the last two years, for load tests of the audit. */
export async function addAudit(db: Db, count: number, now: Date, progress: (done: string) => void): Promise<void> {
  for (let from = 0; from < count; from += auditAtOnce) {
    const till = Math.min(from + auditAtOnce, count);
    // Each part with its function: another part may use another connection.
    await inTransaction(db, async (tx) => {
      await tx.execute(sql`select set_config('statement_timeout', '0', true)`);
      await tx.execute(shareFunction);
      await tx.execute(sql`
      insert into audit_entries (at, actor, action, subject, after, address, user_agent)
      select ${now.toISOString()}::timestamptz - make_interval(secs => ${twoYears} * (${count}::int - n) / ${count}),
        'staff:' || (array['ivanova', 'petrov', 'sidorova', 'orlov', 'kuznetsova', 'volkov'])[1 + floor(pg_temp.share(n, 1) * 6)::int],
        (array['order.open_contacts', 'order.pack', 'order.move', 'order.assign', 'packing.check', 'order.comment', 'request.move',
          'review.decide', 'order.refund', 'staff.sign_in'])[1 + floor(pg_temp.share(n, 2) * 10)::int],
        'order:seed' || lpad(floor(pg_temp.share(n, 3) * 100000)::text, 18, '0'), jsonb_build_object('revision', n % 7), '10.0.0.7', 'seed'
      from generate_series(${from + 1}::int, ${till}::int) n`);
    });
    progress(`${till} audit entries`);
  }
}

/** Rows of one statement: the database answers each in a few seconds, also on a busy machine. */
const atOnce = 2_500;
const auditAtOnce = 25_000;
/** Seconds. */
const twoYears = sql.raw(`${730 * 86_400}::float8`);
const maxLines = 200;

/** A fixed, evenly distributed number from 0 to 1 for each row and purpose. */
const shareFunction = sql`
  create or replace function pg_temp.share(n bigint, purpose int) returns float8 language sql immutable as $$
    select (hashint8extended(n, purpose) & 2147483647)::float8 / 2147483648 $$`;

/** The published coins with a place and an invented price. */
const coinTable = sql`
  create temp table seed_coins on commit drop as
  select id, slug, title, vat_code, row_number() over (order by id) as place, count(*) over () as coins,
    (300000 + floor(pg_temp.share(id, 50) * 12000) * 1000)::bigint as price
  from coins where is_published`;

const firstNames = ["Анна", "Иван", "Мария", "Пётр", "Ольга", "Сергей", "Елена", "Алексей", "Татьяна", "Дмитрий", "Наталья", "Артём"];
const lastNames = ["Иваненко", "Петренко", "Сидорчук", "Орлик", "Волынец", "Кузьмич", "Тарасюк", "Ковальчук", "Белых", "Черных", "Гончар"];
const cities = [
  ["0000073738", "Москва"],
  ["0000103664", "Санкт-Петербург"],
  ["1000000270", "Новосибирск"],
  ["1000000250", "Екатеринбург"],
] as const;

const array = (values: readonly string[]): SQL =>
  sql`(array[${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )}]::text[])`;
/** One of the values, by the row's number. */
const oneOf = (values: readonly string[], n: SQL, purpose: number): SQL =>
  sql`${array(values)}[1 + floor(pg_temp.share(${n}, ${purpose}) * ${sql.raw(String(values.length))})::int]`;
const person = (n: SQL): SQL => sql`jsonb_build_object(
  'name', ${oneOf(firstNames, n, 11)}, 'lastName', ${oneOf(lastNames, n, 12)} || ' ' || ${n}, 'secondName', '',
  'email', 'buyer' || ${n} || '@example.com', 'phone', '+79' || lpad((${n} * 7919 % 1000000000)::text, 9, '0'))`;

const customerId = (n: SQL): SQL => sql`'seed-customer-' || lpad((${n})::text, 8, '0')`;

/** Accounts, each the buyer of some orders; every eighth gets the newsletter. */
async function addCustomers(tx: Tx, count: number, now: Date): Promise<void> {
  const n = sql`n`;
  await tx.execute(sql`
    insert into customers (id, phone, name, last_name, email, created_at)
    select ${customerId(n)}, user_data ->> 'phone', user_data ->> 'name', user_data ->> 'lastName', user_data ->> 'email',
      ${now.toISOString()}::timestamptz - make_interval(secs => ${twoYears} * (1 + pg_temp.share(n, 13)))
    from generate_series(1, ${count}::int) n, lateral (select ${person(n)} as user_data) as made
    on conflict do nothing`);
  await tx.execute(sql`
    insert into consents (customer_id, purpose, text_version, at)
    select id, 'newsletter', 'newsletter-2026-11', created_at from customers c
    where id like 'seed-customer-%' and hashtext(id) % 8 = 0
      and not exists (select 1 from consents k where k.customer_id = c.id and k.purpose = 'newsletter' and k.withdrawn_at is null)`);
}

type Part = { from: number; till: number; count: number; now: Date };

/** The rows of one part of the orders, in the order of their references. */
function statementsFor({ from, till, count, now }: Part): SQL[] {
  const at = sql`${now.toISOString()}::timestamptz`;
  const customers = Math.ceil(count / 10);
  return [
    sql`drop table if exists seed_orders`,
    // Orders older than three weeks are closed; `k` chooses the state.
    sql`create temp table seed_orders on commit drop as
      select *, case when drawn_state = 'shipped' and delivery_id = ${deliveryIds.office} then 'ready'
          when drawn_state = 'returning' and delivery_id = ${deliveryIds.office} then 'delivered' else drawn_state end as state,
        'seed' || lpad(key::text, 18, '0') as id, 'seedq' || lpad(key::text, 17, '0') as quote_id,
        case when drawn_state not in ('cancelled', 'awaiting_payment') or is_paid_cancelled
          then created_at + interval '20 minutes' end as paid_at
      from (
        select n, key, created_at, k, is_customer, delivery_id, city_code, city_name, first_coin,
          case when age > 1814400 then case when k < 0.86 then 'delivered' when k < 0.96 then 'cancelled' else 'returned' end
            when age > 259200 then case when k < 0.40 then 'shipped' when k < 0.55 then 'ready' when k < 0.90 then 'delivered'
              when k < 0.98 then 'cancelled' else 'returning' end
            else case when k < 0.45 then 'paid' when k < 0.70 then 'assembled' when k < 0.82 then 'awaiting_payment'
              when k < 0.92 then 'shipped' else 'cancelled' end
          end as drawn_state,
          age > 1814400 and k >= 0.94 and k < 0.96 as is_paid_cancelled,
          age > 1814400 and k >= 0.998 as is_unsettled,
          case when pg_temp.share(key, 24) < 0.6 then ${paymentIds.card}::int when pg_temp.share(key, 24) < 0.9 then ${paymentIds.sbp}::int
            else ${paymentIds.invoice}::int end as payment_id
        from (
          select n, base.last + n as key, pg_temp.share(base.last + n, 20) as k, pg_temp.share(base.last + n, 21) < 0.4 as is_customer,
            date_trunc('milliseconds', ${at} - make_interval(secs => ${twoYears} * (${count}::int - n) / ${count} + 60)) as created_at,
            ${twoYears} * (${count}::int - n) / ${count} + 60 as age,
            case when pg_temp.share(base.last + n, 22) < 0.15 then ${deliveryIds.office}::int
              when pg_temp.share(base.last + n, 22) < 0.8 then ${deliveryIds.free_pickup_point}::int
              else ${deliveryIds.free_courier}::int end as delivery_id,
            floor(pg_temp.share(base.last + n, 41) * 1000000)::int as first_coin,
            1 + floor(pg_temp.share(base.last + n, 23) * ${cities.length})::int as city
          from generate_series(${from + 1}::int, ${till}::int) n,
            (select coalesce(max(substr(id, 5)::bigint), 0) - ${from} as last from orders where id like 'seed%') as base
        ) as drawn, lateral (select (${array(cities.map(([code]) => code))})[city] as city_code,
          (${array(cities.map(([, name]) => name))})[city] as city_name) as place
      ) as dated`,
    sql`analyze seed_orders`,
    sql`drop table if exists seed_lines`,
    // One to three coins; the newest order of all has many.
    sql`create temp table seed_lines on commit drop as
      select o.id as order_id, o.quote_id, o.state, o.created_at, c.id as coin_id, c.slug, c.title, c.vat_code, c.price,
        case when o.n = ${count} then 1 else 1 + floor(pg_temp.share(o.key, 30 + i) ^ 3 * 4)::int end as quantity,
        row_number() over (partition by o.id order by i) as position
      from seed_orders o
        cross join lateral generate_series(0, case when o.n = ${count} then ${maxLines - 1}
          else floor(pg_temp.share(o.key, 40) * 3)::int end) i
        join seed_coins c on c.place = 1 + (o.first_coin + i) % (select max(coins) from seed_coins)
      where i < c.coins`,
    sql`create index on seed_lines (order_id)`,
    sql`analyze seed_lines`,
    sql`insert into quotes (id, owner, cart_version, delivery_id, city_code, payment_method_id, lines, delivery_kopecks, delivery,
        total_kopecks, price_list_version, created_at, expires_at, used_by_order_id)
      select o.quote_id, ${owner(customers)}, 1, o.delivery_id, o.city_code, o.payment_id, l.lines, 0, ${snapshot},
        l.total, 1, o.created_at - interval '1 minute', o.created_at + interval '9 minutes', o.id
      from seed_orders o join (
        select order_id, sum(price * quantity)::bigint as total, jsonb_agg(jsonb_build_object('coinId', coin_id, 'slug', slug,
          'title', title, 'quantity', quantity, 'priceKopecks', price, 'vatCode', vat_code) order by position) as lines
        from seed_lines group by order_id
      ) l on l.order_id = o.id`,
    sql`insert into orders (id, owner, customer_id, quote_id, state, delivery_id, pickup_point_id, delivery_kopecks, payment_method_id,
        total_kopecks, paid_kopecks, refunded_kopecks, paid_at, "user", address, delivery, price_list_version, created_at, reserved_until,
        forget_at, assignee)
      select o.id, q.owner, case when o.is_customer then substr(q.owner, 10) end, o.quote_id, o.state, o.delivery_id,
        case when o.delivery_id = ${deliveryIds.free_pickup_point} then 'SEED' end, 0, o.payment_id, q.total_kopecks,
        case when o.paid_at is null then 0 else q.total_kopecks end,
        case when o.is_paid_cancelled or (o.state = 'returned' and not o.is_unsettled) then q.total_kopecks else 0 end,
        o.paid_at, ${person(sql`(case when o.is_customer then ${customerOf(customers)} else o.key + 10000000 end)`)},
        case when o.delivery_id = ${deliveryIds.free_courier} then jsonb_build_object('city', o.city_name, 'street', 'Садовая улица',
          'house', (1 + o.key % 90)::text, 'room', (1 + o.key % 200)::text, 'entrance', '', 'floor', '', 'message', '') end,
        q.delivery, 1, o.created_at, case when o.state = 'awaiting_payment' then ${at} + interval '3 days' end,
        case when o.is_customer then null else o.created_at + interval '1826 days' end,
        case when pg_temp.share(o.key, 25) < 0.05 then (array['ivanova', 'petrov', 'sidorova'])[1 + o.key % 3] end
      from seed_orders o join quotes q on q.id = o.quote_id order by o.n`,
    sql`insert into order_lines (order_id, coin_id, position, slug, title, quantity, price_kopecks, vat_code)
      select order_id, coin_id, position, slug, title, quantity, price, vat_code from seed_lines`,
    sql`insert into order_history (order_id, step, event, state, at, actor)
      select o.id, row_number() over (partition by o.id order by e.after), e.event, e.state,
        least(o.created_at + make_interval(mins => e.after), ${at}), e.actor
      from seed_orders o cross join lateral (values ${historyRows}) as e (event, state, after, actor, is_there) where e.is_there`,
    sql`insert into payments (id, order_id, attempt, method, amount_kopecks, refunded_kopecks, state, is_kept, idempotence_key, ask,
        provider, provider_id, created_at, requested_at, settled_at, actor)
      select 'seedp-' || o.key, o.id, 1, case o.payment_id when ${paymentIds.card} then 'card' when ${paymentIds.sbp} then 'sbp'
          else 'invoice' end,
        r.total_kopecks, r.refunded_kopecks, 'succeeded', 'kept', 'seedp-' || o.key,
        jsonb_build_object('orderNumber', r.number::text, 'returnUrl', 'http://localhost/', 'receipt', ${receiptOf}),
        case when o.payment_id = ${paymentIds.invoice} then 'by_hand' else 'archive' end,
        case when o.payment_id = ${paymentIds.invoice} then null else 'seed-' || o.key end,
        o.created_at + interval '1 minute', o.created_at + interval '1 minute', o.paid_at,
        case when o.payment_id = ${paymentIds.invoice} then 'staff:seed' else 'visitor' end
      from seed_orders o join orders r on r.id = o.id where o.paid_at is not null`,
    sql`insert into refunds (id, payment_id, order_id, cause, amount_kopecks, state, idempotence_key, mode, provider_id, created_at,
        requested_at, settled_at, actor)
      select 'seedr-' || o.key, 'seedp-' || o.key, o.id, o.state, r.refunded_kopecks, 'succeeded', 'seedr-' || o.key, 'full_prepayment',
        'seedr-' || o.key, o.paid_at + interval '9 days', o.paid_at + interval '9 days', o.paid_at + interval '9 days', 'staff:seed'
      from seed_orders o join orders r on r.id = o.id where r.refunded_kopecks > 0`,
    sql`insert into receipts (id, about, order_id, payment_id, refund_id, kind, registrar, mode, amount_kopecks, receipt, state,
        idempotence_key, created_at, settled_at)
      select e.kind || '-' || o.key, e.about, o.id, 'seedp-' || o.key, e.refund_id, e.kind, 'provider', e.mode, r.total_kopecks,
        p.ask -> 'receipt', 'succeeded', e.kind || '-' || o.key, e.at, e.at
      from seed_orders o join orders r on r.id = o.id join payments p on p.id = 'seedp-' || o.key cross join lateral (values
        ('payment', 'payment:' || p.id, null::text, 'full_prepayment', o.paid_at, true),
        ('handover', 'handover:' || o.id, null, 'full_payment', o.paid_at + interval '5 days', o.state = 'delivered'),
        ('refund', 'refund:seedr-' || o.key, 'seedr-' || o.key, 'full_prepayment', o.paid_at + interval '9 days', r.refunded_kopecks > 0)
      ) as e (kind, about, refund_id, mode, at, is_there) where e.is_there`,
    sql`insert into shipments (order_id, state, carrier_id, tracking_number, created_at, steps, heard_at)
      select o.id, case o.state when 'assembled' then case when o.key % 50 = 0 then 'invalid' else 'registered' end
          when 'shipped' then 'in_transit' when 'ready' then 'at_point' when 'delivered' then 'delivered' else 'not_delivered' end,
        'seed-' || o.key, (10000000000 + o.key)::text, o.paid_at + interval '1 day', '[]', o.paid_at + interval '2 days'
      from seed_orders o where o.delivery_id <> ${deliveryIds.office}
        and o.state in ('assembled', 'shipped', 'ready', 'delivered', 'returning', 'returned')`,
    sql`insert into order_seals (number, order_id, sealed_at, actor)
      select 'SEED' || o.key, o.id, o.paid_at + interval '1 day', 'staff:seed'
      from seed_orders o where o.state in ('assembled', 'shipped', 'ready', 'delivered', 'returning', 'returned') and o.key % 100 <> 0`,
    sql`insert into stock_entries (coin_id, kind, quantity, order_id, at, actor)
      select l.coin_id, e.kind, e.quantity, l.order_id, l.created_at + e.after, 'staff:seed'
      from seed_lines l cross join lateral (values ('sold', -l.quantity, interval '1 day', l.state in ${soldInSeed}),
        ('returned', l.quantity, interval '7 days', l.state = 'returned')) as e (kind, quantity, after, is_there)
      where e.is_there`,
    sql`insert into seed_pieces (coin_id, sold, held)
      select coin_id, coalesce(sum(quantity) filter (where state in ${soldInSeed} and state <> 'returned'), 0),
        coalesce(sum(quantity) filter (where state in ('paid', 'assembled', 'awaiting_payment')), 0)
      from seed_lines group by coin_id`,
    sql`insert into outbox (channel, kind, about, recipient, subject, text, created_at, sent_at, order_id)
      select 'email', 'order_placed', 'order:' || o.id, r."user" ->> 'email', 'Заказ ' || r.number, '', o.created_at, o.created_at, o.id
      from seed_orders o join orders r on r.id = o.id`,
  ];
}

const soldInSeed = sql`('shipped', 'ready', 'delivered', 'returning', 'returned')`;
const customerOf = (customers: number): SQL => sql`(1 + floor(pg_temp.share(o.key, 26) * ${sql.raw(String(customers))})::int)`;
const owner = (customers: number): SQL =>
  sql`case when o.is_customer then 'customer:' || ${customerId(customerOf(customers))} else 'visitor:' || md5(o.id) end`;

const snapshot = sql`jsonb_build_object('name', case o.delivery_id when ${deliveryIds.office} then 'Самовывоз из офиса'
    when ${deliveryIds.free_courier} then 'Курьер СДЭК' else 'Пункт выдачи СДЭК' end,
  'cityCode', o.city_code, 'cityName', o.city_name, 'point', case when o.delivery_id = ${deliveryIds.free_pickup_point} then
    jsonb_build_object('id', 'SEED', 'type', 'PVZ', 'name', 'Пункт', 'address', 'Садовая улица, 1', 'workTime', 'Пн-Вс 10:00-20:00',
      'phone', '') end,
  'minDays', 1, 'maxDays', 4, 'note', '')`;

const receiptOf = sql`(select jsonb_build_object('email', r."user" ->> 'email', 'phone', '', 'lines', jsonb_agg(jsonb_build_object(
    'title', l.title, 'quantity', l.quantity, 'unitPrice', l.price, 'vatCode', l.vat_code, 'subject', 'commodity') order by l.position))
  from seed_lines l where l.order_id = o.id)`;

/** Every step an order can have had, with the minutes after it was placed; `is_there` says which. */
const historyRows = sql`
  ('place', 'awaiting_payment', 0, 'visitor', true),
  ('pay', 'paid', 20, case when o.payment_id = ${paymentIds.invoice} then 'staff:seed' else 'provider:archive' end, o.paid_at is not null),
  ('expire', 'cancelled', 60, 'job:orders.expire', o.state = 'cancelled' and not o.is_paid_cancelled),
  ('cancel', 'cancelled', 90, 'staff:seed', o.is_paid_cancelled),
  ('assemble', 'assembled', 600, 'staff:seed', o.state in ('assembled', 'shipped', 'ready', 'delivered', 'returning', 'returned')),
  ('ship', 'shipped', 900, 'staff:seed', o.delivery_id <> ${deliveryIds.office}
    and o.state in ('shipped', 'ready', 'delivered', 'returning', 'returned')),
  ('make_ready', 'ready', 901, 'staff:seed', o.delivery_id = ${deliveryIds.office}
    and o.state in ('ready', 'delivered', 'returning', 'returned')),
  ('arrive', 'ready', 3000, 'job:delivery.track', o.delivery_id <> ${deliveryIds.office} and o.state = 'ready'),
  ('deliver', 'delivered', 4000, 'job:delivery.track', o.state = 'delivered'),
  ('start_return', 'returning', 4001, 'job:delivery.track', o.state in ('returning', 'returned')),
  ('turn_back', 'returned', 9000, 'staff:seed', o.state = 'returned'),
  ('refund', 'returned', 9001, 'staff:seed', o.state = 'returned' and not o.is_unsettled)`;

/** A delivery from the mint before all that covers what was sold and is reserved, so that as many pieces are on sale as before. */
function stockStatements(now: Date): SQL[] {
  return [
    sql`insert into stock_entries (coin_id, kind, quantity, at, actor)
      select coin_id, 'receipt', sum(sold + held), ${now.toISOString()}::timestamptz - interval '740 days', 'staff:seed'
      from seed_pieces group by coin_id having sum(sold + held) > 0`,
    sql`update stock_items i set on_hand = on_hand + s.held, reserved = reserved + s.held
      from (select coin_id, sum(held) as held from seed_pieces group by coin_id) s where s.coin_id = i.coin_id and s.held > 0`,
  ];
}
