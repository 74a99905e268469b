/**
 * The kill drill: buyers order and pay at two processes of the shop while one of them is killed with `kill -9` again and again.
 * At the end every acknowledged order is there once, every kopeck that the provider took has its order or has gone back, and the books
 * hold. `--short`: 5 kills in half a minute, for the gate; without it 50.
 */
import { sql, type SQL } from "drizzle-orm";
import { fromRoubles } from "#kit/money.ts";
import type { Database } from "#main/database.ts";
import { buy, intentions, type Told } from "./drill/buyer.ts";
import { openStage, type Stage } from "./drill/stage.ts";

const isShort = process.argv.includes("--short");
const kills = isShort ? 5 : 50;
const loadMs = isShort ? 30_000 : 330_000;
const buyers = 40;
const ordersPerSecond = 20;
/** A machine too slow for these proves nothing. */
const leastOrders = 20;
/** After the load the clocks run ahead, so that what only time heals (lost webhooks, repeats of jobs) need not be waited for. */
const settleMs = 120_000;

const started = performance.now();
const say = (line: string): void => console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const stage = await openStage();
say(`two processes stand: ${stage.members.map((each) => each.url).join(", ")}`);
const failures = await drill(stage).catch((error: unknown) => [`the drill broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`]);
await stage.close();
for (const each of failures) console.error(each);
say(failures.length === 0 ? "passed" : `${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);

async function drill(stage: Stage): Promise<string[]> {
  const { members, payment, database } = stage;
  const shop = { urls: members.map((each) => each.url) };
  const coins = await coinsFor(shop.urls[0] ?? "");
  const endAt = performance.now() + loadMs;
  const told: Told[] = [];
  let begun = 0;
  const shopping = Array.from({ length: buyers }, async (_, n) => {
    await pause((n / ordersPerSecond) * 1000);
    while (performance.now() < endAt) {
      const turnEndsAt = performance.now() + (buyers / ordersPerSecond) * 1000;
      begun += 1;
      told.push(await buy(shop, { coinId: coins[begun % coins.length] ?? 0, intention: intentions[begun % intentions.length] ?? "pay" }));
      await pause(Math.max(0, turnEndsAt - performance.now()));
    }
  });

  const away: number[] = [];
  for (let n = 0; n < kills; n += 1) {
    const due = endAt - loadMs + ((n + Math.random()) / kills) * (loadMs - 3_000);
    await pause(Math.max(0, due - performance.now()));
    const [victim, other] = Math.random() < 0.5 ? [members[0], members[1]] : [members[1], members[0]];
    payment.setNotificationUrl(`${(Math.random() < 0.5 ? victim : other).url}/api/payments/yookassa/webhook`);
    away.push(await victim.crash());
  }
  await Promise.all(shopping);
  const repeats = told.reduce((sum, each) => sum + each.repeats, 0);
  say(`${told.length} buyers, ${kills} kills, ${repeats} calls repeated, a killed process was back after ${Math.round(away.toSorted((a, b) => a - b)[away.length >> 1] ?? 0)} ms in the middle`);

  const unsettled = await settle();
  const orders = await found<OrderRow>(database, sql`
    select o.id, o.state, o.total_kopecks::float8 as total, o.paid_kopecks::float8 as paid, o.refunded_kopecks::float8 as refunded, k.key
    from orders o join idempotency_keys k on k.order_id = o.id`);
  const left = new Map<string, number>();
  for (const { orderId, amount, refunded, status } of payment.payments()) {
    if (orderId && status === "succeeded") left.set(orderId, (left.get(orderId) ?? 0) + fromRoubles(amount) - fromRoubles(refunded));
  }
  say(`${orders.length} orders, ${payment.payments().filter((each) => each.status === "succeeded").length} payments taken`);
  return [...unsettled, ...judge(told, orders, left)];

  /** Lets time heal what it may, and says what stays broken. */
  async function settle(): Promise<string[]> {
    const giveUpAt = performance.now() + settleMs;
    for (;;) {
      await stage.advance(20_000);
      await pause(1_500);
      const wrong = await stage.broken();
      const [open] = await found<{ n: number }>(database, sql`select
        ((select count(*) from payments where state = 'succeeded' and is_kept = 'undecided') + (select count(*) from refunds where state in ('new', 'pending')))::int as n`);
      if (wrong.length === 0 && open?.n === 0) {
        say("the books are in order");
        return [];
      }
      if (performance.now() > giveUpAt) return wrong.length > 0 ? wrong : [`${open?.n} payments or refunds never settled`];
    }
  }
}

async function found<Row>({ db }: Database, query: SQL): Promise<Row[]> {
  const result: unknown = await db.execute(query);
  return (result as { rows: Row[] }).rows;
}

type OrderRow = { id: string; state: string; total: number; paid: number; refunded: number; key: string };

/** What the buyers were told against what the books say; `left` is what the provider still holds of each order's money, kopecks. */
function judge(told: Told[], orders: OrderRow[], left: ReadonlyMap<string, number>): string[] {
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
      wrong.push(`${each.intention}: order ${id} of ${order.total} is ${order.state}, paid ${order.paid}, back ${order.refunded}; the provider holds ${left.get(id) ?? 0}`);
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

/** Coins with a fixed price and enough pieces that nobody is refused for want of them. */
async function coinsFor(url: string): Promise<number[]> {
  const found: number[] = [];
  for (let page = 1; page <= 12; page += 1) {
    const answer = await fetch(`${url}/api/catalog?kind=memorable&inStock=1&page=${page}`);
    const { data } = (await answer.json()) as { data: { items: { id: number; price: number; available: number }[] } };
    found.push(...data.items.filter((each) => each.price < 300_000 && each.available >= 5).map((each) => each.id));
  }
  if (found.length === 0) throw new Error("no coins to buy");
  return found;
}
