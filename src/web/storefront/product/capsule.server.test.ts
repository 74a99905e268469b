import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seconds } from "#kit/time.ts";
import { coins } from "#shop/catalog/tables.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as search from "#shop/search/service.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { seed } from "../../../../db/seed/seed.ts";
import { hasCapsule } from "./capsule.server.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
  await seed(shop.ctx, { progress: () => {} });
  await pricing.refresh(shop.ctx);
});
afterAll(() => shop.close());

test("the picture of a capsule is on the pages of the coin that it shows, and of coins of its design only", async () => {
  const { capsuleCoin } = await siteParts.pageWords(shop.ctx);
  const pictured = await search.coinBySlug(shop.ctx, capsuleCoin);
  if (!pictured) throw new Error("the seed names no coin");
  expect(await hasCapsule(shop.ctx, pictured, capsuleCoin)).toBe(true);
  const older = await search.coinBySlug(shop.ctx, "georgij-pobedonosec-100-rublej-2025");
  expect(older && (await hasCapsule(shop.ctx, older, capsuleCoin))).toBe(true);
  for (const other of [{ motif: "dragon" }, { metal: "silver" as const }, { denominationCurrency: "USD" }])
    expect(await hasCapsule(shop.ctx, { ...pictured, ...other }, capsuleCoin)).toBe(false);
  expect(await hasCapsule(shop.ctx, pictured, "")).toBe(false);
});

test("no page shows the picture while its coin is off sale", async () => {
  const { capsuleCoin } = await siteParts.pageWords(shop.ctx);
  const pictured = await search.coinBySlug(shop.ctx, capsuleCoin);
  await shop.ctx.db.update(coins).set({ isPublished: false, updatedAt: shop.clock.now() }).where(eq(coins.slug, capsuleCoin));
  shop.clock.advance(seconds(2));
  expect(pictured && (await hasCapsule(shop.ctx, pictured, capsuleCoin))).toBe(false);
});
