import { createServer } from "node:http";
import { sql, type SQL } from "drizzle-orm";
import { createYookassaGateway } from "#integrations/yookassa/adapter.ts";
import { startYookassaSimulator } from "#integrations/yookassa/simulator.ts";
import { inTransaction, pipeline, waitUpTo } from "#kit/db.ts";
import { fromRoubles, type Kopecks } from "#kit/money.ts";
import { minutes, plus, seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { paymentIds } from "#shop/method-ids.ts";
import { testShop, type TestClock } from "#tests/shop.ts";
import type { Receipt } from "./gateway.ts";
import { jobs, sweeps } from "./jobs.ts";
import * as payment from "./service.ts";

/** A receipt with one line over the whole amount. */
export const aReceipt = (amount: Kopecks): Receipt => ({
  email: "buyer@example.ru",
  phone: "+79161234567",
  lines: [{ title: "Георгий Победоносец, золото 7,78 г", quantity: 1, unitPrice: amount, vatCode: 1, subject: "commodity" }],
});

export const aPurchase = (change: Partial<payment.PaymentRequest> = {}): payment.PaymentRequest => {
  const amount = change.amount ?? fromRoubles(45_123);
  return {
    orderId: "o1",
    orderNumber: "17",
    methodId: paymentIds.card,
    amount,
    receipt: aReceipt(amount),
    returnUrl: "http://localhost:3000/thanks",
    ...change,
  };
};

/** Starts a payment as an order does and requests its page. */
export async function start(ctx: Ctx, wanted: payment.PaymentRequest): Promise<Awaited<ReturnType<typeof payment.getPaymentLink>>> {
  const begin = (isRefreshed: boolean) =>
    inTransaction(ctx.db, async (tx) => {
      await waitUpTo(tx, minutes(1)); // many tests start payments of one order at once, each of which waits for those before it
      const opened = payment.openAttempt(tx, ctx, wanted, { attempts: await payment.lockAttempts(tx, wanted.orderId), isRefreshed });
      if (opened.ok) await pipeline(opened.value.writes);
      return opened;
    });
  let opening = await begin(false);
  if (opening.ok && opening.value.kind === "check_first") {
    await payment.refreshAttempts(ctx, opening.value.checks);
    opening = await begin(true);
  }
  if (!opening.ok) return opening;
  if (opening.value.kind === "check_first") throw new Error("the status is fetched once");
  return payment.getPaymentLink(ctx, opening.value.attempt, "order-key");
}

/**
 * A shop with a simulated provider on one clock: payments start through the adapter, webhooks return over loopback into
 * `receiveWebhook`. Orders are replaced by a simple rule: the first payment is kept, later ones are refunded.
 */
export async function openPaymentBench(clock: TestClock) {
  const credentials = { shopId: "100500", secretKey: "test_secret" };
  const simulator = await startYookassaSimulator({ now: clock.now, ...credentials });
  const adapter = createYookassaGateway({ baseUrl: simulator.url, now: clock.now, ...credentials });
  const shop = await testShop({ clock, gateways: { payment: adapter } });
  const news: { name: string; orderId: string; paymentId: string; amountKopecks: number }[] = [];

  const orders = {
    "payment.settled": (ctx: Ctx, payload: Record<string, unknown>) =>
      inTransaction(ctx.db, async (tx) => {
        const event = payload as { orderId: string; paymentId: string; amountKopecks: number };
        news.push({ name: "settled", ...event });
        const kept = (await payment.ofOrder(tx, event.orderId)).find((each) => each.isKept === "kept");
        if (kept && kept.id !== event.paymentId) await payment.refundPayment(tx, ctx, event.paymentId, "second_money");
        else await payment.markKept(tx, event.paymentId);
      }),
    "payment.refunded": async (_: Ctx, payload: Record<string, unknown>) => {
      news.push({ name: "refunded", ...(payload as { orderId: string; paymentId: string; amountKopecks: number }) });
    },
  };

  const listener = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        payment.receiveWebhook(shop.ctx, "yookassa", Buffer.concat(chunks).toString()).then(
          () => response.writeHead(200).end(),
          () => response.writeHead(503).end(),
        );
      });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  simulator.setNotificationUrl(`http://127.0.0.1:${(listener.address() as { port: number }).port}`);

  const work = async () => {
    await simulator.quiet();
    await shop.drain({ ...jobs, ...orders });
  };
  return {
    ...shop,
    simulator,
    gateway: shop.ctx.gateways.payment,
    news,
    /** Waits for outstanding webhooks and runs the jobs that they caused. */
    work,
    /**
     * Advances the clock and runs the sweeps every `stepMs`; in the shop they run every few seconds. Skips steps in which nothing is due,
     * except the last one before something is: a check that comes too early shows there. Webhooks already sent are received first: one
     * that is being stored while the clock moves would schedule its check for a moment that has passed.
     */
    async pass(milliseconds: number, stepMs = seconds(5)) {
      await simulator.quiet();
      const end = plus(clock.now(), milliseconds).getTime();
      for (let left = milliseconds; left > 0; left = end - clock.now().getTime()) {
        const due = await nextDue(shop.ctx);
        const stepsToDue = due === null ? Infinity : Math.ceil((due - clock.now().getTime()) / stepMs);
        clock.advance(Math.min(Math.max(1, stepsToDue - 1) * stepMs, left));
        await sweeps["payment.reconcile"].run(shop.ctx);
        await sweeps["payment.refunds"].run(shop.ctx);
        await sweeps["payment.receipts"].run(shop.ctx);
        await work();
      }
    },
    /** Starts a payment, which must succeed, and returns its attempt with the provider's id. */
    async started(change: Partial<payment.PaymentRequest> = {}) {
      const result = await start(shop.ctx, aPurchase(change));
      if (!result.ok) throw new Error(result.error.code);
      return { ...result.value.payment, providerId: result.value.payment.providerId ?? "" };
    },
    attempts: (orderId = "o1") => payment.ofOrder(shop.ctx.db, orderId),
    alarmed: () => shop.alarms.map((each) => each.name),
    async close() {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
      await simulator.close();
      await adapter.close();
      await shop.close();
    },
  };
}
export type PaymentBench = Awaited<ReturnType<typeof openPaymentBench>>;

/** When a sweep next has something to do, in milliseconds; null: nothing is planned. */
async function nextDue(ctx: Ctx): Promise<number | null> {
  const [row] = await found<{ at: number | null }>(
    ctx,
    sql`
    select ceil(extract(epoch from least(
      (select min(next_check_at) from payments), (select min(next_check_at) from refunds), (select min(next_check_at) from receipts)
    )) * 1000)::float8 as at`,
  );
  return row?.at ?? null;
}

/** The rows of a test's query. */
export async function found<Row>(ctx: Ctx, query: SQL): Promise<Row[]> {
  const result: unknown = await ctx.db.execute(query);
  return (result as { rows: Row[] }).rows;
}

/** A notification in the provider's format; anyone may send it. */
export const aNotification = (
  event: string,
  object: { id: string; status: string; payment_id?: string; amount?: { value: string; currency: string } },
): string => JSON.stringify({ type: "notification", event, object: { amount: { value: "45123.00", currency: "RUB" }, ...object } });
