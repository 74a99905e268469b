import { sql, type SQL } from "drizzle-orm";
import { fromRoubles } from "#kit/money.ts";
import type { Database } from "#main/database/database.ts";
import type { Told } from "./buyer.ts";
import { pause, say } from "./run.ts";
import type { Stage } from "./stage.ts";

/** After the load the clocks run ahead, so that what only time heals (lost webhooks, repeats of jobs) need not be waited for. */
const settleMs = 120_000;

/** Lets time heal what it may, then compares what the buyers were told with the books and with the provider's. One line for each difference. */
export async function settleAndJudge(stage: Stage, told: readonly Told[], leastOrders: number): Promise<string[]> {
  const unsettled = await settle(stage);
  const orders = await found<OrderRow>(
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
  return [...unsettled, ...judge(told, orders, left, leastOrders)];
}

/** Notifications, polls and refunds come to rest; then whatever is still broken is. */
export async function settle(stage: Stage): Promise<string[]> {
  const giveUpAt = performance.now() + settleMs;
  for (;;) {
    await stage.advance(20_000);
    await pause(1_500);
    const wrong = await stage.broken();
    const [open] = await found<{ n: number }>(
      stage.database,
      sql`select
      ((select count(*) from payments where state = 'succeeded' and is_kept = 'undecided') + (select count(*) from refunds where state in ('new', 'pending')))::int as n`,
    );
    if (wrong.length === 0 && open?.n === 0) {
      say("the books are in order");
      return [];
    }
    if (performance.now() > giveUpAt) return wrong.length > 0 ? wrong : [`${open?.n} payments or refunds never settled`];
  }
}

/** Rows of a query of the drill's own. */
export async function found<Row>({ db }: Pick<Database, "db">, query: SQL): Promise<Row[]> {
  const result: unknown = await db.execute(query);
  return (result as { rows: Row[] }).rows;
}

type OrderRow = { id: string; state: string; total: number; paid: number; refunded: number; key: string };

/** What the buyers were told against what the books say; `left` is what the provider still holds of each order's money, kopecks. */
function judge(told: readonly Told[], orders: OrderRow[], left: ReadonlyMap<string, number>, leastOrders: number): string[] {
  const wrong: string[] = [];
  const byKey = new Map(orders.map((each) => [each.key, each]));
  const acknowledged = told.filter((each) => each.orderIds.size > 0);
  if (acknowledged.length < leastOrders) wrong.push(`only ${acknowledged.length} orders were made: too few to prove anything`);
  if (acknowledged.length < told.length * 0.9) wrong.push(`only ${acknowledged.length} of ${told.length} buyers got an order`);
  for (const each of told) {
    wrong.push(...each.surprises.map((surprise) => `${each.intention}: ${surprise}`));
    if (each.orderIds.size > 1) wrong.push(`key ${each.key} was answered with ${each.orderIds.size} orders`);
    const order = byKey.get(each.key);
    const [id] = each.orderIds;
    if (id === undefined) continue;
    if (order?.id !== id) wrong.push(`order ${id} was acknowledged and is not there`);
    else if (!isAsIntended(each, order, left.get(id) ?? 0)) {
      wrong.push(
        `${each.intention}: order ${id} of ${order.total} is ${order.state}, paid ${order.paid}, back ${order.refunded}; the provider holds ${left.get(id) ?? 0}`,
      );
    }
  }
  if (new Set(orders.map((each) => each.id)).size !== orders.length) wrong.push("an order has two keys");
  return wrong;
}

/** The only ends that the intention may have. */
function isAsIntended({ intention }: Told, { state, total, paid, refunded }: OrderRow, left: number): boolean {
  switch (intention) {
    case "abandon":
      return state === "awaiting_payment" && paid === 0 && left === 0;
    case "cancel_unpaid":
      return state === "cancelled" && paid === 0 && left === 0;
    case "cancel_paid":
      return state === "cancelled" && refunded === paid && left === 0; // paid may be 0: the cancellation was faster, and the late money went back by itself
    default:
      return state === "paid" && paid === total && refunded === 0 && left === total;
  }
}
