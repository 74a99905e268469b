import { eq, sql, type SQL } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "#kit/db.ts";
import type { Table } from "#kit/documents/spreadsheet/table.ts";
import { readTable, writeTable } from "#kit/documents/spreadsheet/spreadsheet.ts";
import * as coinSeeding from "#shop/catalog/seeding.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { PageWords } from "#shop/content/site/parts.ts";
import { siteParts } from "#shop/content/tables.ts";
import * as exports from "#shop/exchange/exports/export.service.ts";
import * as imports from "#shop/exchange/imports/import.service.ts";
import { checkFirstCoins, readFirstCoins, TableRefused } from "#shop/exchange/seeding.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { addSeedCoins, onSale, seedTables } from "./seed-coins.ts";
import { seed, seedCategories } from "./seed.ts";

const tables = await seedTables();
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

  test.each(["coins", "stock"] as const)(
    "its table of %s is one of the exchange: an import of it finds nothing to change",
    async (kind) => {
      const { head, rows } = tables[kind];
      const bytes = await writeTable("xlsx", { name: kind, head, rows: rows.map(({ cells }) => cells) });
      const checked = await imports.checkFile(shop.ctx, { kind, fileName: `${kind}.xlsx`, bytes });
      expect(checked.ok && checked.value.counts).toEqual({ rows: 379, new: 0, changed: 0, unchanged: 379, errors: 0, warnings: 0 });
    },
  );

  test("the export of the shop is the table that it was filled from, but for the sources", async () => {
    const { head, rows } = tables.coins;
    const known = head.length - 2;
    expect(head.slice(known)).toEqual(["Источник", "Проверено по источнику"]);
    const { bytes } = await exports.exportTable(shop.ctx, "coins", "csv");
    const exported = await readTable(bytes, imports.tableLimits(shop.ctx.settings.limits));
    const table = { head: head.slice(0, known), rows: rows.map(({ line, cells }) => ({ line, cells: cells.slice(0, known) })) };
    expect(exported).toEqual({ ok: true, value: table });
  });

  test("coins of the tables that the shop has already stay as they are, with what was sold and repriced since", async () => {
    await shop.ctx.db.execute(sql`update stock_items set on_hand = on_hand - 1 where coin_id = 1001`);
    await shop.ctx.db.execute(sql`update coins set premium_bp = 777 where id = 1001`);
    const before = await versionOf(shop);
    expect(await addSeedCoins(shop.ctx, onSale(await readFirstCoins(tables), shop.ctx.now()))).toBe(0);
    expect(await versionOf(shop)).toBe(before);
    expect(await count(shop, sql`select on_hand from stock_items where coin_id = 1001`)).toBe(246);
    expect(await count(shop, sql`select premium_bp from coins where id = 1001`)).toBe(777);
    expect(await count(shop, sql`select count(*) from stock_entries`)).toBe(379);
  });

  test("expensive coins have a purchase limit", async () => {
    const limits = (await catalog.coinsByIds(shop.ctx.db, [1032, 1001])).map(({ id, purchaseLimit }) => [id, purchaseLimit]);
    expect(Object.fromEntries(limits)).toEqual({ 1032: 20, 1001: null }); // an ounce of gold, a quarter
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
});

describe("wrong tables", () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await testShop();
    await inTransaction(shop.ctx.db, (tx) => coinSeeding.writeCategories(tx, seedCategories()));
  });
  afterAll(() => shop.close());

  /** The first coins of the seed, their cells changed by the heads of the columns. */
  const changed = (...changes: Record<string, string>[]): { coins: Table; stock: Table } => {
    const { head, rows } = tables.coins;
    const cellsOf = (row: Table["rows"][number] | undefined, change: Record<string, string>) => ({
      line: row?.line ?? 0,
      cells: (row?.cells ?? []).map((cell, index) => change[head[index] ?? ""] ?? cell),
    });
    return { coins: { head, rows: changes.map((change, index) => cellsOf(rows[index], change)) }, stock: { ...tables.stock, rows: [] } };
  };

  test("are refused as a whole, and every wrong cell is named with its row and column", async () => {
    const refused = readFirstCoins(changed({}, { Год: "0", Металл: "медь" }, { Артикул: "1001" }, { Качество: "" }));
    await expect(refused).rejects.toBeInstanceOf(TableRefused);
    const { message } = (await refused.catch((error: unknown) => error as Error)) as Error;
    expect(message).toMatch(/^nothing was imported:/);
    expect(message).toMatch(/coins, row 3 \(.*2026 \(СПМД\)\), Год:/);
    expect(message).toMatch(/coins, row 3 \(.*\), Металл:/);
    expect(message).toMatch(/coins, row 4 \(.*\), Артикул: Этот артикул уже был в строке 2/);
    expect(message).toMatch(/coins, row 5 \(.*\), Качество:/);
    expect(message).not.toMatch(/row 2/);
  });

  test("a count of an unknown coin is refused", async () => {
    const stock = { ...tables.stock, rows: [{ line: 2, cells: ["9999", "", "5"] }] };
    await expect(readFirstCoins({ ...changed({}), stock })).rejects.toThrow("stock, row 2 (), Артикул: Монеты с таким артикулом");
  });

  test.each([
    ["a pure mass that does not fit the whole", { "Чистый металл, г": "9,5" }, "Чистый металл, г"],
    ["a coin without the category of its metal", { Разделы: "bullion-coins" }, "Разделы"],
    ["a buyback price above the selling price", { "Премия, %": "5", "Выкуп к металлу, %": "6" }, "Выкуп к металлу, %"],
    ["a round coin without a diameter", { "Диаметр, мм": "" }, "Диаметр, мм"],
    ["a category that the shop does not have", { Разделы: "gold, platinum" }, "Разделы"],
  ])("%s is refused by the rules of the catalogue", async (_, change, head) => {
    const coins = await readFirstCoins(changed(change));
    await expect(checkFirstCoins(shop.ctx, coins)).rejects.toThrow(new RegExp(`coins, row 2 \\(.*\\), ${head}:`));
  });
});
