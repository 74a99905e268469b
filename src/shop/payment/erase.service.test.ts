import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { days, minutes } from "#kit/time.ts";
import { testClock } from "#tests/shop.ts";
import { eraseOld } from "./erase.service.ts";
import { found, openPaymentBench, type PaymentBench } from "./testing.ts";

let bench: PaymentBench;
beforeEach(async () => {
  bench = await openPaymentBench(testClock());
});
afterEach(() => bench.close());

const events = () =>
  found<{ status: string; verdict: string | null; body: string }>(
    bench.ctx,
    sql`select status, verdict, body from payment_events order by id`,
  );

test("the body of a provider's webhook is erased after 90 days; the row and its verdict stay", async () => {
  const { providerId } = await bench.started();
  bench.simulator.act(providerId, "pay");
  await bench.work();
  const [before] = await events();
  expect(before).toMatchObject({ status: "succeeded", verdict: "confirmed", body: expect.stringContaining(providerId) });
  bench.clock.advance(days(90) - minutes(1));
  await eraseOld(bench.ctx);
  expect(await events()).toEqual([before]);
  bench.clock.advance(minutes(2));
  await eraseOld(bench.ctx);
  expect(await events()).toEqual([{ ...before, body: "" }]);
});

test("a thousand and more old events are all emptied, in several steps, and younger ones stay", async () => {
  const { id } = await bench.started();
  await bench.ctx.db.execute(sql`
    insert into payment_events (provider, event, object_id, payment_id, status, body, received_at)
    select 'yookassa', 'payment.succeeded', 'object-' || n, ${id}, 'succeeded', 'body',
      ${bench.clock.now().toISOString()}::timestamptz - interval '91 days'
      from generate_series(1, 1200) as n`);
  await bench.ctx.db.execute(sql`
    insert into payment_events (provider, event, object_id, payment_id, status, body, received_at)
    select 'yookassa', 'payment.succeeded', 'young-' || n, ${id}, 'succeeded', 'body', ${bench.clock.now().toISOString()}::timestamptz
      from generate_series(1, 3) as n`);
  await eraseOld(bench.ctx);
  expect(await found(bench.ctx, sql`select body, count(*)::int as n from payment_events group by body order by body`)).toEqual([
    { body: "", n: 1200 },
    { body: "body", n: 3 },
  ]);
});

test("the order keys that earlier releases stored with a payment are erased, and nothing else is", async () => {
  const { id } = await bench.started();
  const stored = (url: string) => sql`update payments set ask = jsonb_set(ask, '{returnUrl}', to_jsonb(${url}::text)) where id = ${id}`;
  await bench.ctx.db.execute(stored("http://localhost:3000/thanks?order=o1&key=a1-B_2&returned=1"));
  const [before] = await found<{ ask: object }>(bench.ctx, sql`select ask from payments`);
  await eraseOld(bench.ctx);
  expect(await found(bench.ctx, sql`select ask from payments`)).toEqual([before]); // the call may still be repeated with the same body
  bench.clock.advance(days(1) + minutes(1));
  await eraseOld(bench.ctx);
  expect(await found(bench.ctx, sql`select ask from payments`)).toEqual([
    { ask: { ...before?.ask, returnUrl: "http://localhost:3000/thanks?order=o1&returned=1" } },
  ]);
});
