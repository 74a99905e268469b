import { kopecks } from "#kit/money.ts";
import { randomId } from "#kit/ids.ts";
import { inTransaction } from "#kit/db.ts";
import { hours, minutes, plus, seconds } from "#kit/time.ts";
import * as cart from "#shop/cart/service.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import type { OwnerKey } from "#shop/context.ts";
import { moscowCode, petersburgCode } from "#shop/delivery/delivery.ts";
import * as delivery from "#shop/delivery/service.ts";
import { jobs as deliveryJobs, sweeps as deliverySweeps } from "#shop/delivery/jobs.ts";
import { aCarrier } from "#shop/delivery/testing.ts";
import { deliveryIds, paymentIds } from "#shop/method-ids.ts";
import { jobs as orderJobs, sweeps as orderSweeps } from "#shop/orders/jobs.ts";
import type { Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import type { Recipient } from "#shop/orders/snapshot.ts";
import {
  PaymentRefused,
  type PaymentGateway,
  type ProviderPayment,
  type ProviderReceipt,
  type ProviderRefund,
} from "#shop/payment/gateway.ts";
import { jobs as paymentJobs, sweeps as paymentSweeps } from "#shop/payment/jobs.ts";
import * as payment from "#shop/payment/service.ts";
import * as pricing from "#shop/pricing/service.ts";
import { marketStatus, rates } from "#shop/rates/tables.ts";
import * as stock from "#shop/stock/service.ts";
import { testClock, testShop, type TestClock } from "#tests/shop.ts";
import type { Limits } from "#shop/settings.ts";
import type { Quote, QuoteRequest } from "./quote.ts";
import * as checkout from "./service.ts";

export const aBuyer: Recipient = { name: "Иван", lastName: "Петров", secondName: "", email: "ivan@example.ru", phone: "+79161234567" };
/** Collection at the office, paid by card: needs no point. */
export const atOffice: QuoteRequest = { deliveryId: deliveryIds.office, pointId: null, cityCode: moscowCode, paymentId: paymentIds.card };
export const byPoint: QuoteRequest = {
  deliveryId: deliveryIds.free_pickup_point,
  pointId: "MSK1",
  cityCode: moscowCode,
  paymentId: paymentIds.card,
};

export const aVisitor = (name: string | number): OwnerKey => `visitor:${name}`;

/**
 * A payment gateway in memory, on the shop's clock: idempotence keys, links that expire after an hour, refunds up to the amount paid.
 * `isOut` makes every call fail. `linkLife` is an hour unless a test simulates a slow clock of the provider.
 * `refunds` sets how the next refunds are answered; with `isSumAhead` a payment's refunded sum includes pending refunds.
 */
export type RefundAnswer = "succeeded" | "pending" | "canceled" | "refused" | "unauthorized" | "lost" | "never_arrived" | "other_amount";
function aProvider(now: () => Date) {
  const payments = new Map<string, ProviderPayment & { createdAt: Date }>();
  const refunds = new Map<string, ProviderRefund & { createdAt: Date }>();
  const answers = new Map<string, string>();
  const refundAsks: Parameters<PaymentGateway["refund"]>[0][] = [];
  const receipts = new Map<string, ProviderReceipt & { paymentId: string; sum: number }>();
  const controls = { isOut: false, linkLife: hours(1), refunds: "succeeded" as RefundAnswer, isSumAhead: false };
  const reach = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    if (controls.isOut) throw new Error("the provider is out");
  };
  const lapse = (payment: ProviderPayment & { createdAt: Date }) => {
    if (payment.status === "pending" && now() >= plus(payment.createdAt, controls.linkLife))
      Object.assign(payment, { status: "canceled", cancellationReason: "expired_on_confirmation" });
    return payment;
  };
  const pendingOf = (paymentId: string): number =>
    [...refunds.values()]
      .filter((each) => each.paymentId === paymentId && each.status === "pending")
      .reduce((sum, each) => sum + each.amount, 0);
  const seen = (payment: ProviderPayment & { createdAt: Date }): ProviderPayment => {
    const known = lapse(payment);
    return { ...known, refunded: kopecks(known.refunded + (controls.isSumAhead ? pendingOf(known.id) : 0)) };
  };
  /** Settles a pending refund as the bank would; a settled one stays as it is. */
  function settleRefund(id: string, status: "succeeded" | "canceled"): void {
    const found = [...refunds.values()].find((each) => each.id === id);
    if (found?.status !== "pending") return;
    found.status = status;
    const payment = payments.get(found.paymentId);
    if (payment && status === "succeeded") payment.refunded = kopecks(payment.refunded + found.amount);
  }
  const gateway: PaymentGateway = {
    provider: "test",
    shopAccount: "shop",
    acceptsTestPayments: false,
    confirmationOrigin: "http://pay.example",
    async create(request) {
      await reach();
      const id = answers.get(request.idempotenceKey) ?? randomId();
      answers.set(request.idempotenceKey, id);
      const made = payments.get(id) ?? {
        id,
        status: "pending",
        amount: request.amount,
        currency: "RUB",
        refunded: kopecks(0),
        orderId: request.orderId,
        attemptId: request.attemptId,
        shopAccount: "shop",
        isTest: false,
        confirmationUrl: `http://pay.example/${id}`,
        cancellationReason: null,
        createdAt: now(),
      };
      payments.set(id, made);
      return { ...lapse(made) };
    },
    async find(id) {
      await reach();
      const payment = payments.get(id);
      return payment ? seen(payment) : null;
    },
    async list({ from, till }) {
      await reach();
      return [...payments.values()].filter(({ createdAt }) => createdAt >= from && createdAt < till).map(seen);
    },
    async refund(request) {
      const { idempotenceKey, providerPaymentId, amount } = request;
      await reach();
      refundAsks.push(request);
      const known = refunds.get(idempotenceKey);
      if (known) return { ...known };
      const answer = controls.refunds;
      if (answer === "unauthorized") throw new Error("wrong credentials");
      if (answer === "never_arrived") throw new Error("the request was lost on its way");
      const payment = payments.get(providerPaymentId);
      if (
        answer === "refused" ||
        payment?.status !== "succeeded" ||
        payment.refunded + pendingOf(providerPaymentId) + amount > payment.amount
      )
        throw new PaymentRefused("nothing to give back");
      const made = {
        id: randomId(),
        paymentId: providerPaymentId,
        status: "pending" as const,
        amount,
        key: idempotenceKey,
        createdAt: now(),
      };
      refunds.set(idempotenceKey, made);
      if (answer === "canceled") settleRefund(made.id, "canceled");
      else if (answer !== "pending") settleRefund(made.id, "succeeded");
      if (answer === "lost") throw new Error("the answer was lost on its way");
      return { ...(refunds.get(idempotenceKey) ?? made), ...(answer === "other_amount" ? { amount: kopecks(amount + 1) } : {}) };
    },
    async findRefund(id) {
      await reach();
      const found = [...refunds.values()].find((each) => each.id === id);
      return found ? { ...found } : null;
    },
    async refundsOf(paymentId) {
      await reach();
      return [...refunds.values()].filter((each) => each.paymentId === paymentId).map((each) => ({ ...each }));
    },
    async listRefunds({ from, till }) {
      await reach();
      return [...refunds.values()].filter(({ createdAt }) => createdAt >= from && createdAt < till).map((each) => ({ ...each }));
    },
    async registerHandover({ idempotenceKey, providerPaymentId, receipt }) {
      await reach();
      const payment = payments.get(providerPaymentId);
      const sum = receipt.lines.reduce((total, each) => total + each.unitPrice * each.quantity, 0);
      if (payment?.status !== "succeeded" || sum > payment.amount - payment.refunded) throw new PaymentRefused("nothing to hand over");
      const made = receipts.get(idempotenceKey) ?? {
        id: randomId(),
        kind: "handover" as const,
        status: "succeeded" as const,
        fiscal: null,
        paymentId: providerPaymentId,
        sum,
      };
      receipts.set(idempotenceKey, made);
      return made;
    },
    findReceipt: async (id) => [...receipts.values()].find((each) => each.id === id) ?? null,
    async receiptsOf(of) {
      await reach();
      const isPaid = "providerPaymentId" in of && payments.get(of.providerPaymentId)?.status === "succeeded";
      const printed: ProviderReceipt[] =
        "providerRefundId" in of
          ? [{ id: `rt-${of.providerRefundId}`, kind: "refund", status: "succeeded", fiscal: null }]
          : isPaid
            ? [{ id: `rt-${of.providerPaymentId}`, kind: "payment", status: "succeeded", fiscal: null }]
            : [];
      return [...printed, ...[...receipts.values()].filter((each) => "providerPaymentId" in of && each.paymentId === of.providerPaymentId)];
    },
    readNotification: () => null,
  };
  const open = (orderId: string) => [...payments.values()].filter((each) => each.orderId === orderId && lapse(each).status === "pending");
  return {
    gateway,
    controls,
    payments,
    refunds,
    refundAsks,
    receipts,
    settleRefund,
    /** Pays on the provider's page by the newest open link, or by the given one; false when there is none. */
    pay(orderId: string, which = -1): boolean {
      const payment = open(orderId).at(which);
      if (payment) payment.status = "succeeded";
      return payment !== undefined;
    },
    decline(orderId: string): boolean {
      const payment = open(orderId).at(-1);
      if (payment) Object.assign(payment, { status: "canceled", cancellationReason: "insufficient_funds" });
      return payment !== undefined;
    },
    /** Money that the provider holds for an order: paid minus refunded. */
    heldFor: (orderId: string): number =>
      [...payments.values()]
        .filter((each) => each.orderId === orderId && each.status === "succeeded")
        .reduce((sum, each) => sum + each.amount - each.refunded, 0),
  };
}

/** 6 000 ₽ and 9 000 ₽ with fixed prices, and a bullion coin that follows gold (about 94 000 ₽). */
export const shelf: Coin[] = [
  aCoin({ id: 1, kind: "memorable", metal: "silver", fixedPriceKopecks: 6_000_00, premiumBp: 0 }),
  aCoin({ id: 2, kind: "memorable", metal: "silver", fixedPriceKopecks: 9_000_00, premiumBp: 0 }),
  aCoin({ id: 3, kind: "bullion", metal: "gold" }),
];

/** Buyers in these tests share one phone and one mailbox. */
const withoutReserveLimits: Partial<Limits> = {
  reservedPiecesPerPerson: 0,
  reservedRoublesPerPerson: 0,
  reservedPiecesPerAddress: 0,
  reservedRoublesPerAddress: 0,
  addressSharePercent: 0,
  cancelledOrders: 1_000,
};

/** A shop with coins in stock, rates, a carrier and a payment provider, ready to sell. */
export async function openShopToBuy(
  options: { stock?: number; coins?: Coin[]; limits?: Partial<Limits>; connections?: number; clock?: TestClock; isEmbedded?: boolean } = {},
) {
  const clock = options.clock ?? testClock();
  const provider = aProvider(clock.now);
  const carrier = aCarrier();
  const shop = await testShop({
    clock,
    limits: { ...withoutReserveLimits, ...options.limits },
    connections: options.connections,
    isEmbedded: options.isEmbedded,
    gateways: { payment: provider.gateway, delivery: carrier.gateway },
  });
  const { ctx } = shop;
  const coins = options.coins ?? shelf;
  await putCoins(ctx.db, coins);
  await inTransaction(ctx.db, (tx) =>
    stock.openStock(
      tx,
      ctx,
      coins.map(({ id }) => ({ coinId: id, quantity: options.stock ?? 10 })),
    ),
  );
  await delivery.addCities(ctx, [
    { code: moscowCode, carrierCode: 44, name: "Москва", region: "Москва", lat: 55.75, lon: 37.62, weight: 2 },
    { code: petersburgCode, carrierCode: 137, name: "Санкт-Петербург", region: "Санкт-Петербург", lat: 59.94, lon: 30.31, weight: 1 },
  ]);

  /** Sets the exchange's rate (roubles per gram of gold) and state. Advances the clock by a second, so that caches expire. */
  async function receiveRates({ gold = 11_500, isOpen = true }: { gold?: number; isOpen?: boolean } = {}): Promise<void> {
    clock.advance(seconds(1));
    const at = clock.now();
    const common = { previousCloseE4: null, observedAt: at, receivedAt: at, heardAt: at, source: "exchange" };
    await ctx.db.insert(rates).values([
      { ...common, code: "XAU_RUB", valueE4: Math.round(gold * 10_000) },
      { ...common, code: "XAG_RUB", valueE4: 150 * 10_000 },
    ]);
    await ctx.db
      .insert(marketStatus)
      .values({ id: 1, isOpen, heardAt: at })
      .onConflictDoUpdate({ target: marketStatus.id, set: { isOpen, heardAt: at } });
    await pricing.refresh(ctx);
  }
  await receiveRates();

  const handlers = { ...paymentJobs, ...orderJobs, ...deliveryJobs };
  const work = () => shop.drain(handlers);
  let keys = 0;

  async function fill(owner: OwnerKey, content: Record<number, number>): Promise<void> {
    for (const [id, quantity] of Object.entries(content)) {
      const put = await cart.setQuantity(ctx, owner, Number(id), quantity);
      if (!put.ok) throw new Error(put.error.code);
    }
  }

  async function quoted(owner: OwnerKey, request: QuoteRequest = atOffice): Promise<Quote> {
    const made = await checkout.quote(ctx, owner, request);
    if (!made.ok) throw new Error(made.error.code);
    return made.value;
  }

  /** The order request for a quote as the page sends it. */
  function orderRequestFor(quote: Quote, change: Partial<checkout.OrderRequest> = {}): checkout.OrderRequest {
    keys += 1;
    return {
      idempotencyKey: `key-${keys}`,
      bodyHash: quote.id,
      quoteId: quote.id,
      user: aBuyer,
      address: null,
      customerId: null,
      paymentId: quote.paymentMethodId,
      delivery: { id: quote.delivery.id, pointId: quote.delivery.point?.id ?? null },
      ...change,
    };
  }

  return {
    ...shop,
    provider,
    carrier,
    receiveRates,
    work,
    fill,
    quoted,
    orderRequestFor,
    /** Fills the cart, makes a quote and places the order. */
    async ordered(owner: OwnerKey, content: Record<number, number>, request: QuoteRequest = atOffice): Promise<Order> {
      await fill(owner, content);
      const placed = await checkout.placeOrder(ctx, owner, {
        ...orderRequestFor(await quoted(owner, request)),
        customerId: owner.startsWith("customer:") ? owner.slice(9) : null,
      });
      if (!placed.ok) throw new Error(placed.error.code);
      return placed.value.order;
    },
    guest: (order: { id: string }) => ({ guestKey: orders.keyOf(ctx, order.id) }),
    pay: (order: { id: string }, paymentId?: number) =>
      orders.pay(ctx, { orderId: order.id, viewer: { guestKey: orders.keyOf(ctx, order.id) }, paymentId }),
    /**
     * Pays an order at the provider and fetches the payment's state, as the sweep does; with what follows. Returns the order as it is then.
     */
    async paid(order: { id: string }): Promise<Order> {
      await this.pay(order);
      provider.pay(order.id);
      clock.advance(seconds(3));
      await payment.checkOrder(ctx, order.id);
      await work();
      return this.now(order);
    },
    now: async (order: { id: string }): Promise<Order> => {
      const found = await orders.byId(ctx, order.id);
      if (!found) throw new Error("no such order");
      return found;
    },
    free: async (coinId: number): Promise<number> => (await stock.available(ctx.db, [coinId])).get(coinId) ?? 0,
    /** Runs every sweep once. */
    async sweep(): Promise<void> {
      await paymentSweeps["payment.reconcile"].run(ctx);
      await work();
      await orderSweeps["orders.expire"].run(ctx);
      await work();
      await paymentSweeps["payment.refunds"].run(ctx);
      await paymentSweeps["payment.receipts"].run(ctx);
      await work();
      await deliverySweeps["delivery.track"].run(ctx);
      await work();
    },
    /** Tracks all due parcels and runs the resulting jobs. */
    async trackParcels(): Promise<void> {
      for (let turn = 0; turn < 5; turn += 1) {
        await deliverySweeps["delivery.track"].run(ctx);
        await work();
      }
    },
    /** Advances the clock in steps and runs the sweeps after each. */
    async pass(milliseconds: number, stepMs = minutes(1)): Promise<void> {
      for (let left = milliseconds; left > 0; left -= stepMs) {
        clock.advance(Math.min(stepMs, left));
        await this.sweep();
      }
    },
  };
}
export type ShopToBuy = Awaited<ReturnType<typeof openShopToBuy>>;
