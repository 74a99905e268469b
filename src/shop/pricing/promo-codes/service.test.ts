import { eq } from "drizzle-orm";
import * as fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { checkLedger } from "#main/ledger/ledger.ts";
import { kopecks } from "#kit/money.ts";
import { hours, plus } from "#kit/time.ts";
import * as cart from "#shop/cart/service.ts";
import * as checkout from "#shop/checkout/service.ts";
import { aBuyer, aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { OwnerKey } from "#shop/context.ts";
import * as orders from "#shop/orders/service.ts";
import { testClock } from "#tests/shop.ts";
import { promoCodes as codeTable } from "../tables.ts";
import * as promoCodes from "./service.ts";
import { putPromoCode } from "./testing.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({
    clock: testClock(),
    stock: 10_000,
    limits: { unpaidOrders: 1_000, cardLimitRoubles: 10_000_000, insuredLimitRoubles: 100_000_000 },
  });
});
afterEach(async () => expect(await checkLedger(shop.ctx.db)).toEqual([]));
afterAll(() => shop.close());

let names = 0;
const aName = () => `CODE-${(names += 1)}`;
const usedOf = async (id: number) => (await promoCodes.find(shop.ctx.db, id))!.used;

/** A visitor with coins and the code in the cart. */
async function withCode(code: string, content: Record<number, number>, owner: OwnerKey = aVisitor(`promo ${(names += 1)}`)) {
  await shop.fill(owner, content);
  const entered = await cart.enterPromo(shop.ctx, owner, code, null);
  if (!entered.ok) throw new Error(entered.error.code);
  return owner;
}
const orderOf = async (owner: OwnerKey, change: Partial<checkout.OrderRequest> = {}) =>
  checkout.placeOrder(shop.ctx, owner, shop.orderRequestFor(await shop.quoted(owner), change));

async function placed(owner: OwnerKey, change: Partial<checkout.OrderRequest> = {}) {
  const made = await orderOf(owner, change);
  if (!made.ok) throw new Error(made.error.code);
  return made.value.order;
}

async function payFor(order: { id: string }): Promise<void> {
  await shop.paid(order);
}

describe("a promo code", () => {
  test("is in the prices of cart, quote and order alike, is counted once, and leaves the cart with its coins", async () => {
    const code = await putPromoCode(shop.ctx, { code: aName() });
    const owner = await withCode(` ${code.code.toLowerCase()} `, { 1: 1, 2: 1 });
    const read = await cart.read(shop.ctx, owner);
    expect(read).toMatchObject({ total: 14_000_00, promo: { code: code.code, discount: 1_000_00, fault: null } });
    const quote = await shop.quoted(owner);
    expect(quote).toMatchObject({ total: 14_000_00, promo: { codeId: code.id, code: code.code, discount: 1_000_00 } });
    const request = shop.orderRequestFor(quote);
    const made = await checkout.placeOrder(shop.ctx, owner, request);
    expect(made).toMatchObject({ ok: true, value: { order: { total: 14_000_00, promo: { code: code.code, discount: 1_000_00 } } } });
    await checkout.placeOrder(shop.ctx, owner, request); // the same call again
    expect(await usedOf(code.id)).toBe(1);
    expect((await cart.read(shop.ctx, owner)).promo).toBeNull();
  });

  test("that is entered, changed or removed after the quote makes the quote outdated", async () => {
    const code = await putPromoCode(shop.ctx, { code: aName() });
    const owner = aVisitor("promo late");
    await shop.fill(owner, { 1: 1 });
    const before = await shop.quoted(owner);
    await cart.enterPromo(shop.ctx, owner, code.code, null);
    const refused = await checkout.placeOrder(shop.ctx, owner, shop.orderRequestFor(before));
    expect(refused).toMatchObject({ ok: false, error: { code: "order.prices_changed", quote: { total: 5_000_00 } } });
    const removed = await cart.removePromo(shop.ctx, owner);
    expect(removed).toMatchObject({ promo: null, total: 6_000_00 });
  });

  test("is refused with the reason when it is unknown, early, late, stopped or used up", async () => {
    const now = shop.ctx.now();
    const early = await putPromoCode(shop.ctx, { code: aName(), startsAt: plus(now, hours(1)) });
    const late = await putPromoCode(shop.ctx, { code: aName(), endsAt: now });
    const stopped = await putPromoCode(shop.ctx, { code: aName() });
    await promoCodes.stop(shop.ctx, stopped.id);
    const owner = aVisitor("promo refused");
    await shop.fill(owner, { 1: 1 });
    const refusal = async (code: string) => {
      const entered = await cart.enterPromo(shop.ctx, owner, code, null);
      return entered.ok ? null : entered.error.code;
    };
    expect(await refusal("NO-SUCH")).toBe("promo.unknown");
    expect(await refusal(early.code)).toBe("promo.not_started");
    expect(await refusal(late.code)).toBe("promo.ended");
    expect(await refusal(stopped.code)).toBe("promo.ended");
    expect(await promoCodes.create(shop.ctx, { ...early, code: early.code.toLowerCase() })).toEqual({
      ok: false,
      error: { code: "promo_code.taken" },
    });
  });

  test("that does not fit the cart stays in it and says why, until it fits", async () => {
    const code = await putPromoCode(shop.ctx, { code: aName(), minSum: kopecks(10_000_00), coinIds: [2] });
    const owner = await withCode(code.code, { 1: 1 });
    expect((await cart.read(shop.ctx, owner)).promo).toMatchObject({ fault: "min_sum", discount: 0 });
    expect((await shop.quoted(owner)).promo).toBeNull();
    const fuller = await cart.setQuantity(shop.ctx, owner, 2, 1);
    expect(fuller).toMatchObject({ ok: true, value: { promo: { fault: null, discount: 1_000_00 } } });
  });

  test("that was stopped after the quote makes no order: the buyer gets the prices without it", async () => {
    const code = await putPromoCode(shop.ctx, { code: aName() });
    const owner = await withCode(code.code, { 1: 1 });
    const request = shop.orderRequestFor(await shop.quoted(owner));
    await promoCodes.stop(shop.ctx, code.id);
    expect(await checkout.placeOrder(shop.ctx, owner, request)).toMatchObject({
      ok: false,
      error: { code: "order.prices_changed", quote: { total: 6_000_00, promo: null } },
    });
    expect(await usedOf(code.id)).toBe(0);
  });

  test("for one use by each person counts the phone, whatever the browser", async () => {
    const code = await putPromoCode(shop.ctx, { code: aName(), maxUsesPerPerson: 1 });
    await placed(await withCode(code.code, { 1: 1 }));
    const again = await withCode(code.code, { 1: 1 });
    expect(await orderOf(again)).toMatchObject({ ok: false, error: { code: "order.prices_changed", quote: { promo: null } } });
    const other = await placed(await withCode(code.code, { 1: 1 }), { user: { ...aBuyer, phone: "+79160000011" } });
    expect(other.promo?.discount).toBe(1_000_00);
    expect(await usedOf(code.id)).toBe(2);
  });

  test("has its last use taken once, by one of many buyers at the same moment", async () => {
    const code = await putPromoCode(shop.ctx, { code: aName(), maxUses: 1 });
    const requests = [];
    for (let each = 0; each < 6; each += 1) {
      const owner = await withCode(code.code, { 1: 1 });
      requests.push({ owner, request: shop.orderRequestFor(await shop.quoted(owner)) });
    }
    const made = await Promise.all(requests.map(({ owner, request }) => checkout.placeOrder(shop.ctx, owner, request)));
    expect(made.filter(({ ok }) => ok)).toHaveLength(1);
    expect(made.filter((each) => !each.ok && each.error.code === "order.prices_changed")).toHaveLength(5);
    expect(await usedOf(code.id)).toBe(1);
  });

  test("gets its use back once when the order is cancelled or its reservation ends", async () => {
    const code = await putPromoCode(shop.ctx, { code: aName(), maxUses: 2 });
    const cancelled = await placed(await withCode(code.code, { 1: 1 }));
    const paid = await placed(await withCode(code.code, { 1: 1 }));
    await payFor(paid);
    const cancel = () => orders.cancel(shop.ctx, { orderId: cancelled.id, viewer: shop.guest(cancelled) });
    await Promise.all([cancel(), cancel()]);
    expect(await usedOf(code.id)).toBe(1);
    await orders.cancel(shop.ctx, { orderId: paid.id, viewer: shop.guest(paid) });
    await shop.work();
    expect(await usedOf(code.id)).toBe(0);
    const expired = await placed(await withCode(code.code, { 1: 1 }));
    expect(await usedOf(code.id)).toBe(1);
    shop.clock.advance(hours(3));
    await orders.expireDue(shop.ctx);
    await orders.expireDue(shop.ctx);
    expect((await shop.now(expired)).state).toBe("cancelled");
    expect(await usedOf(code.id)).toBe(0);
    const [use] = await promoCodes.uses(shop.ctx.db, code.id, { before: null, limit: 1 });
    expect(use).toMatchObject({ orderId: expired.id, discount: 1_000_00 });
    await shop.receiveRates();
  });

  test("with any cart and any returned pieces: lines sum to the total, and refunds return what was paid, to the kopeck", async () => {
    const content = fc.dictionary(fc.constantFrom("1", "2", "3"), fc.integer({ min: 1, max: 5 }), { minKeys: 1 });
    const size = fc.oneof(
      fc.record({ sum: fc.integer({ min: 1, max: 30_000_00 }).map(kopecks), percentBp: fc.constant(null) }),
      fc.record({ sum: fc.constant(null), percentBp: fc.integer({ min: 1, max: 9_999 }) }),
    );
    await fc.assert(
      fc.asyncProperty(content, size, fc.nat(), async (coins, discount, pick) => {
        const code = await putPromoCode(shop.ctx, { code: aName(), ...discount });
        const owner = await withCode(code.code, coins);
        const before = await cart.read(shop.ctx, owner);
        const order = await placed(owner);
        expect(order.total).toBe(before.total);
        expect(order.lines.reduce((sum, line) => sum + line.price * line.quantity, 0) + order.delivery.price).toBe(order.total);
        const full = before.lines.reduce((sum, line) => sum + (line.fullPrice ?? 0) * line.quantity, 0);
        expect(full - order.total).toBe(order.promo?.discount ?? 0);
        await payFor(order);
        const line = order.lines[pick % order.lines.length]!;
        const quantity = 1 + (pick % line.quantity);
        if (order.lines.length === 1 && quantity === line.quantity) return;
        const refunded = await orders.apply(shop.ctx, order.id, "refund", { pieces: [{ coinId: line.coinId, quantity }] });
        expect(refunded).toMatchObject({ ok: true });
        await shop.work();
        const after = await shop.now(order);
        expect(after).toMatchObject({ paid: order.total, refunded: line.price * quantity });
      }),
      { numRuns: 6 },
    );
  });

  test("cannot count more uses than it has, even past the service", async () => {
    const code = await putPromoCode(shop.ctx, { code: aName(), maxUses: 1 });
    await expect(shop.ctx.db.update(codeTable).set({ used: 2 }).where(eq(codeTable.id, code.id))).rejects.toThrow();
  });
});
