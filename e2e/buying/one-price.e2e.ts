import { runShop, type RunningShop } from "#tests/running-shop.ts";
import { rounds } from "#tests/rounds.ts";
import { aCoin, demo, expect, stopInOrder, test as base, unlimited } from "../journey.ts";
import { ownDatabase } from "../postgres.ts";

/** Ten rates a second: the source is polled and changes that often. The long run reads a thousand pages. */
const renders = rounds({ test: 50, gate: 50, long: 1_000 });

const test = base.extend<object, { shop: RunningShop }>({
  shop: [
    async ({}, use) => {
      const shop = await runShop({ RATES_POLL_SECONDS: "0.1", ...unlimited, ...(await ownDatabase()) });
      await use(shop);
      await stopInOrder(shop);
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

const plain = (html: string): string => html.replaceAll("<!-- -->", "").replaceAll(/[\u00a0\u202f]/g, " ");
const textOf = (html: string): string => html.replaceAll(/<[^>]+>/g, "");
const roubles = (text: string | undefined): number => Number((text ?? "").replaceAll(/[^\d,]/g, "").replace(",", "."));
const part = (html: string, pattern: RegExp): string => textOf(pattern.exec(html)?.[1] ?? "");

/** Every price in one HTML answer of the product page, by its place. */
function pricesOn(html: string) {
  const page = plain(html);
  const [, mass, rate, sign, percent, sum] =
    /class="offer__formula digits">([\d,]+) г × ([\d ,]+) ₽\/г ([+−]) ([\d,]+) % = ([\d ]+) ₽/.exec(page) ?? [];
  const premium = roubles(percent) * (sign === "−" ? -1 : 1);
  return {
    title: roubles(/<title>[^<]*цена ([\d ]+) ₽/.exec(page)?.[1]),
    text: roubles(part(page, /class="offer__price"[^>]*>(.*?)<\/p>/)),
    structured: Number(/"price":"([\d.]+)"/.exec(page)?.[1]),
    bar: roubles(part(page, /class="sticky"[^>]*>.*?<b>(.*?)<\/b>/)),
    formula: roubles(sum), // and the formula is right: a rate of another moment would not give this price
    computed: Math.ceil(
      (Math.round(roubles(mass) * 1000) * Math.round(roubles(rate) * 100) * Math.round(10_000 + premium * 100)) / (1000 * 100 * 10_000) -
        1e-6,
    ),
  };
}

test.setTimeout(renders * 300 + 90_000);

test("while rates change ten times a second, all prices of one page agree; afterwards every page shows the same price", async ({
  request,
  shop,
}) => {
  const seen = new Set<number>();
  for (let n = 0; n < renders || seen.size <= renders / 4; n += 1) {
    // The rate changes while the page is rendered. However slowly the shop accepts rates, different prices are read.
    const gold = Math.round((11_042.6 + 90 * Math.sin(n / 7)) * 100) / 100;
    const [answer] = await Promise.all([
      request.get(`/products/${aCoin.slug}?view=${n}`), // a new address: rendered, not from the page cache
      demo(shop, "rates", { XAU_RUB: gold, XAG_RUB: 131.48 }),
    ]);
    const prices = pricesOn(await answer.text());
    expect(prices.text).toBeGreaterThan(80_000);
    expect(new Set(Object.values(prices)), JSON.stringify(prices)).toEqual(new Set([prices.text]));
    seen.add(prices.text);
  }

  await request.patch(`/api/cart/${aCoin.id}`, { data: { quantity: 2 }, headers: { origin: shop.url } });
  const api = async () =>
    ((await (await request.get(`/api/products?ids=${aCoin.id}`)).json()) as { data: { price: number; priceListVersion: number }[] })
      .data[0];
  await expect
    .poll(
      async () => {
        const [before, page, listing, cart] = [
          await api(),
          await request.get(`/products/${aCoin.slug}`),
          await request.get("/catalog/gold?year=2026&mint=moskovskij-monetnyj-dvor-mmd"),
          await request.get("/cart"),
          await request.get("/coin-buyback"),
        ];
        const quote = (await (
          await request.post("/api/checkout/quote", {
            data: { deliveryId: 35, city: "0000073738", paymentId: 7 },
            headers: { origin: shop.url },
          })
        ).json()) as { data?: { items: { price: number }[] } };
        const card =
          new RegExp(`href="/products/${aCoin.slug}".*?class="card__price"[^>]*>(.*?)</p>`).exec(plain(await listing.text()))?.[1] ?? "";
        const price = before?.price ?? 0;
        return {
          isOneList: before?.priceListVersion === (await api())?.priceListVersion,
          page: pricesOn(await page.text()).structured === price,
          card: roubles(textOf(card)) === price,
          cart: roubles(part(plain(await cart.text()), /class="cart__price"[^>]*>.*?<b[^>]*>(.*?)<\/b>/)) === price * 2,
          quote: quote.data?.items[0]?.price === price,
        };
      },
      { timeout: 15_000 },
    )
    .toEqual({ isOneList: true, page: true, card: true, cart: true, quote: true });
});
