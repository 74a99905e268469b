import { renderToString } from "react-dom/server";
import { createStaticHandler, createStaticRouter, Link as RouterLink, StaticRouterProvider, type LinkProps } from "react-router";
import { expect, test } from "vitest";
import { Link } from "./link.tsx";

/** The markup of one link on a page of the shop. */
async function markupOf(Tested: typeof RouterLink, props: LinkProps): Promise<string> {
  const routes = [{ path: "/catalog/:section?", element: <Tested {...props} /> }];
  const { query, dataRoutes } = createStaticHandler(routes);
  const context = await query(new Request("http://shop.example/catalog/gold?page=2"));
  if (context instanceof Response) throw new Error("redirected");
  const router = createStaticRouter(dataRoutes, context);
  return renderToString(<StaticRouterProvider router={router} context={context} hydrate={false} />);
}

/** The router's link prints these as they are. */
const plain = [
  "/",
  "/catalog",
  "/products/georgij-pobedonosec-2026",
  "/catalog?sort=-price&page=2",
  "/catalog/gold?year=2020%2C2021#place-25",
];
/** It changes or encodes these, or prints them in another way. */
const changed = [
  ["?page=3", "silver", "../silver", "", "#place-1", "/a//b", "/catalog/", "/a/../b", "/a/./b", "/catalog?", "/catalog#", "/a b"],
  ["//other.example/a", "https://other.example/a"],
  ["/search?q=золото", "/search?q=a b", "/search?q='a'", '/search?q="a"', "/search?q=a&amp=1", "/search?q=<a>"],
].flat();

test.each(plain.concat(changed))("a link to «%s» is printed by the server as the browser will draw it", async (to) => {
  const props = { to, className: "chip", rel: "nofollow", children: "Дальше", onClick: () => {} };
  expect(await markupOf(Link, props)).toBe(await markupOf(RouterLink, props));
});

test.each([
  { to: { pathname: "/catalog", search: "?page=2" } },
  { to: "/catalog", discover: "none" as const },
  { to: "/catalog", reloadDocument: true },
  { to: "/catalog", replace: true, state: { from: "menu" }, preventScrollReset: true, relative: "path" as const, viewTransition: true },
])("a link with options is printed as the browser will draw it: %o", async (props) => {
  expect(await markupOf(Link, props)).toBe(await markupOf(RouterLink, props));
});
