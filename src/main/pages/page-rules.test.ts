import { join } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { beforeAll, expect, test } from "vitest";
import { listPaths } from "virtual:page-paths/lists";
import { personalPaths } from "virtual:page-paths/personal";
import { secretPaths } from "virtual:page-paths/secret";
import { personalSections } from "virtual:page-paths/sections";
import { rulesOf } from "#web/storefront/page/page-handle.ts";
import routeConfig from "#web/routes.ts";
import { createPageRules, type RuledRoute } from "./page-rules.ts";

const web = join(import.meta.dirname, "../../web");
const routes: Record<string, RuledRoute & { file: string }> = {};
let rulesFor: ReturnType<typeof createPageRules>;

/** The routes of the build with their modules. */
async function load(entries: readonly RouteConfigEntry[], parentId?: string): Promise<void> {
  for (const entry of entries) {
    const { file, path, index, caseSensitive, children = [] } = entry;
    const id = entry.id ?? file.replace(/\.tsx?$/, "");
    const module = (await import(join(web, file))) as { handle?: unknown };
    routes[id] = { id, parentId, path, index, caseSensitive, module, file };
    await load(children, id);
  }
}
beforeAll(async () => {
  await load(routeConfig);
  rulesFor = createPageRules(routes);
});

const above = (id: string | undefined): RuledRoute[] => {
  const route = id === undefined ? undefined : routes[id];
  return route ? [...above(route.parentId), route] : [];
};
const pathOf = (id: string): string =>
  `/${above(id)
    .flatMap(({ path }) => path ?? [])
    .join("/")}`;

test("every route declares the rules of its page", () => {
  const silent = Object.keys(routes).filter((id) => !above(id).some(({ module }) => "isPublic" in ((module.handle ?? {}) as object)));
  expect(silent).toEqual([]);
});

test("the rules of every page, as its route declares them", () => {
  const table = Object.keys(routes)
    .map((id) => {
      const { isPublic, parameters = [], ...rules } = rulesOf(above(id).map(({ module }) => module.handle));
      const rest = [
        rules.hasLivePrices && "live prices",
        rules.hasMap && "map",
        rules.hasNoDeliveryBanner && "no delivery banner",
        rules.isBuying && "buying",
        rules.showsLists && "lists",
        rules.hasSecretAddress && "secret address",
        rules.changesCart && "changes the cart",
        rules.isFeed && "feed",
        rules.isPriceFeed && "feed of prices",
        rules.isBlank && "blank",
        rules.countedParameter && `counted with ${rules.countedParameter}`,
        rules.countedPath && `counted as ${rules.countedPath}`,
      ].filter(Boolean);
      const query = parameters.length > 0 ? `?${parameters.join(",")}` : "";
      return `${pathOf(id).padEnd(36)} ${isPublic ? "public" : "personal"} · ${rest.join(", ")} ${query}`.trimEnd();
    })
    .toSorted();
  expect(`\n${table.join("\n")}\n`).toMatchInlineSnapshot(`
    "
    /                                    public · live prices
    /*                                   public ·
    /:one                                public ·
    /:one/:two                           public ·
    /:one/:two/:three                    public ·
    /:one/:two/:three/:four              public ·
    /about                               public ·
    /alerts                              personal ·
    /alerts/:token                       personal · secret address
    /cabinet/create                      personal · changes the cart, blank
    /cart                                personal · live prices, buying, lists
    /cases                               public ·
    /cases/:slug                         public ·
    /catalog                             public · live prices ?metal,kind,weight,spreadTo,country,mint,quality,series,year,category,priceFrom,priceTo,yearFrom,yearTo,inStock,sort,view,page,from
    /catalog/:section                    public · live prices ?metal,kind,weight,spreadTo,country,mint,quality,series,year,category,priceFrom,priceTo,yearFrom,yearTo,inStock,sort,view,page,from
    /catalog/:section/:series            public · live prices ?metal,kind,weight,spreadTo,country,mint,quality,series,year,category,priceFrom,priceTo,yearFrom,yearTo,inStock,sort,view,page,from
    /catalog/:section/:series/:part      public · live prices ?metal,kind,weight,spreadTo,country,mint,quality,series,year,category,priceFrom,priceTo,yearFrom,yearTo,inStock,sort,view,page,from
    /catalog/:section/:series/:part/page/:page public · live prices ?metal,kind,weight,spreadTo,country,mint,quality,series,year,category,priceFrom,priceTo,yearFrom,yearTo,inStock,sort,view,page,from
    /catalog/:section/:series/page/:page public · live prices ?metal,kind,weight,spreadTo,country,mint,quality,series,year,category,priceFrom,priceTo,yearFrom,yearTo,inStock,sort,view,page,from
    /catalog/:section/page/:page         public · live prices ?metal,kind,weight,spreadTo,country,mint,quality,series,year,category,priceFrom,priceTo,yearFrom,yearTo,inStock,sort,view,page,from
    /catalog/page/:page                  public · live prices ?metal,kind,weight,spreadTo,country,mint,quality,series,year,category,priceFrom,priceTo,yearFrom,yearTo,inStock,sort,view,page,from
    /certificates                        public ·
    /checkout                            personal · live prices, map, buying, lists, changes the cart
    /checkout/steps                      personal ·
    /checkout/steps/city                 personal · buying, changes the cart
    /checkout/steps/confirm              personal · buying, changes the cart
    /checkout/steps/contacts             personal · buying, changes the cart
    /checkout/steps/delivery             personal · buying, changes the cart
    /checkout/steps/payment              personal · buying, changes the cart
    /checkout/steps/point                personal · buying, changes the cart
    /coin-buyback                        public · live prices ?coin
    /contacts                            public ·
    /delivery                            public ·
    /how-to-buy                          public ·
    /my                                  personal ·
    /my                                  personal ·
    /my/alerts                           personal ·
    /my/orders                           personal ·
    /my/orders/:id                       personal · counted as /my/orders
    /my/orders/:id/invoice.pdf           personal · secret address
    /my/profile                          personal ·
    /my/profile/delete                   personal ·
    /my/profile/edit                     personal ·
    /news                                public ·
    /news/:slug                          public ·
    /news/page/:page                     public ·
    /news/rss.xml                        public ·
    /newsletter/:token                   personal · secret address
    /order/:id                           personal · secret address, changes the cart
    /order/:id/invoice.pdf               personal · secret address
    /partners                            public · no delivery banner
    /payment-error                       personal · changes the cart
    /privacy-policy.pdf                  public ·
    /product-comparison                  personal · live prices, lists
    /products/:slug                      public · live prices
    /promo                               public ·
    /promo/:slug                         public ·
    /quotes-online                       public · live prices ?code,range,view,coin
    /quotes-online/table.csv             public ·  ?code
    /return                              public ·
    /reviews                             public ·  ?coin,page
    /robots.txt                          public ·
    /search                              public · live prices, counted with q ?metal,kind,weight,spreadTo,country,mint,quality,series,year,category,priceFrom,priceTo,yearFrom,yearTo,inStock,sort,view,page,from,q,exact
    /sitemap.xml                         public · feed ?part
    /thanks                              personal · changes the cart
    /training                            public ·
    /training/1485                       public ·
    /training/1486                       public ·
    /training/1487                       public ·
    /training/18                         public ·
    /training/19                         public ·
    /training/20                         public ·
    /training/318                        public ·
    /training/:slug                      public ·
    /wishlist                            personal · live prices, lists
    /yml.xml                             public · feed, feed of prices
    "
  `);
});

test("the path patterns of the build say the same of every page as its handle", () => {
  const different = Object.keys(routes).flatMap((id) => {
    const path = pathOf(id).replace(/:\w+|\*/g, "some-1.text");
    const { isPublic, showsLists = false, hasSecretAddress = false } = rulesOf(above(id).map(({ module }) => module.handle));
    const declared = { isPublic, showsLists, hasSecretAddress };
    const built = { isPublic: !personalPaths.test(path), showsLists: listPaths.test(path), hasSecretAddress: secretPaths.test(path) };
    return JSON.stringify(declared) === JSON.stringify(built) ? [] : [{ path, declared, built }];
  });
  expect(different).toEqual([]);
});

test("the patterns hold for the data of a page and for a slash at its end, not for the pages around it", () => {
  for (const path of ["/cart", "/cart/", "/cart.data", "/cart/_.data"])
    expect([path, listPaths.test(path), personalPaths.test(path)]).toEqual([path, true, true]);
  for (const path of ["/cartoon", "/catalog/cart", "/CART", "/cart/nothing"]) expect([path, listPaths.test(path)]).toEqual([path, false]);
  expect(["/order/a1", "/alerts/12.abc/", "/alerts", "/my"].map((path) => secretPaths.test(path))).toEqual([true, true, false, false]);
});

test("robots are kept from every personal page and from no public one", () => {
  const wrong = Object.keys(routes).filter((id) => {
    const { isPublic } = rulesOf(above(id).map(({ module }) => module.handle));
    return isPublic === personalSections.some((start) => pathOf(id).startsWith(start));
  });
  expect(wrong).toEqual([]);
});

test("a page made for one visitor is never a public one", () => {
  const leaks = Object.keys(routes).filter((id) => {
    const { loader, headers } = (routes[id]?.module ?? {}) as { loader?: unknown; headers?: () => Record<string, string> };
    const isForOne = /\bvisitor\b/.test(String(loader)) || JSON.stringify(headers?.() ?? {}).includes("no-store");
    return isForOne && rulesOf(above(id).map(({ module }) => module.handle)).isPublic;
  });
  expect(leaks).toEqual([]);
});

test("data of a page has the rules of the page, and may name the routes that are loaded", () => {
  for (const path of ["/cart.data", "/my.data", "/my/orders/abc.data", "/order/abc.data", "/alerts/token.data", "/cart/_.data"])
    expect([path, rulesFor(path).isPublic]).toEqual([path, false]);
  expect(rulesFor("/_.data").isPublic).toBe(true);
  expect(rulesFor("/reviews").parameters).toEqual(new Set(["coin", "page"]));
  expect(rulesFor("/reviews.data").parameters).toEqual(new Set(["coin", "page", "_routes"]));
});

test("every page that is chosen by a coin is stored only for coins, and its other choices for what they can be", () => {
  const byCoin = Object.keys(routes).filter((id) => rulesFor(pathOf(id)).parameters.has("coin"));
  expect(byCoin.map((id) => [pathOf(id), rulesFor(pathOf(id)).values] as const).toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
    ["/coin-buyback", { coin: "coin" }],
    [
      "/quotes-online",
      {
        code: ["XAU_RUB", "XAG_RUB", "XAU_USD", "XAG_USD", "USD_RUB"],
        range: ["1d", "1w", "1m", "1y", "5y"],
        view: ["candles", "line"],
        coin: "bullion",
      },
    ],
    ["/reviews", { coin: "coin", page: "any" }],
  ]);
  for (const path of ["/reviews", "/reviews.data"]) expect(rulesFor(path).routeIds.at(-1)).toBe("storefront/content/reviews/reviews-page");
});

test("a file of a personal page is personal, a feed is not", () => {
  expect(
    ["/order/abc/invoice.pdf", "/my/orders/abc/invoice.pdf", "/yml.xml", "/robots.txt"].map((path) => rulesFor(path).isPublic),
  ).toEqual([false, false, true, true]);
});

test("an address that no route names is the public 404 page, whose query changes nothing", () => {
  for (const path of ["/nothing", "/my/nothing", "/CART", "/a/b/c/d/e/f", "/og.png"])
    expect([path, rulesFor(path)]).toMatchObject([
      path,
      { isPublic: true, parameters: new Set(), hasMap: false, isFeed: false, isFile: false },
    ]);
});

test("a route that says nothing, and an address without a route, are personal", () => {
  const few = createPageRules({
    page: { id: "page", path: "page", module: { default: () => null } },
    silent: { id: "silent", path: "silent", module: {} },
    map: { id: "map", path: "map", module: { handle: { hasMap: true } } },
  });
  const none = { isPublic: false, parameters: new Set(), isFeed: false, isPriceFeed: false };
  expect(few("/silent")).toEqual({ ...none, routeIds: ["silent"], hasMap: false, isFile: true });
  expect(few("/map")).toEqual({ ...none, routeIds: ["map"], hasMap: true, isFile: true });
  expect([few("/page").isFile, few("/page.data").isFile, few("/silent.data").isFile]).toEqual([false, false, false]);
  expect(few("/elsewhere").isPublic).toBe(false);
});

test("files are the routes without a component", () => {
  const files = Object.keys(routes).filter((id) => rulesFor(pathOf(id)).isFile);
  expect(files.map(pathOf).toSorted()).toMatchInlineSnapshot(`
    [
      "/checkout/steps",
      "/my/orders/:id/invoice.pdf",
      "/news/rss.xml",
      "/order/:id/invoice.pdf",
      "/privacy-policy.pdf",
      "/quotes-online/table.csv",
      "/robots.txt",
      "/sitemap.xml",
      "/yml.xml",
    ]
  `);
});

test("a page below a personal one cannot be public", () => {
  expect(rulesOf([{ isPublic: false }, { isPublic: true }])).toMatchObject({ isPublic: false });
  expect(rulesOf([undefined, { isPublic: true, hasMap: true }, { place: {} }])).toMatchObject({ isPublic: true, hasMap: true });
});
