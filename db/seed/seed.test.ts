import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq, sql, type SQL } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as catalog from "#shop/catalog/service.ts";
import { coins } from "#shop/catalog/tables.ts";
import type { PageWords } from "#shop/content/site/parts.ts";
import { siteParts } from "#shop/content/tables.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { ImportRefused } from "./coin-row.ts";
import { importCoins } from "./import-coins.ts";
import { seed } from "./seed.ts";

const file = JSON.parse(readFileSync(join(import.meta.dirname, "data/coins.json"), "utf8")) as Record<string, unknown>[];
/** The version that pages are made from. */
async function versionOf(shop: TestShop): Promise<string> {
  const [row] = await shop.ctx.db.select({ version: sql<string>`${catalog.version}` }).from(sql`(values (1)) as one`);
  return row?.version ?? "";
}
async function count(shop: TestShop, what: SQL): Promise<number> {
  const [row] = await shop.ctx.db.select({ n: sql<string>`(${what})` }).from(sql`(values (1)) as one`);
  return Number(row?.n);
}

describe("filling an empty shop", () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await testShop();
    await seed(shop.ctx, { progress: () => {} });
  });
  afterAll(() => shop.close());

  test("puts all 379 coins on sale with their categories", async () => {
    const coins = await catalog.allCoins(shop.ctx);
    expect(coins).toHaveLength(379);
    const george = coins.find((coin) => coin.slug === "georgij-pobedonosec-50-rublej-2026-mmd");
    expect(george).toMatchObject({
      id: 1001,
      pureMassMg: 7780,
      finenessTenths: 9990,
      premiumBp: 550,
      buybackBp: -450,
      fixedPriceKopecks: null,
    });
    expect(george?.categories).toContain("gold/monety-georgiy-pobedonosec/50-rub");
  });

  test("gives memorable coins a fixed price in whole roubles, from the opening rates", async () => {
    const monastery = await catalog.coinBySlug(shop.ctx, "voskresenskij-novo-ierusalimskij-monastyr-25-rublej-2012");
    expect(monastery?.fixedPriceKopecks).toBe(Math.ceil(131.48 * 155.5 * 2.94) * 100);
    expect(monastery?.fixedBuybackKopecks).toBe(Math.floor(131.48 * 155.5 * 1.15) * 100);
  });

  test("records the opening stock once, with a stock entry for each coin", async () => {
    expect(
      await count(
        shop,
        sql`select count(*) from stock_items i join stock_entries e using (coin_id) where e.kind = 'opening' and e.quantity = i.on_hand`,
      ),
    ).toBe(379);
    expect(await count(shop, sql`select count(*) from stock_entries`)).toBe(379);
  });

  test("a repeated import changes nothing, not even what was sold or repriced since", async () => {
    await shop.ctx.db.execute(sql`update stock_items set on_hand = on_hand - 1 where coin_id = 1001`);
    await shop.ctx.db.execute(sql`update coins set premium_bp = 777 where id = 1001`);
    const before = await versionOf(shop);
    expect(await importCoins(shop.ctx, file)).toEqual({ rows: 379, added: 0, changed: 0 });
    expect(await versionOf(shop)).toBe(before);
    expect(await count(shop, sql`select on_hand from stock_items where coin_id = 1001`)).toBe(246);
    expect(await count(shop, sql`select premium_bp from coins where id = 1001`)).toBe(777);
    expect(await count(shop, sql`select count(*) from stock_entries`)).toBe(379);
  });

  test("expensive coins get a purchase limit; the file's own comes first, and one that the shop has set stays", async () => {
    const limitOf = async (id: number) =>
      (await shop.ctx.db.select({ limit: coins.purchaseLimit }).from(coins).where(eq(coins.id, id)))[0]?.limit;
    expect([await limitOf(1032), await limitOf(1001)]).toEqual([20, null]); // an ounce of gold, a quarter
    const quarter = file.find((row) => row.id === 1001);
    expect(await importCoins(shop.ctx, [{ ...quarter, purchaseLimit: 5 }])).toEqual({ rows: 1, added: 0, changed: 1 });
    expect(await importCoins(shop.ctx, [{ ...quarter, purchaseLimit: 7 }])).toEqual({ rows: 1, added: 0, changed: 0 });
    expect(await limitOf(1001)).toBe(5);
    await shop.ctx.db.update(coins).set({ purchaseLimit: null }).where(eq(coins.id, 1032));
    expect(await importCoins(shop.ctx, file, { purchaseLimitFromRoubles: 1, purchaseLimitPieces: 0 })).toEqual({
      rows: 379,
      added: 0,
      changed: 0,
    });
    expect(await importCoins(shop.ctx, file)).toMatchObject({ changed: 1 });
    expect(await limitOf(1032)).toBe(20);
  });

  test("the next start keeps what staff wrote", async () => {
    await shop.ctx.db.execute(sql`update coins set description = 'Своими словами.' where id = 1002`);
    await seed(shop.ctx, { progress: () => {} });
    expect((await catalog.coinsByIds(shop.ctx.db, [1002]))[0]?.description).toBe("Своими словами.");
  });

  test("a document of a later release is added, and one that staff rewrote stays", async () => {
    await shop.ctx.db.execute(sql`delete from site_pages where path = '/consent/order'`);
    await shop.ctx.db.execute(sql`update site_pages set title = 'Своими словами' where path = '/consent/account'`);
    await seed(shop.ctx, { progress: () => {} });
    expect(await count(shop, sql`select count(*) from site_pages where path = '/consent/order'`)).toBe(1);
    expect(await count(shop, sql`select count(*) from site_pages where title = 'Своими словами'`)).toBe(1);
  });

  test("a part of the site gets the fields of a later release, its draft too, and keeps what staff wrote", async () => {
    const pages = async () =>
      (await shop.ctx.db.select().from(siteParts).where(eq(siteParts.kind, "pages")))[0] as {
        data: PageWords;
        draft: PageWords;
        revision: number;
      };
    const seeded = (await pages()).data;
    await shop.ctx.db.execute(sql`update site_parts
      set data = data - 'trainingIntro' || '{"slogan":"Свои слова"}', draft = data - 'trainingIntro' || '{"slogan":"Черновик"}'
      where kind = 'pages'`);
    const former = await pages();
    expect(former.data.trainingIntro).toBeUndefined();
    await seed(shop.ctx, { progress: () => {} });
    const { data, draft, revision } = await pages();
    expect(seeded.trainingIntro).toMatch(/^Короткие статьи/);
    expect(data).toEqual({ ...seeded, slogan: "Свои слова" });
    expect(draft).toEqual({ ...seeded, slogan: "Черновик" });
    expect(revision).toBe(former.revision + 1); // an editor that was open before is stale
    await seed(shop.ctx, { progress: () => {} });
    expect((await pages()).revision).toBe(revision);
  });

  test("a corrected text is imported, and the catalogue's version changes", async () => {
    const before = await versionOf(shop);
    const outcome = await importCoins(shop.ctx, [{ ...file[0], title: "Георгий Победоносец, исправленный" }]);
    expect(outcome).toEqual({ rows: 1, added: 0, changed: 1 });
    expect((await catalog.coinsByIds(shop.ctx.db, [1001]))[0]?.title).toBe("Георгий Победоносец, исправленный");
    expect(await versionOf(shop)).not.toBe(before);
  });

  test("a coin with a new category leaves the old listing", async () => {
    await importCoins(shop.ctx, [{ ...file[0], categories: ["gold", "gold/rf"] }]);
    expect((await catalog.coinsByIds(shop.ctx.db, [1001]))[0]?.categories).toEqual(["gold", "gold/rf"]);
  });
});

describe("an invalid file", () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await testShop();
    await seed(shop.ctx, { progress: () => {} });
  });
  afterAll(() => shop.close());

  test("is refused as a whole, and every invalid row is named with its number, slug and field", async () => {
    const [first, second, third, fourth] = file;
    const refused = await importCoins(shop.ctx, [
      { ...first, id: 9001, slug: "new-one" },
      { ...second, year: "2026", pureMassG: -1 },
      { ...third, categories: ["gold", "platinum"] },
      { ...fourth, id: 9001, colour: "red" },
      { ...fourth, slug: "new-one" },
      "not a coin",
    ]).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(ImportRefused);
    const { message } = refused as ImportRefused;
    expect(message).toMatch(/nothing was imported/);
    expect(message).toMatch(/row 2 \(georgij-pobedonosec-50-rublej-2026-spmd\), year:/);
    expect(message).toMatch(/row 2 \(georgij-pobedonosec-50-rublej-2026-spmd\), pureMassG:/);
    expect(message).toMatch(/row 3 \(.*\), categories: "platinum" is no category/);
    expect(message).toMatch(/row 4 \(.*\), colour:/);
    expect(message).toMatch(/row 5 \(new-one\), slug: is also the slug of row 1/);
    expect(message).toMatch(/row 6 \(no slug\), the row:/);
    expect(await catalog.coinsByIds(shop.ctx.db, [9001])).toEqual([]);
  });

  test.each([
    ["a pure mass that does not fit the whole", { pureMassG: 9.5 }, "pureMassG"],
    ["a coin without its own metal's category", { categories: ["bullion-coins"] }, "categories"],
    [
      "a buyback price above the selling price",
      { premium: { basis: "spot*pureMassG", typicalPct: 5, minPct: 3, maxPct: 9, buybackPct: 6 } },
      "premium.buybackPct",
    ],
    ["a round coin without a diameter", { diameterMm: null }, "diameterMm"],
    ["a missing field", { quality: undefined }, "quality"],
  ])("%s is refused", async (_, change, field) => {
    await expect(importCoins(shop.ctx, [{ ...file[0], ...change }])).rejects.toThrow(
      `row 1 (georgij-pobedonosec-50-rublej-2026-mmd), ${field}:`,
    );
  });
});
