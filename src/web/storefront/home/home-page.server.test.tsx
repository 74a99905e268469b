import { renderToString } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider, useLoaderData, type RouteObject } from "react-router";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seconds } from "#kit/time.ts";
import * as pricing from "#shop/pricing/service.ts";
import { coins } from "#shop/catalog/tables.ts";
import { marketStatus, rates } from "#shop/rates/tables.ts";
import { aPageContext } from "#web/testing.ts";
import { testShop, type TestShop } from "#tests/shop.ts";
import * as editing from "#shop/content/editing/editing.service.ts";
import type { HomeBlock, PartData } from "#shop/content/site/parts.ts";
import { seed } from "../../../../db/seed/seed.ts";
import { asText } from "../page/text-data.ts";
import * as home from "./home-page.tsx";

let shop: TestShop;
beforeAll(async () => {
  shop = await testShop();
  const at = shop.clock.now();
  const common = { previousCloseE4: null, observedAt: at, receivedAt: at, heardAt: at, source: "exchange" };
  await shop.ctx.db.insert(rates).values([
    { ...common, code: "XAU_RUB", valueE4: 115_000_000 },
    { ...common, code: "XAG_RUB", valueE4: 1_500_000 },
  ]);
  await shop.ctx.db.insert(marketStatus).values({ id: 1, isOpen: true, heardAt: at });
  await seed(shop.ctx, { progress: () => {} });
  await pricing.refresh(shop.ctx);
});
afterAll(() => shop.close());

const Page = home.default as unknown as (props: { loaderData: unknown }) => React.ReactNode;
const routes: RouteObject[] = [
  {
    id: "root",
    path: "/",
    loader: () => asText({ scriptNonce: "" }, { rates: [{ code: "XAU_RUB", value: 11_500, percent: 1 }], ratesAt: "2026-11-20T09:00:00Z" }),
    children: [{ index: true, loader: home.loader as never, Component: () => <Page loaderData={useLoaderData()} /> }],
  },
];
const handler = createStaticHandler(routes);

/** The home page as the server renders it. */
async function homePage(): Promise<string> {
  shop.clock.advance(seconds(2));
  const requestContext = aPageContext(shop.ctx);
  const answer = await handler.query(new Request("http://shop.example/"), { requestContext });
  if (answer instanceof Response) throw new Error("redirected");
  if (answer.errors) throw Object.values(answer.errors)[0];
  const router = createStaticRouter(handler.dataRoutes, answer);
  return renderToString(<StaticRouterProvider router={router} context={answer} hydrate={false} />);
}

/** Publishes the home page with other blocks. */
async function change(blocksOf: (blocks: HomeBlock[]) => HomeBlock[]): Promise<void> {
  const subject = { kind: "home", id: 1 } as const;
  const now = await editing.read(shop.ctx, subject);
  if (!now) throw new Error("no home page");
  const live = now.live as PartData<"home">;
  const data = { ...live, blocks: blocksOf(live.blocks) };
  const saved = await editing.save(shop.ctx, { subject, revision: now.revision, data, act: { kind: "publish" }, unpublishAt: null });
  if (!saved.ok) throw new Error(JSON.stringify(saved.error));
}
const sections = (html: string): string[] =>
  [...html.matchAll(/<h[12]>(?:<a[^>]*>)?([^<]+)/g)].map(([, title = ""]) => title.replaceAll("\u00A0", " "));

test("the seeded home page has all blocks in their order, with coins and prices", async () => {
  const html = await homePage();
  expect(sections(html)).toEqual([
    "Цена должна быть объяснима",
    "«Георгий Победоносец», 50 рублей 2026",
    "От десятой унции до килограмма",
    "Котировальный лист",
    "На чём мы стоим",
    "Памятные монеты",
    "Прочитать до покупки",
    "Как считается цена выкупа",
  ]);
  expect(html.match(/class="scale__coin/g)).toHaveLength(5);
  expect(html).toContain("дисконт «Георгия», ");
});

test("a coin that is not on sale leaves its blocks out, and the rest stays", async () => {
  const gone = "drakon-3-rublya-2011";
  await shop.ctx.db.update(coins).set({ isPublished: false, updatedAt: shop.clock.now() }).where(eq(coins.slug, gone));
  await change((blocks) =>
    blocks.map(({ content, ...block }) => {
      if ("coin" in content) return { ...block, content: { ...content, coin: gone } };
      if (content.kind === "sizes") return { ...block, content: { ...content, coins: [gone, content.coins[0] ?? ""] } };
      if (content.kind === "prices") return { ...block, content: { ...content, choice: { by: "listed", slugs: [gone] } } };
      return { ...block, content };
    }),
  );
  const html = await homePage();
  expect(html).not.toContain("plate__coin");
  expect(sections(html)).toEqual(["Цена должна быть объяснима", "На чём мы стоим", "Памятные монеты", "Прочитать до покупки"]);
});

test("blocks are listed, ordered and worded by the data", async () => {
  await change((blocks) => {
    const text = {
      kind: "banner",
      title: "Работаем в праздники",
      lead: "Как обычно.",
      more: { text: "Подробнее", href: "/contacts" },
    } as const;
    return [{ id: "note", isOn: true, from: null, until: null, content: text }, ...blocks.filter(({ id }) => id === "memorable")];
  });
  const html = await homePage();
  expect(sections(html)).toEqual(["Работаем в праздники", "Памятные монеты"]);
  expect(html).toContain('href="/contacts"');
});
