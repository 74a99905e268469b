import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { seed } from "../../../db/seed/seed.ts";
import { inTransaction } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import { minutes, seconds } from "#kit/time.ts";
import * as catalog from "#shop/catalog/service.ts";
import { coins } from "#shop/catalog/tables.ts";
import { contentEntries } from "#shop/content/tables.ts";
import { pollSweep } from "#shop/pricing/jobs.ts";
import { priceLists } from "#shop/pricing/tables.ts";
import { rates } from "#shop/rates/tables.ts";
import * as stock from "#shop/stock/service.ts";
import { reserve } from "#shop/stock/testing.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import { pageSize, sortKeys } from "./listing.ts";
import { readModel, refreshedVersion, setLargestAwaited } from "./index/read-model.service.ts";
import { readVersions } from "./repository.ts";
import * as search from "./service.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
  await seed(shop.ctx, { progress: () => {} });
  await priced(110_426_000, 1_314_800);
});
afterAll(() => shop.close());
beforeEach(() => shop.clock.advance(seconds(2)));

/** Polls the rates and makes the next price list. */
async function priced(goldE4: number, silverE4: number): Promise<void> {
  const at = shop.clock.now();
  const common = { source: "exchange", previousCloseE4: null, observedAt: at, receivedAt: at, heardAt: at };
  await shop.ctx.db.insert(rates).values([
    { code: "XAU_RUB", valueE4: goldE4, ...common },
    { code: "XAG_RUB", valueE4: silverE4, ...common },
  ]);
  await shop.ctx.db.insert(priceLists).values({ goldE4, silverE4, ratesAt: at, madeAt: at });
}

describe("a listing", () => {
  test.each(sortKeys)("sorted by %s shows every coin once over all pages", async (sort) => {
    const seen: number[] = [];
    const { pages, total } = await search.list(shop.ctx, { sort });
    for (let page = 1; page <= pages; page += 1) {
      const { items } = await search.list(shop.ctx, { sort, page });
      expect(items).toHaveLength(page < pages ? pageSize : total - pageSize * (pages - 1));
      seen.push(...items.map((card) => card.id));
    }
    expect(seen).toHaveLength(379);
    expect(new Set(seen).size).toBe(379);
    expect((await search.list(shop.ctx, { sort, page: pages + 1 })).items).toEqual([]);
  });

  test("a card shows the price, the premium and the buyback price", async () => {
    const [card] = await search.cards(shop.ctx, [1001]);
    // 11 042,60 ₽ × 7,78 g × 1,055 = 90 636,6… ₽
    expect(card).toMatchObject({
      id: 1001,
      slug: "georgij-pobedonosec-50-rublej-2026-mmd",
      image: "/media/coins/georgij-pobedonosec-50-rublej-2026-mmd-reverse-320.webp",
      price: 9_063_700,
      buyback: 8_204_500,
      priceListVersion: 1,
      metal: "gold",
      kind: "bullion",
      pureMassMg: 7780,
      finenessTenths: 9990,
      year: 2026,
      available: 247,
      inStock: true,
      badges: ["new"],
    });
    expect(card?.premium?.bp).toBe(550);
  });

  test("cards keep the order of the ids, and unknown ids are left out", async () => {
    expect((await search.cards(shop.ctx, [1379, 5, 1001, 1200])).map((card) => card.id)).toEqual([1379, 1001, 1200]);
  });

  test("filters and the price range are combined", async () => {
    const { items, total } = await search.list(shop.ctx, {
      category: "gold",
      kind: ["bullion"],
      priceTo: kopecks(10_000_000),
      inStock: true,
      sort: "-price",
    });
    expect(total).toBeGreaterThan(10);
    expect(items.every((card) => card.metal === "gold" && card.kind === "bullion" && card.inStock && (card.price ?? 0) <= 10_000_000)).toBe(
      true,
    );
  });
});

describe("the listing follows the shop", () => {
  test("a new price list is shown within a second, memorable coins keep their price", async () => {
    const before = await search.cards(shop.ctx, [1001, 1201]);
    await priced(120_000_000, 1_400_000);
    shop.clock.advance(seconds(1));
    const after = await search.cards(shop.ctx, [1001, 1201]);
    expect(after[0]?.price).toBeGreaterThan(before[0]?.price ?? 0);
    expect(after[0]?.priceListVersion).toBe(2);
    expect(after[1]?.price).toBe(before[1]?.price);
    expect(after[1]?.premium?.bp).toBeLessThan(before[1]?.premium?.bp ?? 0);
  });

  test("reserved pieces are not offered, and the last three pieces have a badge", async () => {
    const [before] = await search.cards(shop.ctx, [1040]);
    await inTransaction(shop.ctx.db, (tx) => reserve(tx, [{ coinId: 1040, quantity: (before?.available ?? 0) - 2 }]));
    shop.clock.advance(seconds(1));
    expect((await search.cards(shop.ctx, [1040]))[0]).toMatchObject({ available: 2, inStock: true, badges: ["new", "last"] });
  });

  test("a coin that sells out leaves the coins in stock, and its counts, within a second", async () => {
    const inStock = () => search.list(shop.ctx, { category: "gold/monety-seyatel", inStock: true });
    const before = await inStock();
    const gone = before.items[0];
    await inTransaction(shop.ctx.db, (tx) => reserve(tx, [{ coinId: gone?.id ?? 0, quantity: gone?.available ?? 0 }]));
    expect((await inStock()).total).toBe(before.total); // not yet: the database has not been read since
    shop.clock.advance(seconds(1));
    const after = await inStock();
    expect([after.total, after.items.some((card) => card.id === gone?.id)]).toEqual([before.total - 1, false]);
    expect(after.facets.inStock[0]?.count).toBe(before.total - 1);
  });

  test("a coin that sells out leaves the prepared list of an intent within a second", async () => {
    const presents = () => search.find(shop.ctx, { query: "подарок" });
    const before = await presents();
    const gone = before.items[0];
    await inTransaction(shop.ctx.db, (tx) => reserve(tx, [{ coinId: gone?.id ?? 0, quantity: gone?.available ?? 0 }]));
    shop.clock.advance(seconds(1));
    const after = await presents();
    expect([after.total, after.items.some((card) => card.id === gone?.id)]).toEqual([before.total - 1, false]);
  });

  test("the model is refreshed behind the requests before its second is over", async () => {
    const available = async () => (await search.cards(shop.ctx, [1040]))[0]?.available ?? 0;
    const before = await available();
    await inTransaction(shop.ctx.db, (tx) => stock.receive(tx, shop.ctx, 1040, 3));
    shop.clock.advance(seconds(0.8));
    expect(await available()).toBe(before); // this request does not wait for what it begins
    await vi.waitFor(async () => expect(await available()).toBe(before + 3), { timeout: 30_000, interval: 5 });
  });

  test("a coin taken off sale and a renamed one are updated within a second", async () => {
    await shop.ctx.db
      .update(coins)
      .set({ isPublished: false, updatedAt: sql`clock_timestamp()` })
      .where(eq(coins.id, 1301));
    await shop.ctx.db
      .update(coins)
      .set({ title: "Пробная перечеканка, 3 рубля 2023", updatedAt: sql`clock_timestamp()` })
      .where(eq(coins.id, 1115));
    shop.clock.advance(seconds(1));
    expect(await search.cards(shop.ctx, [1301])).toEqual([]);
    expect(await search.coinBySlug(shop.ctx, "70-let-diplomaticheskih-otnoshenij-s-knr-3-rublya-2019")).toBeNull();
    expect((await search.find(shop.ctx, { query: "перечеканка" })).items.map((card) => card.id)).toEqual([1115]);
  });

  test("a synonym that staff added works within a second", async () => {
    expect((await search.find(shop.ctx, { query: "жужжалка" })).total).toBe(0);
    await shop.ctx.db.execute(sql`insert into search_synonyms (phrase, meaning) values ('жужжалка', 'жужелица')`);
    shop.clock.advance(seconds(1));
    expect((await search.find(shop.ctx, { query: "жужжалка" })).items[0]?.title).toContain("жужелица");
  });

  test("a poll with a new rate prices all coins at once, so that the next request does not wait", async () => {
    const [before] = await search.cards(shop.ctx, [1001]);
    const at = shop.clock.now();
    const common = { source: "exchange", previousCloseE4: null, observedAt: at, receivedAt: at, heardAt: at };
    await shop.ctx.db.insert(rates).values([
      { code: "XAU_RUB", valueE4: 121_000_000, ...common },
      { code: "XAG_RUB", valueE4: 1_400_000, ...common },
    ]);
    await pollSweep(1, readModel)["rates.poll"].run(shop.ctx);
    const context = { ...shop.ctx, db: counting(shop.ctx.db) };
    const [card] = await search.cards(context, [1001]);
    expect([context.db.queries, card?.priceListVersion]).toEqual([0, (before?.priceListVersion ?? 0) + 1]);
    expect(card?.price).not.toBe(before?.price);
  });

  test("a hundred concurrent requests read the database once", async () => {
    shop.clock.advance(seconds(1));
    const context = { ...shop.ctx, db: counting(shop.ctx.db) };
    await Promise.all(Array.from({ length: 100 }, () => search.list(context, {})));
    expect(context.db.queries).toBeLessThan(12);
  });
});

describe("a catalogue of which only the newest edits are read every second", () => {
  const title = async (id: number) => (await search.cards(shop.ctx, [id]))[0]?.title;
  const rename = (id: number, to: string, at: string) =>
    shop.ctx.db
      .update(coins)
      .set({ title: to, updatedAt: sql`${at}::timestamptz` })
      .where(eq(coins.id, id));

  // As many edits as are looked at, all newer than any other.
  beforeAll(async () => {
    await shop.ctx.db.execute(sql`insert into coins select (jsonb_populate_record(model, jsonb_build_object('id', 2000000 + n,
        'slug', 'kopiya-' || n, 'is_published', false, 'updated_at', timestamptz '2040-01-01' + n * interval '1 second'))).*
      from coins as model, generate_series(1, 2000) as n where model.id = 1001`);
    shop.clock.advance(seconds(1));
    await search.list(shop.ctx, {});
  });
  afterAll(async () => {
    await shop.ctx.db.execute(sql`delete from coins where id > 2000000`);
    shop.clock.advance(minutes(1));
    await search.list(shop.ctx, {});
  });

  test("the newest edit shows within a second", async () => {
    await rename(1117, "Последняя правка", "2041-01-01");
    shop.clock.advance(seconds(1));
    expect(await title(1117)).toBe("Последняя правка");
  });

  test("an edit that was committed after two thousand later ones shows within a minute", async () => {
    await rename(1118, "Опоздавшая правка", "2039-01-01");
    shop.clock.advance(seconds(1));
    expect(await title(1118)).not.toBe("Опоздавшая правка");
    shop.clock.advance(minutes(1));
    expect(await title(1118)).toBe("Опоздавшая правка");
  });

  test("the sum over all coins is read only when the newest edits are others than the known ones", async () => {
    const read = (knownEdits: string | null) =>
      readVersions(shop.ctx.db, {
        catalogue: catalog.version,
        newestEdits: catalog.newestEdits,
        knownEdits,
        stock: stock.changesSince(null),
      });
    const first = await read(null);
    expect(first.catalogue).toContain("/2379/");
    expect(await read(first.edits)).toMatchObject({ edits: first.edits, catalogue: null });
    await rename(1117, "Ещё одна правка", "2041-01-02");
    const next = await read(first.edits);
    expect(next.catalogue).not.toBe(first.catalogue);
    expect(next.edits).not.toBe(first.edits);
  });
});

describe("a catalogue that is too large to wait for its new index", () => {
  beforeAll(() => setLargestAwaited(shop.ctx, 100));
  afterAll(() => setLargestAwaited(shop.ctx, 20_000));

  const rename = (title: string) =>
    shop.ctx.db
      .update(coins)
      .set({ title, updatedAt: sql`clock_timestamp()` })
      .where(eq(coins.id, 1116));
  const shown = async () => {
    const [card] = await search.cards(shop.ctx, [1116]);
    return { title: card?.title, available: card?.available ?? 0 };
  };
  const found = async (query: string) => (await search.find(shop.ctx, { query, exact: true })).items.map(({ id }) => id);
  const version = () => refreshedVersion(shop.ctx);

  test("requests are answered from the earlier one with present stock, and then the last edit shows", async () => {
    const before = { ...(await shown()), version: await version() };
    await rename("Тягомотина, 3 рубля 2024");
    await inTransaction(shop.ctx.db, (tx) => stock.receive(tx, shop.ctx, 1116, 3));
    shop.clock.advance(seconds(1));
    // The texts are old, so no page may be stored under the version of the edit.
    expect([await version(), await shown(), await found("тягомотина")]).toEqual([
      before.version,
      { title: before.title, available: before.available + 3 },
      [],
    ]);
    await rename("Волокита, 3 рубля 2024"); // while the index with the first edit is made
    await vi.waitFor(
      async () => {
        shop.clock.advance(seconds(1));
        expect((await shown()).title).toBe("Волокита, 3 рубля 2024");
      },
      { timeout: 30_000, interval: 5 },
    );
    expect([await found("волокита"), await found("тягомотина"), (await version()) === before.version]).toEqual([[1116], [], false]);
  });
});

/** The same database with a counter of queries. */
function counting(db: TestShop["ctx"]["db"]) {
  let queries = 0;
  return new Proxy(db, {
    get(target, name, receiver) {
      if (name === "queries") return queries;
      if (name === "select" || name === "execute") queries += 1;
      const value: unknown = Reflect.get(target, name, receiver);
      return typeof value === "function" ? value.bind(target) : value;
    },
  }) as TestShop["ctx"]["db"] & { queries: number };
}

describe("finding", () => {
  test("a corrected query names what was searched, and the literal search stays possible", async () => {
    const corrected = await search.find(shop.ctx, { query: " Победаносец " });
    expect(corrected.corrected).toEqual({ from: "Победаносец", to: "победоносец" });
    expect(corrected.total).toBe(61);
    expect(await search.find(shop.ctx, { query: "победаносец", exact: true })).toMatchObject({ total: 0, items: [], pages: 0 });
    expect((await search.find(shop.ctx, { query: "победоносец" })).corrected).toBeUndefined();
  });

  test("a price in the query is a price limit", async () => {
    const found = await search.find(shop.ctx, { query: "золото до 100 тысяч" });
    const listed = await search.list(shop.ctx, { metal: ["gold"], priceTo: kopecks(10_000_000) });
    expect([found.limits, found.corrected, found.items.map(({ id }) => id)]).toEqual([
      { priceTo: 10_000_000 },
      undefined,
      listed.items.map(({ id }) => id),
    ]);
    expect((await search.find(shop.ctx, { query: "от 50 000 до 100 000 ₽" })).total).toBe(
      (await search.list(shop.ctx, { priceFrom: kopecks(5_000_000), priceTo: kopecks(10_000_000) })).total,
    );
    expect((await search.find(shop.ctx, { query: "залото до 100000" })).corrected).toEqual({ from: "залото до 100000", to: "золото" });
    expect((await search.find(shop.ctx, { query: "золото до 100000", exact: true })).limits).toBeUndefined();
    expect(
      (await search.suggest(shop.ctx, "серебро до 4000 рублей")).products.every(({ price }) => price !== null && price <= 400_000),
    ).toBe(true);
  });

  test("results are paged, filtered and sorted like a listing", async () => {
    const second = await search.find(shop.ctx, { query: "георгий", page: 2 });
    expect([second.page, second.pages, second.items.length]).toEqual([2, 3, 24]);
    const silver = await search.find(shop.ctx, { query: "георгий", filters: { metal: ["silver"], sort: "-price" } });
    expect(silver.total).toBe(20);
    expect(silver.items.map((card) => card.price)).toEqual(silver.items.map((card) => card.price).toSorted((a, b) => (b ?? 0) - (a ?? 0)));
    expect(silver.facets.metal.find(({ value }) => value === "gold")?.count).toBe(41);
  });

  test("«недорого» and «новинки» set the sort order, unless the visitor chose one", async () => {
    const cheapest = await search.find(shop.ctx, { query: "самая дешёвая золотая монета" });
    const all = await search.list(shop.ctx, { metal: ["gold"], sort: "price" });
    expect([cheapest.corrected, cheapest.items.map(({ id }) => id)]).toEqual([undefined, all.items.map(({ id }) => id)]);
    const dearest = await search.find(shop.ctx, { query: "золото недорого", filters: { sort: "-price" } });
    expect(dearest.items[0]?.id).toBe((await search.list(shop.ctx, { metal: ["gold"], sort: "-price" })).items[0]?.id);
    expect((await search.find(shop.ctx, { query: "новинки" })).items.map(({ id }) => id)).toEqual(
      (await search.list(shop.ctx, { sort: "new" })).items.map(({ id }) => id),
    );
  });

  test.each([
    ["курс золота", "/quotes-online"],
    ["скупка", "/coin-buyback"],
    ["отзывы", "/reviews"],
    ["обучение", "/training"],
    ["как купить", "/how-to-buy"],
    ["постамат", "/delivery"],
    ["партнёрская программа", "/partners"],
    ["новости", "/news"],
    ["политика конфиденциальности", "/privacy-policy"],
  ])("«%s» leads to its page", async (query, href) => {
    expect((await search.find(shop.ctx, { query })).articles[0]?.href).toBe(href);
  });

  test("categories and articles for the same words are listed with the coins", async () => {
    const found = await search.find(shop.ctx, { query: "инвестиционные монеты" });
    expect(found.categories.map(({ slug }) => slug)).toContain("bullion-coins");
    expect(found.articles).toContainEqual({ id: "training-18", title: "Что такое инвестиционные монеты", href: "/training/18" });
  });

  test("suggestions come from the first letters, with a picture and a price", async () => {
    const { products, categories } = await search.suggest(shop.ctx, "победон");
    expect(products).toHaveLength(6);
    expect(products[0]?.slug).toContain("georgij-pobedonosec");
    expect(categories[0]?.slug).toContain("georg");
    expect(new Set(categories.map(({ title }) => title)).size).toBe(categories.length);
    expect(categories.map(({ title }) => title)).toContain("Золото · Георгий Победоносец");
    expect(await search.suggest(shop.ctx, "   ")).toEqual({ products: [], categories: [], articles: [] });
  });

  test("suggestions name each product once, in stock if it is; a typed year chooses its issue", async () => {
    const { products } = await search.suggest(shop.ctx, "георгий 50 рублей");
    const issues = await Promise.all(products.map(({ id }) => search.issues(shop.ctx, id)));
    const ids = new Set(products.map(({ id }) => id));
    for (const [index, { id, available }] of products.entries()) {
      const others = (issues[index] ?? []).filter((each) => each.id !== id);
      expect(others.filter((each) => ids.has(each.id))).toEqual([]);
      expect(available > 0 || others.every((each) => each.available <= 0)).toBe(true);
    }
    const [of1976] = (await search.suggest(shop.ctx, "сеятель 1976")).products;
    expect(of1976?.slug).toBe("chervonec-seyatel-10-rublej-1976");
  });

  test("an article renamed is found by its new name", async () => {
    await shop.ctx.db
      .update(contentEntries)
      .set({ title: "Кунштюк нумизмата", updatedAt: sql`clock_timestamp()` })
      .where(sql`kind = 'training' and id = 18`);
    shop.clock.advance(seconds(1));
    expect((await search.suggest(shop.ctx, "кунштюк")).articles.map(({ href }) => href)).toEqual(["/training/18"]);
  });

  test.each([
    "%",
    "_",
    "'",
    "\\",
    ".*",
    "(",
    "[a-z]",
    "\u0000",
    "__proto__",
    "constructor",
    "  ",
    "🪙",
    "а".repeat(5000),
    "1 ".repeat(500),
    "'; drop table coins; --",
  ])("no query breaks it: %j", async (query) => {
    await expect(search.find(shop.ctx, { query })).resolves.toMatchObject({ page: 1 });
    await expect(search.suggest(shop.ctx, query)).resolves.toBeDefined();
  });
});
