import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { LoaderFunctionArgs } from "react-router";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publishCoin } from "#contract/staff/coins/coins.ts";
import { createHttpMetrics } from "#http/server/metrics.ts";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import * as catalog from "#shop/catalog/service.ts";
import * as search from "#shop/search/service.ts";
import { aMember, aSession } from "#shop/staff/testing.ts";
import { testClock, testShop, type TestShop } from "#tests/shop.ts";
import { readConfig } from "./config.ts";
import { startOfficeAlone } from "./office.ts";
import { buildOf, ctxOf, serveBuild } from "./pages/testing.ts";
import type { Listening } from "./probes.ts";

const clock = testClock();
let shop: TestShop;
let office: Listening;
let web: FastifyInstance;

async function loader(given: LoaderFunctionArgs): Promise<Response> {
  const coin = await search.coinBySlug(ctxOf(given), given.params.slug ?? "");
  return new Response(coin?.title ?? "", { status: coin ? 200 : 404, headers: { "content-type": "text/plain" } });
}

beforeAll(async () => {
  shop = await testShop({ clock });
  await putCoins(shop.ctx.db, [aCoin({ id: 1, slug: "george", title: "Победоносец", categories: ["gold"] })]);
  const buildFolder = mkdtempSync(join(tmpdir(), "chekan-office-alone-"));
  mkdirSync(join(buildFolder, "office/assets"), { recursive: true });
  writeFileSync(join(buildFolder, "office/index.html"), "<!doctype html><title>Служебная часть</title>");
  const env = { SHOP_DEMO: "1", DATA_DIR: mkdtempSync(join(tmpdir(), "chekan-alone-")), PORT: "0", STAFF_PORT: "0", HOST: "127.0.0.1" };
  // Another process: its own connections and its own memory.
  office = await startOfficeAlone({
    ctx: await shop.another(),
    config: readConfig(env),
    metrics: createHttpMetrics(),
    onCall: () => {},
    buildFolder,
  });
  const build = buildOf({ coin: { path: "products/:slug", module: { loader, handle: { isPublic: true } } } });
  web = serveBuild(shop.ctx, build).app;
});
afterAll(async () => {
  await web.close();
  await office.stop();
  await shop.close();
});

const statusOf = (url: string) => fetch(url).then(({ status }) => status);

test("a process of the back office answers its own listener, and on the public one nothing but probes", async () => {
  expect(await statusOf(`${office.officeUrl}/orders`)).toBe(200);
  expect(await statusOf(`${office.officeUrl}/api/staff/me`)).toBe(401);
  const paths = ["/healthz", "/readyz", "/metrics", "/", "/catalog", "/api/state", "/api/staff/me", "/orders"];
  expect(await Promise.all(paths.map((path) => statusOf(office.url + path)))).toEqual([200, 200, 200, 404, 404, 404, 404, 404]);
  const build = (await (await fetch(`${office.url}/api/build`)).json()) as { data: object };
  expect(build.data).toMatchObject({ pages: false });
});

test("what staff change there is seen on the pages of another process", async () => {
  const page = () => web.inject({ url: "/products/george" });
  expect((await page()).body).toBe("Победоносец");
  const { sid } = await aSession(shop.ctx, await aMember(shop.ctx, ["owner"]));
  const [coin] = await catalog.coinsByIds(shop.ctx.db, [1]);
  const answer = await fetch(`${office.officeUrl}${publishCoin.path.replace("{id}", "1")}`, {
    method: publishCoin.method,
    headers: {
      cookie: `staff=${sid}`,
      origin: office.officeUrl ?? "",
      "content-type": "application/json",
      "idempotency-key": "off-sale",
    },
    body: JSON.stringify({ revision: coin?.revision, isPublished: false }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  await expect
    .poll(async () => {
      clock.advance(100);
      return (await page()).statusCode;
    })
    .toBe(404);
});
