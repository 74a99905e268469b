import { sql, type SQL } from "drizzle-orm";
import { fromRoubles } from "#kit/money.ts";
import type { Database } from "#main/database/database.ts";
import type { BuyerOutcome } from "../visitors/buyer.ts";
import { pause, say } from "../stage/run.ts";
import type { Stage } from "../stage/stage.ts";

/** After the load the clocks are advanced, so that repeats of lost webhooks and failed jobs need no real waiting. */
const settleMs = 120_000;

/** Lets repeats finish, then compares the buyers' answers with the stored orders and with the provider. One line for each difference. */
export async function settleAndVerify(stage: Stage, outcomes: readonly BuyerOutcome[], minOrders: number): Promise<string[]> {
  const unsettled = await settle(stage);
  const orders = await rowsOf<OrderRow>(
    stage.database,
    sql`
    select o.id, o.state, o.total_kopecks::float8 as total, o.paid_kopecks::float8 as paid, o.refunded_kopecks::float8 as refunded, k.key
    from orders o join idempotency_keys k on k.order_id = o.id`,
  );
  const left = new Map<string, number>();
  for (const { orderId, amount, refunded, status } of stage.payment.payments()) {
    if (orderId && status === "succeeded") left.set(orderId, (left.get(orderId) ?? 0) + fromRoubles(amount) - fromRoubles(refunded));
  }
  say(`${orders.length} orders, ${stage.payment.payments().filter((each) => each.status === "succeeded").length} payments taken`);
  return [...unsettled, ...verifyOutcomes(outcomes, orders, left, minOrders)];
}

/** Waits until notifications, polls and refunds are done; returns what is still broken. */
export async function settle(stage: Stage): Promise<string[]> {
  const giveUpAt = performance.now() + settleMs;
  for (;;) {
    await stage.advance(20_000);
    await pause(1_500);
    const wrong = await stage.broken();
    const [open] = await rowsOf<{ n: number }>(
      stage.database,
      sql`select
      ((select count(*) from payments where state = 'succeeded' and is_kept = 'undecided')
        + (select count(*) from refunds where state in ('new', 'pending')))::int as n`,
    );
    if (wrong.length === 0 && open?.n === 0) {
      say("the ledger check passes");
      return [];
    }
    if (performance.now() > giveUpAt) return wrong.length > 0 ? wrong : [`${open?.n} payments or refunds never settled`];
  }
}

/** Rows of a query of the test itself. */
export async function rowsOf<Row>({ db }: Pick<Database, "db">, query: SQL): Promise<Row[]> {
  const result: unknown = await db.execute(query);
  return (result as { rows: Row[] }).rows;
}

type OrderRow = { id: string; state: string; total: number; paid: number; refunded: number; key: string };

/** Compares the buyers' answers with the stored orders. `left` is the money of each order at the provider after refunds, kopecks. */
function verifyOutcomes(
  outcomes: readonly BuyerOutcome[],
  orders: OrderRow[],
  left: ReadonlyMap<string, number>,
  minOrders: number,
): string[] {
  const wrong: string[] = [];
  const byKey = new Map(orders.map((each) => [each.key, each]));
  const acknowledged = outcomes.filter((each) => each.orderIds.size > 0);
  if (acknowledged.length < minOrders) wrong.push(`only ${acknowledged.length} orders were made: too few to prove anything`);
  if (acknowledged.length < outcomes.length * 0.9) wrong.push(`only ${acknowledged.length} of ${outcomes.length} buyers got an order`);
  for (const each of outcomes) {
    wrong.push(...each.surprises.map((surprise) => `${each.intention}: ${surprise}`));
    if (each.orderIds.size > 1) wrong.push(`key ${each.key} was answered with ${each.orderIds.size} orders`);
    const order = byKey.get(each.key);
    const [id] = each.orderIds;
    if (id === undefined) continue;
    if (order?.id !== id) wrong.push(`order ${id} was acknowledged and is not there`);
    else if (!isAsIntended(each, order, left.get(id) ?? 0)) {
      wrong.push(
        `${each.intention}: order ${id} of ${order.total} is ${order.state}, paid ${order.paid}, ` +
          `back ${order.refunded}; the provider holds ${left.get(id) ?? 0}`,
      );
    }
  }
  if (new Set(orders.map((each) => each.id)).size !== orders.length) wrong.push("an order has two keys");
  return wrong;
}

/** The permitted final states for the intention. */
function isAsIntended({ intention }: BuyerOutcome, { state, total, paid, refunded }: OrderRow, left: number): boolean {
  switch (intention) {
    case "abandon":
      return state === "awaiting_payment" && paid === 0 && left === 0;
    case "cancel_unpaid":
      return state === "cancelled" && paid === 0 && left === 0;
    case "cancel_paid":
      // paid may be 0: the cancellation came first, and the late payment was refunded
      return state === "cancelled" && refunded === paid && left === 0;
    default:
      return state === "paid" && paid === total && refunded === 0 && left === total;
  }
}
