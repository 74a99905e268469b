import { expect, test } from "vitest";
import { isCompressed } from "./pages.ts";
import { renderWithOnePriceList } from "./page-version.ts";
import { cacheKeyOf, canonicalAddress, withKnownValues, withRequestQuery, withoutTrailingSlash } from "./page-address.ts";

const own = "https://shop.example";
const parameters = new Set(["metal", "sort", "q"]);

test("known parameters are sorted, unknown ones become one mark and are not reflected", () => {
  expect(cacheKeyOf("/catalog?sort=price&utm_source=<script>&metal=gold&fbclid=1", own, parameters).href).toBe(
    "https://shop.example/catalog?metal=gold&sort=price&other=1",
  );
  expect(cacheKeyOf("/catalog", own, parameters).href).toBe("https://shop.example/catalog");
});

test("a path that looks like a host stays a path of the shop", () => {
  expect(cacheKeyOf("//evil.example/x", own, parameters).origin).toBe(own);
});

test("a trailing slash redirects to the page itself, and never to another host", () => {
  expect(["/catalog/", "/catalog/gold//?sort=price&q=a/", "//evil.example/", "/\\evil.example/"].map(withoutTrailingSlash)).toEqual([
    "/catalog",
    "/catalog/gold?sort=price&q=a/",
    "/evil.example",
    "/evil.example",
  ]);
  expect(["/", "//", "/?q=/", "/catalog", "/catalog?from=/"].map(withoutTrailingSlash)).toEqual([null, null, null, null, null]);
});

test("a redirect keeps the query of the request, unless the page sets one", () => {
  const on = (location: string, rawUrl: string) => withRequestQuery(location, cacheKeyOf(rawUrl, own, parameters), rawUrl);
  expect(on("/catalog?sort=price", "/catalog/page/1?utm_source=a&sort=price")).toBe("/catalog?utm_source=a&sort=price");
  expect([on("/news", "/blog"), on("/how-to-buy#faq", "/faq?utm_source=a")]).toEqual(["/news", "/how-to-buy?utm_source=a#faq"]);
  expect([on("/search?q=gold", "/old?utm_source=a"), on("https://maps.example/?other=1", "/contacts/map?x=1")]).toEqual([
    "/search?q=gold",
    "https://maps.example/?other=1",
  ]);
});

test("values that a page cannot have become the mark, and of a choice only the first counts", async () => {
  const rules = {
    values: { coin: "bullion", code: ["XAU_RUB", "XAG_RUB"], page: "any" } as const,
    routeIds: ["root", "rates"],
  };
  const known = async (query: string) => {
    const isOnSale = async (slug: string, isBullion: boolean) => isBullion && slug === "george";
    const { url, isLasting } = await withKnownValues(new URL(`https://shop.example/rates${query}`), rules, isOnSale);
    return [url.search, isLasting];
  };
  expect(await known("")).toEqual(["", true]);
  expect(await known("?code=XAG_RUB&coin=george&q=&q=1&other=1")).toEqual(["?code=XAG_RUB&coin=george&q=&q=1&other=1", true]);
  expect(await known("?coin=victory&q=1")).toEqual(["?q=1&other=1", false]);
  expect(await known("?coin=george&coin=george&page=2&page=7")).toEqual(["?coin=george&page=2&other=1", true]);
  expect(await known("?code=EUR_RUB&code=XAU_RUB")).toEqual(["?code=XAU_RUB&other=1", true]);
  expect(await known("?_routes=rates,root,rates,x")).toEqual(["?_routes=root%2Crates", true]);
  expect(await known("?_routes=x&_routes=rates")).toEqual(["?_routes=rates&other=1", true]);
});

test("a very long query becomes the mark", () => {
  expect(cacheKeyOf(`/search?q=${"а".repeat(2000)}`, own, parameters).search).toBe("?other=1");
});

test("every spelling of an address has one canonical form, and one redirect leads to it", () => {
  expect(["/%63atalog/?q=%61", "/catalog", "/x/../catalog/", "/.//evil.example/"].map(canonicalAddress)).toEqual([
    "/catalog?q=%61",
    "/catalog",
    "/catalog",
    "/evil.example",
  ]);
});

test("a page is rendered again while the price list changes, but not endlessly", async () => {
  let list = 1;
  let moves = 2;
  const made = await renderWithOnePriceList(
    async () => list,
    async () => {
      const first = list;
      if (moves > 0) list += 1;
      moves -= 1;
      return [first, list];
    },
  );
  expect(made).toEqual([3, 3]);
  moves = Infinity;
  expect(
    await renderWithOnePriceList(
      async () => list,
      async () => (list += 1),
    ),
  ).toBe(8);
});

test("a personal page is compressed unless its address has a query, which a foreign page may have chosen to guess its data", () => {
  expect(isCompressed("GET", "/checkout", "gzip, deflate, br")).toBe(true);
  expect(isCompressed("GET", "/checkout?from=elsewhere", "gzip, deflate, br")).toBe(false);
  expect(isCompressed("POST", "/checkout", "gzip, deflate, br")).toBe(false);
  expect(["gzip", "br;q=0", undefined].map((accepted) => isCompressed("GET", "/checkout", accepted))).toEqual([false, false, false]);
});
