import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fromRoubles } from "#kit/money.ts";
import { inTransaction } from "#kit/db.ts";
import { seededRandom } from "#kit/seeded-random.ts";
import { minutes, seconds } from "#kit/time.ts";
import { testClock } from "#tests/shop.ts";
import { rounds } from "#tests/rounds.ts";
import * as payment from "./service.ts";
import { aNotification, found, openPaymentBench, type PaymentBench } from "./testing.ts";

let bench: PaymentBench;
beforeAll(async () => {
  bench = await openPaymentBench(testClock());
});
afterAll(() => bench.close());

/** Repeatable dice. */
function dice(seed: number): (below: number) => number {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}

function shuffled<T>(items: readonly T[], roll: (below: number) => number): T[] {
  const deck = [...items];
  for (let n = deck.length - 1; n > 0; n -= 1) {
    const other = roll(n + 1);
    [deck[n], deck[other]] = [deck[other] as T, deck[n] as T];
  }
  return deck;
}

type Move = (orderId: string) => Promise<unknown>;

/**
 * One order's whole life: a declined card, a paid SBP payment, a refund of a part and of the rest. What happens at the provider keeps
 * its order; the notifications, true, early and forged ones, come at any place between, each one to five times.
 */
async function live(orderId: string, roll: (below: number) => number): Promise<void> {
  const card = await bench.started({ orderId });
  const sbp = await bench.started({ orderId, methodId: 5 });
  const refundsAtProvider = async () => bench.simulator.refundIds(sbp.providerId);
  const giveBack =
    (cause: "staff:part" | "staff:rest", roubles?: number): Move =>
    async () => {
      await payment.check(bench.ctx, sbp.id);
      await bench.work();
      await inTransaction(bench.ctx.db, (tx) =>
        payment.refundPayment(tx, bench.ctx, sbp.id, cause, roubles === undefined ? undefined : fromRoubles(roubles)),
      );
      await bench.work();
    };
  const wait: Move = async () => bench.clock.advance(seconds(3));
  const happening: Move[] = [
    async () => bench.simulator.act(card.providerId, "decline"),
    wait,
    async () => bench.simulator.act(sbp.providerId, "pay"),
    wait,
    giveBack("staff:part", 5_123),
    wait,
    giveBack("staff:rest"),
    wait,
    async () => {
      for (const id of await refundsAtProvider()) bench.simulator.settleRefund(id, "succeeded");
    },
  ];

  const webhook =
    (event: string, object: { id: string; status: string; payment_id?: string }): Move =>
    () =>
      payment.receiveWebhook(bench.ctx, "yookassa", aNotification(event, object));
  const aboutRefund =
    (index: number): Move =>
    async () => {
      const id = (await refundsAtProvider())[index] ?? "not-made-yet";
      return payment.receiveWebhook(
        bench.ctx,
        "yookassa",
        aNotification("refund.succeeded", { id, payment_id: sbp.providerId, status: "succeeded" }),
      );
    };
  const hints: Move[] = [
    webhook("payment.waiting_for_capture", { id: card.providerId, status: "waiting_for_capture" }),
    webhook("payment.canceled", { id: card.providerId, status: "canceled" }),
    webhook("payment.succeeded", { id: card.providerId, status: "succeeded" }),
    webhook("payment.waiting_for_capture", { id: sbp.providerId, status: "waiting_for_capture" }),
    webhook("payment.succeeded", { id: sbp.providerId, status: "succeeded" }),
    webhook("payment.canceled", { id: sbp.providerId, status: "canceled" }),
    aboutRefund(0),
    aboutRefund(1),
    webhook("refund.succeeded", { id: "22e12f66-000f-5000-8000-000000000000", payment_id: sbp.providerId, status: "succeeded" }),
    webhook("payment.succeeded", { id: "22e12f66-000f-5000-8000-000000000000", status: "succeeded" }),
    () => bench.work(),
    () => payment.checkOrder(bench.ctx, orderId),
  ];
  const repeated = shuffled(
    hints.flatMap((each) => Array.from({ length: 1 + roll(5) }, () => each)),
    roll,
  );
  const all = repeated.length + happening.length;
  const places = new Set(
    shuffled(
      Array.from({ length: all }, (_, n) => n),
      roll,
    ).slice(0, happening.length),
  );
  for (let n = 0; n < all; n += 1) await (places.has(n) ? happening : repeated).shift()?.(orderId);
}

test("many orders end in the same state, in whatever order and however often their webhooks arrive", async () => {
  bench.simulator.setNotificationUrl(null); // the test delivers them itself
  bench.simulator.setRefunds("pending");
  const lives = Array.from({ length: rounds({ test: 30, gate: 100, long: 100 }) }, (_, n) => `life${n}`);
  for (const [n, orderId] of lives.entries()) await live(orderId, dice(n + 1));
  await bench.pass(minutes(3), seconds(10));
  await bench.pass(minutes(40), minutes(5));

  for (const orderId of lives) {
    const attempts = await bench.attempts(orderId);
    expect(
      attempts.map((each) => [each.attempt, each.method, each.state, each.isKept, each.refunded]),
      orderId,
    ).toEqual([
      [1, "card", "canceled", "undecided", 0],
      [2, "sbp", "succeeded", "kept", 4_512_300],
    ]);
    expect(
      (await payment.refundsOfOrder(bench.ctx.db, orderId)).map((each) => each.state),
      orderId,
    ).toEqual(["succeeded", "succeeded"]);
    const news = bench.news.filter((each) => each.orderId === orderId);
    expect(
      news.filter((each) => each.name === "settled").map((each) => each.paymentId),
      orderId,
    ).toEqual([attempts[1]?.id]);
    expect(
      news.filter((each) => each.name === "refunded").reduce((sum, each) => sum + each.amountKopecks, 0),
      orderId,
    ).toBe(4_512_300);
  }

  // Both ledgers hold the same money, and no webhook is stored twice.
  const [ours] = await found<{ taken: string; back: string }>(
    bench.ctx,
    sql`
    select sum(amount_kopecks) filter (where state = 'succeeded')::text as taken, sum(refunded_kopecks)::text as back from payments`,
  );
  const theirs = bench.simulator.payments();
  expect(Number(ours?.taken)).toBe(theirs.filter((each) => each.status === "succeeded").reduce((sum, each) => sum + each.amount * 100, 0));
  expect(Number(ours?.back)).toBe(theirs.reduce((sum, each) => sum + each.refunded * 100, 0));
  expect(await found(bench.ctx, sql`select 1 from payment_events group by provider, event, object_id, status having count(*) > 1`)).toEqual(
    [],
  );
}, 300_000);
