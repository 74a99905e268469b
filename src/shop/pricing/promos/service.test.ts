import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkLedger } from "#main/ledger/ledger.ts";
import { days, hours, plus } from "#kit/time.ts";
import * as cart from "#shop/cart/service.ts";
import { pricesOnly } from "#shop/catalog/prices/prices.ts";
import * as catalog from "#shop/catalog/prices/service.ts";
import * as publishing from "#shop/catalog/editing/publish.service.ts";
import * as catalogue from "#shop/catalog/service.ts";
import { coins } from "#shop/catalog/tables.ts";
import * as checkout from "#shop/checkout/service.ts";
import { aVisitor, openShopToBuy, type ShopToBuy } from "#shop/checkout/testing.ts";
import * as search from "#shop/search/service.ts";
import { testClock } from "#tests/shop.ts";
import * as changes from "../changes/service.ts";
import { putPromoCode } from "../promo-codes/testing.ts";
import * as pricing from "../service.ts";
import { priceLists } from "../tables.ts";
import type { PromoAction } from "./promo.ts";
import * as promos from "./service.ts";

let shop: ShopToBuy;
beforeAll(async () => {
  shop = await openShopToBuy({ clock: testClock(), stock: 100, limits: { unpaidOrders: 100 } });
  // The coins are on sale and the rates known for more than the settled period.
  await shop.ctx.db.insert(priceLists).values({
    version: 0,
    goldE4: 115_000_000,
    silverE4: 1_500_000,
    ratesAt: plus(shop.clock.now(), -days(60)),
    madeAt: plus(shop.clock.now(), -days(60)),
  });
  shop.clock.advance(days(40));
  await shop.receiveRates();
});
afterAll(async () => {
  expect(await checkLedger(shop.ctx.db)).toEqual([]);
  await shop.close();
});

const lowerFixed: PromoAction = { field: "price", mode: "percent", bp: -1_000, roundTo: 100 };
const lowerPremium: PromoAction = { field: "premium", mode: "set", bp: 100 };

async function newPromo(ids: number[], action: PromoAction, from: Date, till: Date, label = "Неделя серебра"): Promise<promos.NewPromo> {
  const coins = await catalog.pricedCoins(shop.ctx.db, { ids });
  return { action, label, startsAt: from, endsAt: till, coins: coins.map((coin) => ({ coinId: coin.id, seen: pricesOnly(coin) })) };
}
async function made(promo: promos.NewPromo) {
  const created = await promos.create(shop.ctx, promo);
  if (!created.ok) throw new Error(created.error.code);
  return created.value;
}
async function cardOf(id: number) {
  shop.clock.advance(1_000);
  const [card] = await search.cards(shop.ctx, [id]);
  return card!;
}

describe("a price promo", () => {
  test("starts and ends at its time, once, by versions of the price list, also when the shop was down in between", async () => {
    const now = shop.clock.now();
    const before = await cardOf(1);
    const promo = await made(await newPromo([1], lowerFixed, plus(now, hours(1)), plus(now, hours(5))));
    await promos.applyDue(shop.ctx);
    expect(await cardOf(1)).toMatchObject({ price: 6_000_00, oldPrice: null });
    shop.clock.advance(hours(2)); // no process ran at the time of the start
    await shop.receiveRates();
    await Promise.all([promos.applyDue(shop.ctx), promos.applyDue(shop.ctx)]);
    const { version } = await pricing.current(shop.ctx);
    const card = await cardOf(1);
    expect(card).toMatchObject({ price: 5_400_00, oldPrice: 6_000_00, promoEndsAt: promo.endsAt, priceListVersion: version });
    expect(card.priceListVersion).toBeGreaterThan(before.priceListVersion);
    await promos.applyDue(shop.ctx);
    expect((await pricing.latest(shop.ctx.db, shop.ctx))!.version).toBe(version);
    shop.clock.advance(hours(4));
    await shop.receiveRates();
    await promos.applyDue(shop.ctx);
    await promos.applyDue(shop.ctx);
    expect(await cardOf(1)).toMatchObject({ price: 6_000_00, oldPrice: null, promoEndsAt: null });
    expect((await promos.read(shop.ctx.db, promo.id, { after: 0, limit: 9 }))!.promo).toMatchObject({ state: "ended", closedBy: null });
  });

  test("that begins now starts at once, is in cart, quote and order, and ends early when staff stops it", async () => {
    const now = shop.clock.now();
    const promo = await made(await newPromo([3], lowerPremium, now, plus(now, days(7))));
    expect(promo).toMatchObject({ state: "running", coins: 1, crossedOut: 1 });
    const card = await cardOf(3);
    expect(card.oldPrice!).toBeGreaterThan(card.price!);
    const buyer = aVisitor("promo");
    await shop.fill(buyer, { 3: 1 });
    expect((await cart.read(shop.ctx, buyer)).lines[0]).toMatchObject({ price: card.price });
    const quote = await shop.quoted(buyer);
    await promos.stop(shop.ctx, promo.id);
    expect(await promos.stop(shop.ctx, promo.id)).toEqual({ ok: false, error: { code: "price_promo.closed" } });
    expect((await cardOf(3)).price!).toBeGreaterThan(card.price!);
    const placed = await checkout.placeOrder(shop.ctx, buyer, shop.orderRequestFor(quote));
    expect(placed.ok && placed.value.order.lines[0]).toMatchObject({ price: card.price });
  });

  test("of a coin that has one in that time is refused by name; before and after it is not", async () => {
    const now = plus(shop.clock.now(), days(10));
    const first = await made(await newPromo([1, 2], lowerFixed, now, plus(now, days(2))));
    const clash = await promos.create(shop.ctx, await newPromo([2], lowerFixed, plus(now, days(1)), plus(now, days(4))));
    expect(clash).toMatchObject({ ok: false, error: { code: "price_promo.overlaps", label: "Неделя серебра", titles: ["Coin 2"] } });
    const after = await made(await newPromo([2], lowerFixed, plus(now, days(2)), plus(now, days(4))));
    for (const { id } of [first, after]) expect(await promos.stop(shop.ctx, id)).toMatchObject({ ok: true, value: { state: "cancelled" } });
    await made(await newPromo([2], lowerFixed, plus(now, days(1)), plus(now, days(2)), "снова")).then(({ id }) =>
      promos.stop(shop.ctx, id),
    );
  });

  test("whose whole time passed without a running shop is missed and changes no price", async () => {
    const now = shop.clock.now();
    const promo = await made(await newPromo([1], lowerFixed, plus(now, hours(1)), plus(now, hours(2))));
    shop.clock.advance(hours(3));
    await shop.receiveRates();
    await promos.applyDue(shop.ctx);
    expect((await promos.read(shop.ctx.db, promo.id, { after: 0, limit: 9 }))!.promo).toMatchObject({ state: "missed", startedAt: null });
    expect((await cardOf(1)).price).toBe(6_000_00);
  });

  test("right after another one shows no crossed-out price that was not asked for the settled period", async () => {
    const now = shop.clock.now();
    const [coin] = await catalog.pricedCoins(shop.ctx.db, { ids: [2] });
    await changes.setPrices(shop.ctx, [{ coinId: 2, fixedPriceKopecks: 12_000_00 }], "дороже");
    const seen = { ...pricesOnly(coin!), fixedPriceKopecks: 12_000_00 };
    const action: PromoAction = { field: "price", mode: "set", roubles: 9_500 };
    const promo = await made({ action, coins: [{ coinId: 2, seen }], label: "Ложная скидка", startsAt: now, endsAt: plus(now, days(1)) });
    // 12 000 ₽ were asked for a moment only; 9 000 ₽ before.
    expect(await cardOf(2)).toMatchObject({ price: 9_500_00, oldPrice: null, promoEndsAt: promo.endsAt });
    await promos.stop(shop.ctx, promo.id);
    await changes.setPrices(shop.ctx, [{ coinId: 2, fixedPriceKopecks: 9_000_00 }], "назад");
  });

  test("of a coin that was put on sale again shows no crossed-out price before enough days on sale", async () => {
    const start = async () => {
      const promo = await made(await newPromo([2], lowerFixed, shop.clock.now(), plus(shop.clock.now(), days(1)), "Снова в продаже"));
      await promos.stop(shop.ctx, promo.id);
      return promo.crossedOut;
    };
    const onSale = async (isPublished: boolean) => {
      const [coin] = await catalogue.coinsByIds(shop.ctx.db, [2]);
      await publishing.setPublished(shop.ctx, { id: 2, revision: coin!.revision, isPublished });
    };
    shop.clock.advance(days(31)); // the prices of earlier tests are out of the settled period
    await shop.receiveRates();
    expect(await start()).toBe(1);
    await onSale(false);
    shop.clock.advance(days(45));
    await onSale(true);
    await shop.receiveRates();
    expect(await start()).toBe(0);
    shop.clock.advance(days(20)); // the days before the break are too long ago
    await shop.receiveRates();
    expect(await start()).toBe(0);
    shop.clock.advance(days(10));
    await shop.receiveRates();
    expect(await start()).toBe(1);
  });

  test("of a coin whose mass was edited crosses nothing out, now and until enough days on sale with it", async () => {
    shop.clock.advance(days(31)); // the prices of earlier tests are out of the settled period
    await shop.receiveRates();
    const begin = async () => made(await newPromo([3], lowerPremium, shop.clock.now(), plus(shop.clock.now(), days(1))));
    const first = await begin();
    expect(first.crossedOut).toBe(1);
    expect((await cardOf(3)).oldPrice).not.toBeNull();

    const [before] = await catalogue.coinsByIds(shop.ctx.db, [3]);
    await shop.ctx.db.update(coins).set({ pureMassMg: 7_000 }).where(eq(coins.id, 3));
    await changes.showFacts(shop.ctx, [{ before: before!, after: { ...before!, pureMassMg: 7_000 }, wasShown: true }]);
    expect(await cardOf(3)).toMatchObject({ oldPrice: null, promoEndsAt: first.endsAt });
    expect((await promos.read(shop.ctx.db, first.id, { after: 0, limit: 9 }))!.promo.crossedOut).toBe(0);
    await promos.stop(shop.ctx, first.id);

    shop.clock.advance(days(29));
    await shop.receiveRates();
    const early = await begin();
    expect(early.crossedOut).toBe(0);
    await promos.stop(shop.ctx, early.id);
    shop.clock.advance(days(31));
    await shop.receiveRates();
    const late = await begin();
    expect(late.crossedOut).toBe(1);
    await promos.stop(shop.ctx, late.id);
  });

  test("does not change what a price change starts from", async () => {
    const now = shop.clock.now();
    const promo = await made(await newPromo([1], lowerFixed, now, plus(now, days(1))));
    shop.clock.advance(1_000);
    const { rows } = await changes.preview(shop.ctx, { ids: [1] }, { field: "price", mode: "percent", bp: 1_000, roundTo: 1 });
    expect(rows[0]).toMatchObject({ priceBefore: 6_000_00, priceAfter: 6_600_00 });
    await promos.stop(shop.ctx, promo.id);
  });

  test("and a promo code do not add up unless the code allows it", async () => {
    const now = shop.clock.now();
    const promo = await made(await newPromo([1], lowerFixed, now, plus(now, days(1))));
    shop.clock.advance(1_000);
    const buyer = aVisitor("both");
    await shop.fill(buyer, { 1: 1 });
    const plain = await putPromoCode(shop.ctx, { code: "PLAIN" });
    expect(await cart.enterPromo(shop.ctx, buyer, plain.code, null)).toMatchObject({
      value: { total: 5_400_00, promo: { fault: "only_promos" } },
    });
    const both = await putPromoCode(shop.ctx, { code: "BOTH", isWithPromos: true });
    expect(await cart.enterPromo(shop.ctx, buyer, both.code, null)).toMatchObject({ value: { total: 4_400_00, promo: { fault: null } } });
    await promos.stop(shop.ctx, promo.id);
  });

  test("needs a second person by the rules of price changes; is refused at its time if only then it would go below the metal", async () => {
    const now = shop.clock.now();
    const deep: PromoAction = { field: "premium", mode: "set", bp: -50 };
    expect(await promos.reasonFor(shop.ctx, await newPromo([3], deep, now, plus(now, days(1))))).toContain("ниже металла");
    const scheduled = await made(
      await newPromo([2], { field: "price", mode: "set", roubles: 8_900 }, plus(now, hours(1)), plus(now, days(1))),
    );
    await shop.ctx.db.insert(priceLists).values({ goldE4: 115_000_000, silverE4: 200_000_000, ratesAt: now, madeAt: now });
    pricing.invalidateCache(shop.ctx);
    shop.clock.advance(hours(1));
    await promos.applyDue(shop.ctx);
    expect((await promos.read(shop.ctx.db, scheduled.id, { after: 0, limit: 9 }))!.promo).toMatchObject({
      state: "refused",
      refusal: expect.stringContaining("ниже металла"),
    });
  });

  test("that makes nothing cheaper, is over already or lasts too long is refused", async () => {
    const now = shop.clock.now();
    const codeOf = async (promo: promos.NewPromo) => {
      const created = await promos.create(shop.ctx, promo);
      return created.ok ? null : created.error.code;
    };
    expect(await codeOf(await newPromo([1], { field: "price", mode: "set", roubles: 7_000 }, now, plus(now, days(1))))).toBe(
      "price_promo.nothing",
    );
    expect(await codeOf(await newPromo([1], lowerFixed, plus(now, -days(2)), plus(now, -days(1))))).toBe("price_promo.past");
    expect(await codeOf(await newPromo([1], lowerFixed, now, plus(now, days(93))))).toBe("price_promo.too_long");
  });
});
