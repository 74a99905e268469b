import type pg from "pg";

/**
 * Rows of the back office that the seed's orders do not come with, for `npm run bench:office`: requests by form, buyback deals, consents of
 * guests to the newsletter, messages that did not arrive, and letters about orders of the last week that did. Nothing is added twice.
 */
export async function addOfficeRows(client: pg.Pool, orders: number): Promise<void> {
  const { rows } = await client.query("select 1 from inquiries where name like 'Пробная %' limit 1");
  if (rows.length > 0) return;
  await client.query(
    `insert into inquiries (kind, state, name, phone, email, details, created_at, due_at, answered_at, outcome)
      select (array['buyback', 'partners', 'callback'])[1 + n % 3], case when n % 8 = 0 then 'received' else 'answered' end,
        'Пробная Анна ' || n, '+79' || lpad((n::bigint * 7919 % 1000000000)::text, 9, '0'), 'request' || n || '@example.com',
        jsonb_build_object('note', 'Прошу оценить монеты ' || n || ', коробка и сертификат есть', 'convenientTime', 'после 18',
          'company', 'Общество ' || n, 'city', 'Тула', 'coins', jsonb_build_array(jsonb_build_object('title', 'Сеятель ' || n, 'count', 2))),
        now() - make_interval(mins => n * 10), now() - make_interval(mins => n * 10 - 600), case when n % 8 = 0 then null else now() end,
        case when n % 8 = 0 then '' else 'Ответили по телефону' end
      from generate_series(1, $1::int) n`,
    [Math.ceil(orders / 2)],
  );
  await client.query(
    `insert into buyback_deals (state, name, phone, offer_kopecks, pieces, closed_at, created_at, changed_at)
      select case when n % 10 = 0 then 'offered' else 'cancelled' end, 'Пробный Иван ' || n,
        '+79' || lpad((n::bigint * 7919 % 1000000000)::text, 9, '0'), 1000000, 1, case when n % 10 = 0 then null else now() end,
        now() - make_interval(mins => n * 10), now()
      from generate_series(1, $1::int) n`,
    [Math.ceil(orders / 2)],
  );
  await client.query(
    `insert into consents (order_id, purpose, text_version, at)
      select id, 'newsletter', 'newsletter-2026-11', created_at from orders where customer_id is null`,
  );
  // A tenth of the last orders has a letter that was given up; half of those were sent again.
  await client.query(
    `insert into outbox (channel, kind, about, recipient, subject, text, created_at, order_id)
      select 'email', 'order_paid', 'bench:' || id, 'no@example.com', 'Оплата', 'Заказ оплачен', now() - interval '1 day', id
      from orders where number % 10 = 0`,
  );
  await client.query(
    `insert into outbox (channel, kind, about, recipient, subject, text, created_at, sent_at, order_id)
      select 'email', 'order_paid', 'again:' || id, 'yes@example.com', 'Оплата', 'Заказ оплачен', now() - interval '1 hour', now(), id
      from orders where number % 20 = 0`,
  );
}
