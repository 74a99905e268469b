import { expect, test } from "vitest";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { lessonIds } from "#shop/content/entry.ts";
import { siteAddresses } from "#shop/content/addresses.ts";
import routes from "./routes.ts";

const flat = (list: readonly RouteConfigEntry[], above = ""): string[] =>
  list.flatMap((route) => {
    const path = route.path === undefined ? above : `${above}/${route.path}`;
    const isPage = route.index === true || route.path !== undefined;
    return [...(isPage ? [path === "" ? "/" : path] : []), ...flat(route.children ?? [], path)];
  });

test("the addresses that owners' pages and redirects cannot have are those of the site's own pages", () => {
  const own = flat(routes).filter((path) => !/^(\/:one.*|\/\*)$/.test(path) && !lessonIds.some((id) => path === `/training/${id}`));
  expect([...new Set(own)].toSorted()).toEqual([...siteAddresses].toSorted());
});
