import { brotliDecompressSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import type { LoaderFunctionArgs } from "react-router";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import * as pricing from "#shop/pricing/service.ts";
import { priceLists } from "#shop/pricing/tables.ts";
import { rates } from "#shop/rates/tables.ts";
import { testClock, testShop, type TestShop } from "#tests/shop.ts";
import { buildOf, ctxOf, serveBuild } from "./testing.ts";

/** A page that shows the version of the price list that its prices are from. */
async function loader(given: LoaderFunctionArgs): Promise<Response> {
  renders += 1;
  return new Response(String((await pricing.current(ctxOf(given))).version), { headers: { "content-type": "text/plain" } });
}
const build = buildOf({
  list: { path: "list", module: { loader, handle: { isPublic: true } } },
  cart: { path: "cart", module: { loader } },
});

const clock = testClock();
let time = 1_000_000;
let renders = 0;
let shop: TestShop;
let apps: FastifyInstance[];
let findCached: (url: string, seen: number) => { br: Buffer } | null;
beforeAll(async () => {
  vi.spyOn(performance, "now").mockImplementation(() => time);
  shop = await testShop({ clock });
  const at = { observedAt: clock.now(), receivedAt: clock.now(), heardAt: clock.now() };
  await shop.ctx.db
    .insert(rates)
    .values((["XAU_RUB", "XAG_RUB"] as const).map((code) => ({ code, source: "exchange", valueE4: 1_000_000, ...at })));
  await aNewList();
  apps = [shop.ctx, await shop.another()].map((ctx) => {
    const { app, pages } = serveBuild(ctx, build);
    findCached = pages.findCached;
    return app;
  });
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await shop.close();
  vi.restoreAllMocks();
});
beforeEach(() => {
  time += 60_000;
  clock.advance(60_000);
});

const aNewList = () =>
  shop.ctx.db.insert(priceLists).values({ goldE4: 1_000_000, silverE4: 1_000_000, ratesAt: clock.now(), madeAt: clock.now() });

/** The version that a process shows in a page, and the one that the answer names. */
async function shown(process: number, url: string, seen?: number): Promise<number> {
  const answer = await apps[process]!.inject({ url, headers: seen === undefined ? {} : { "x-price-list": String(seen) } });
  const version = /"data","(\d+)"/.exec(answer.body)?.[1] ?? answer.body; // the data of a page is encoded by the router
  expect([url, answer.statusCode, answer.headers["x-price-list"]]).toEqual([url, 200, version]);
  return Number(version);
}

test.each(["/list.data", "/cart"])("%s of a process that is behind is rendered for a page that has seen newer prices", async (url) => {
  const before = await shown(1, url);
  await aNewList();
  clock.advance(900);
  time += 900;
  const newest = await shown(0, url, before + 1);
  expect(newest).toBeGreaterThan(before);
  expect(await shown(1, url)).toBe(before);
  expect(await shown(1, url, newest)).toBe(newest);
  expect(await shown(1, url)).toBe(newest);
});

test("a cached page that is new enough is answered at once, before the router too", async () => {
  const version = await shown(1, "/list");
  await shown(1, "/list");
  const made = renders;
  expect(await shown(1, "/list", version)).toBe(version);
  expect(await shown(1, "/list", version - 1)).toBe(version);
  const cached = findCached("/list", version);
  expect([renders, cached && brotliDecompressSync(cached.br).toString(), findCached("/list", version + 1)]).toEqual([
    made,
    String(version),
    null,
  ]);
});

test("an invented version is answered with the newest list there is, from the cache", async () => {
  const version = await shown(1, "/list");
  const made = renders;
  expect(await shown(1, "/list", 999_999)).toBe(version);
  expect(renders).toBe(made);
});
