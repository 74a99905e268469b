import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { seconds } from "#kit/time.ts";
import type { Database } from "#main/database/database.ts";
import { openPostgres } from "#main/database/postgres.ts";
import { checkLedger } from "#main/ledger/ledger.ts";
import * as cart from "#shop/cart/service.ts";
import { aCoin } from "#shop/catalog/testing.ts";
import { createSingletons, type Ctx, type OwnerKey } from "#shop/context.ts";
import * as orders from "#shop/orders/service.ts";
import type { Order } from "#shop/orders/order.ts";
import * as payment from "#shop/payment/service.ts";
import { startFaultProxy, type FaultProxy } from "#tests/fault-proxy.ts";
import { testClock } from "#tests/shop.ts";
import { rounds } from "#tests/rounds.ts";
import * as checkout from "./service.ts";
import { aVisitor, openShopToBuy, type ShopToBuy } from "./testing.ts";

let shop: ShopToBuy;
let proxy: FaultProxy;
let far: Database;
/** The shop as it is with the database at the other end of the line. */
let ctx: Ctx;

const isLong = rounds({ test: false, gate: false, long: true });
const coins = [1, 2].map((id) => aCoin({ id, kind: "memorable", metal: "silver", fixedPriceKopecks: 6_000_00 }));

beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), coins, stock: 100_000 });
  const { hostname, port } = new URL(shop.url);
  proxy = await startFaultProxy({ host: hostname, port: Number(port) });
  const url = new URL(shop.url);
  url.port = String(proxy.port);
  far = openPostgres(url.href, { log: shop.ctx.log, max: 10 });
  ctx = { ...shop.ctx, db: far.db, singleton: createSingletons() };
});
afterAll(async () => {
  proxy.setFault({ kind: "none" });
  await far.close();
  await proxy.close();
  await shop.close();
});
beforeEach(() => proxy.setFault({ kind: "none" }));

let visitors = 0;
/** A buyer with an order that waits for its money, a full cart and a live quote. */
async function aBusyBuyer() {
  const me = aVisitor(`slow${(visitors += 1)}`);
  const order = await shop.ordered(me, { 1: 1 });
  await shop.pay(order);
  await shop.fill(me, { 1: 1, 2: 1 });
  return { me, order, request: shop.orderRequestFor(await shop.quoted(me)) };
}
type Busy = { me: OwnerKey; order: Order; request: checkout.OrderRequest };

const actions: Record<string, (buyer: Busy) => Promise<unknown>> = {
  puts: ({ me }) => cart.setQuantity(ctx, me, 1, 3),
  clears: ({ me }) => cart.clear(ctx, me),
  quotes: ({ me }) => checkout.quote(ctx, me, { deliveryId: 35, pointId: null, cityCode: "0000073738", paymentId: 4 }),
  orders: ({ me, request: input }) => checkout.placeOrder(ctx, me, input),
  "orders with a new key": ({ me, request: input }) =>
    checkout.placeOrder(ctx, me, { ...input, idempotencyKey: `${input.idempotencyKey}-2` }),
  requests: ({ order }) => orders.pay(ctx, { orderId: order.id, viewer: shop.guest(order) }),
  cancels: ({ order }) => orders.cancel(ctx, { orderId: order.id, viewer: shop.guest(order) }),
  pays: async ({ order }) => {
    shop.provider.pay(order.id);
    await payment.checkOrder(ctx, order.id);
    for (const each of await payment.ofOrder(ctx.db, order.id)) await orders.markPaid(ctx, { orderId: order.id, paymentId: each.id });
  },
};

test("on a slow line two actions at once of one buyer, or of two, leave the ledger in order, and none of them fails", async () => {
  const all = Object.entries(actions);
  const pairs = all.flatMap(([, a], at) => all.slice(at).map(([name, b]) => ({ a, b, isOrder: name.startsWith("orders") })));
  for (let round = 0; round < (isLong ? 50 : 1); round += 1) {
    const pairsOfActions: (() => Promise<unknown>)[] = [];
    for (const { a, b, isOrder } of pairs) {
      const one = await aBusyBuyer();
      pairsOfActions.push(() => Promise.all([a(one), b(one)]));
      if (!isLong && !isOrder) continue;
      const [first, second] = [await aBusyBuyer(), await aBusyBuyer()];
      pairsOfActions.push(() => Promise.all([a(first), b(second)]));
    }
    shop.clock.advance(seconds(3));
    proxy.setFault({ kind: "latency", ms: isLong ? 100 : 20, jitterMs: 10 });
    // A few pairs at a time: each holds two connections, and the pool has ten.
    for (let from = 0; from < pairsOfActions.length; from += 4) await Promise.all(pairsOfActions.slice(from, from + 4).map((run) => run()));
    proxy.setFault({ kind: "none" });
    await shop.work();
    expect(await checkLedger(shop.ctx.db)).toEqual([]);
  }
}, 1_800_000);

test("wherever the line breaks during an order, repeating the call makes exactly one", async () => {
  let broken = 0;
  for (let round = 0; round < (isLong ? 300 : 40); round += 1) {
    const me = aVisitor(`cut${round}`);
    await shop.fill(me, { 1: 1 });
    const request = shop.orderRequestFor(await shop.quoted(me));
    await far.isReachable();
    proxy.setFault({ kind: "cut", afterBytes: 40 + round * (isLong ? 13 : 97) });
    const first = await checkout.placeOrder(ctx, me, request).then(
      (result) => (result.ok ? result.value.order.id : result.error.code),
      () => null,
    );
    proxy.setFault({ kind: "none" });
    if (first === null) broken += 1;
    const again = await checkout.placeOrder(shop.ctx, me, request);
    if (!again.ok) throw new Error(again.error.code);
    if (first !== null) expect([again.value.order.id, again.value.isRepeat]).toEqual([first, true]);
    expect((await cart.read(shop.ctx, me)).lines).toEqual([]);
  }
  expect(broken).toBeGreaterThan(10);
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
});

test("a database that swallows answers ends each call within seven seconds and costs the pool nothing", async () => {
  await Promise.all(Array.from({ length: 10 }, () => far.isReachable()));
  proxy.setFault({ kind: "timeout" });
  const from = performance.now();
  const calls = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => cart.read(ctx, aVisitor(`swallowed${n}`))));
  expect(performance.now() - from).toBeLessThan(9_000);
  expect(calls.every((each) => each.status === "rejected")).toBe(true);
  proxy.setFault({ kind: "none" });
  expect(
    await Promise.all(Array.from({ length: 30 }, (_, n) => cart.read(ctx, aVisitor(`swallowed${n}`)).then((read) => read.count))),
  ).toEqual(Array.from({ length: 30 }, () => 0));
});
