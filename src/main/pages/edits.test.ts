import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { LoaderFunctionArgs } from "react-router";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { inTransaction } from "#kit/db.ts";
import { factsOf } from "#shop/catalog/coin-rules.ts";
import * as edits from "#shop/catalog/editing/edit.service.ts";
import * as publishing from "#shop/catalog/editing/publish.service.ts";
import * as catalog from "#shop/catalog/service.ts";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import * as search from "#shop/search/service.ts";
import * as stock from "#shop/stock/service.ts";
import { testClock, testShop, type TestShop } from "#tests/shop.ts";
import { buildOf, ctxOf, serveBuild } from "./testing.ts";

/** A public page that shows a coin's title, made from the same read model as the pages of the shop. */
async function loader(given: LoaderFunctionArgs): Promise<Response> {
  const coin = await search.coinBySlug(ctxOf(given), given.params.slug ?? "");
  return new Response(coin?.title ?? "", { status: coin ? 200 : 404, headers: { "content-type": "text/plain" } });
}
/** Takes longer than the time that the test gives a page. */
async function slowLoader(): Promise<Response> {
  await sleep(100);
  return new Response("complete", { headers: { "content-type": "text/plain" } });
}
/** A public page of its own for each coin that its query names. */
async function choiceLoader({ request }: LoaderFunctionArgs): Promise<Response> {
  return new Response(new URL(request.url).search, { headers: { "content-type": "text/plain" } });
}
/** A price feed with the pieces of a coin, long enough to be stored compressed. */
let feeds = 0;
async function marketLoader(given: LoaderFunctionArgs): Promise<Response> {
  feeds += 1;
  const [coin] = await search.cards(ctxOf(given), [1]);
  return new Response(`${coin?.available} `.repeat(3_000_000), { headers: { "content-type": "application/xml" } });
}
const build = buildOf({
  market: { path: "yml.xml", module: { loader: marketLoader, handle: { isPublic: true, isFeed: true, isPriceFeed: true } } },
  choice: { path: "choice", module: { loader: choiceLoader, handle: { isPublic: true, parameters: ["coin"], values: { coin: "coin" } } } },
  coin: { path: "products/:slug", module: { loader, handle: { isPublic: true } } },
  slow: { path: "slow", module: { loader: slowLoader, handle: { isPublic: true } } },
  feed: { path: "feed", module: { loader: slowLoader, handle: { isPublic: true, isFeed: true } } },
});

const clock = testClock();
let time = 1_000_000;
let shop: TestShop;
let app: FastifyInstance;
let pages: ReturnType<typeof serveBuild>["pages"];
beforeAll(async () => {
  vi.spyOn(performance, "now").mockImplementation(() => time);
  shop = await testShop({ clock });
  await putCoins(shop.ctx.db, [aCoin({ id: 1, slug: "george", title: "Первое имя", categories: ["gold"] })]);
  ({ app, pages } = serveBuild(shop.ctx, build));
});
afterAll(async () => {
  await app.close();
  await shop.close();
  vi.restoreAllMocks();
});
const pass = (milliseconds: number): void => {
  time += milliseconds;
  clock.advance(milliseconds);
};
beforeEach(() => pass(60_000));
const page = async (): Promise<string> => {
  const { statusCode, body } = await app.inject({ url: "/products/george" });
  return statusCode === 200 ? body : String(statusCode);
};
const coinNow = async () => (await catalog.coinsByIds(shop.ctx.db, [1]))[0]!;
async function rename(title: string): Promise<void> {
  const coin = await coinNow();
  const saved = await edits.editCoin(shop.ctx, { id: 1, revision: coin.revision, facts: { ...factsOf(coin), title }, prices: null });
  expect(saved.ok).toBe(true);
}

test("a second after an edit no visitor gets the page from before it", async () => {
  expect(await page()).toBe("Первое имя");
  expect(await page()).toBe("Первое имя");
  await rename("Второе имя");
  pass(1_001);
  expect(await page()).toBe("Второе имя");
});

test("invented coins share one stored page; a coin has its own as soon as it is on sale", async () => {
  const choice = async (coin: string) => (await app.inject({ url: `/choice?coin=${coin}` })).body;
  const before = pages.cacheSize().entries;
  for (let n = 0; n < 20; n += 1) expect(await choice(`invented-${n}`)).toBe("?other=1");
  expect(await choice("george")).toBe("?coin=george");
  expect(await choice("george&coin=other")).toBe("?coin=george&other=1");
  expect(pages.cacheSize().entries - before).toBe(3);
  await putCoins(shop.ctx.db, [aCoin({ id: 3, slug: "invented-1", title: "Новая", categories: ["gold"] })]);
  pass(1_001);
  await choice("invented-2");
  expect(await choice("invented-1")).toBe("?coin=invented-1");
  expect(pages.findCached("/choice?coin=invented-2", 0)).toBeNull();
  expect(pages.findCached("/choice?coin=invented-1", 0)).not.toBeNull();
});

test("the price feed is made once as long as nothing changes, and again a second after a sale", async () => {
  const available = async () => Number((await app.inject({ url: "/yml.xml" })).body.split(" ", 1)[0]);
  const before = await available();
  // All stock is read again every ten minutes.
  for (let hour = 0; hour < 12; hour += 1) {
    pass(3_600_000);
    expect(await available()).toBe(before);
  }
  expect(feeds).toBe(1);
  await inTransaction(shop.ctx.db, (tx) => stock.receive(tx, shop.ctx, 1, 3));
  pass(1_001);
  expect([await available(), feeds]).toEqual([before + 3, 2]);
});

test("a coin that was taken off sale is gone after a second", async () => {
  await page();
  const { revision } = await coinNow();
  await publishing.setPublished(shop.ctx, { id: 1, revision, isPublished: false });
  pass(1_001);
  expect(await page()).toBe("404");
});

test("a page that is first cached within the second of an edit shows the edit when that second is over", async () => {
  await putCoins(shop.ctx.db, [aCoin({ id: 2, slug: "victory", title: "До правки", categories: ["gold"] })]);
  const victory = async () => (await app.inject({ url: "/products/victory" })).body;
  pass(2_000);
  await page(); // versions and read model of this second
  pass(400);
  const coin = (await catalog.coinsByIds(shop.ctx.db, [2]))[0]!;
  await edits.editCoin(shop.ctx, { id: 2, revision: coin.revision, facts: { ...factsOf(coin), title: "После правки" }, prices: null });
  pass(500);
  expect(await victory()).toBe("До правки");
  pass(200);
  expect(await victory()).toBe("После правки");
});

test("a program that reads the price feed gets it also when making it takes longer than a page may", async () => {
  const { limits } = shop.ctx.settings;
  const usual = limits.requestDeadlineMs;
  limits.requestDeadlineMs = 30;
  const [slow, feed] = await Promise.all(["/slow", "/feed"].map((url) => app.inject({ url })));
  limits.requestDeadlineMs = usual;
  expect([slow?.statusCode === 200, feed?.statusCode, feed?.body]).toEqual([false, 200, "complete"]);
});
