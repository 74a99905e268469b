import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { minutes } from "#kit/time.ts";
import { moscowCode } from "#shop/delivery/delivery.ts";
import { openingRatesE4 } from "#shop/rates/rate.ts";
import { coins, openHttpBench, type HttpBench } from "./testing.ts";

let bench: HttpBench;
let goldE4: number = openingRatesE4.XAU_RUB;
beforeAll(async () => {
  bench = await openHttpBench({ limits: { requestsPerMinute: 1e9, writesPerMinute: 1e9, quotesPerMinute: 1e9 } });
  bench.ctx.gateways.rates.readMarket = async () => ({
    isOpen: true,
    ticks: [
      { code: "XAU_RUB", valueE4: goldE4, previousCloseE4: null, observedAt: bench.clock.now() },
      { code: "XAG_RUB", valueE4: openingRatesE4.XAG_RUB, previousCloseE4: null, observedAt: bench.clock.now() },
    ],
  });
});
afterAll(() => bench.close());

type Card = { id: number; price: number; priceListVersion: number };
const lowest = openingRatesE4.XAU_RUB * 0.92;
const highest = openingRatesE4.XAU_RUB * 1.08;

test("whatever the rate is, card, listing, product, cart and quote have the same price, from the newest price list", async () => {
  const visitor = bench.visitor();
  await visitor.request("PATCH", `/api/cart/${coins.bullion}`, { quantity: 2 });
  let before = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -30_000, max: 30_000 }), async (moveBp) => {
      goldE4 = Math.round(Math.min(highest, Math.max(lowest, goldE4 * (1 + moveBp / 1_000_000))));
      bench.clock.advance(minutes(1));
      await bench.fetchRates();
      const [cards, product, listing, cart, quote] = await Promise.all([
        visitor.request("GET", `/api/products?ids=${coins.bullion}`),
        visitor.request("GET", "/api/products/georgij-pobedonosec"),
        visitor.request("GET", "/api/catalog?kind=bullion"),
        visitor.request("GET", "/api/cart"),
        visitor.request("POST", "/api/checkout/quote", { deliveryId: 35, city: moscowCode, paymentId: 7 }),
      ]);
      const [card] = cards.json<{ data: Card[] }>().data;
      const price = card?.price ?? 0;
      expect(price).toBeGreaterThan(0);
      expect(card?.priceListVersion).toBeGreaterThanOrEqual(before);
      before = card?.priceListVersion ?? 0;
      expect(product.json<{ data: Card }>().data).toMatchObject({ price, priceListVersion: before });
      expect(listing.json<{ data: { items: Card[] } }>().data.items.find(({ id }) => id === coins.bullion)).toMatchObject({
        price,
        priceListVersion: before,
      });
      expect(cart.json()).toMatchObject({ data: { order: { coins: [{ price, sum: price * 2 }] } } });
      expect(quote.json()).toMatchObject({ data: { items: [{ price, sum: price * 2 }], total: price * 2 } });
    }),
    { numRuns: 60 },
  );
});
