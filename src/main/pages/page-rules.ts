import { matchRoutes, type RouteObject } from "react-router";
import { rulesOf, type ParameterValues } from "#web/storefront/page/page-handle.ts";

/** A route of the build: its path and what its module declares. */
export type RuledRoute = {
  id: string;
  parentId?: string | undefined;
  path?: string | undefined;
  index?: boolean | undefined;
  caseSensitive?: boolean | undefined;
  module: { handle?: unknown; default?: unknown };
};

export type PageRules = {
  isPublic: boolean;
  parameters: ReadonlySet<string>;
  /** What some parameters can say. */
  values?: Readonly<Record<string, ParameterValues>>;
  /** The routes that the page consists of, the outermost first; their data may be requested (`_routes`). */
  routeIds: readonly string[];
  hasMap: boolean;
  isFeed: boolean;
  isPriceFeed: boolean;
  /** The route has no component: its loader answers a file, and the router has no error page for it. */
  isFile: boolean;
};

/** How many paths are cached with their rules. Matching a path takes longer than answering from the page cache. */
const maxCachedPaths = 10_000;

/** The rules of pages by path, from the handles of the matching routes. Without a route or a handle a page is personal. */
export function createPageRules(routes: Readonly<Record<string, RuledRoute | undefined>>): (pathname: string) => PageRules {
  const all = Object.values(routes).filter((route) => route !== undefined);
  const below = (parentId: string | undefined): RouteObject[] =>
    all
      .filter((route) => (route.parentId || undefined) === parentId)
      .map(({ id, path, index, caseSensitive, module: { handle } }) =>
        index ? { id, path, index, caseSensitive, handle } : { id, path, caseSensitive, handle, children: below(id) },
      );
  const tree = below(undefined);
  const remembered = new Map<string, PageRules>();
  const isFileRoute = (pathname: string, id: string | undefined): boolean =>
    id !== undefined && !isData(pathname) && routes[id]?.module.default === undefined;

  return (pathname) => {
    const known = remembered.get(pathname);
    if (known) return known;
    const matches = matchRoutes(tree, pageOf(pathname)) ?? [];
    const handle = rulesOf(matches.map(({ route }) => route.handle));
    const { isPublic, parameters = [], values, hasMap = false, isFeed = false, isPriceFeed = false } = handle;
    const rules: PageRules = {
      isPublic,
      parameters: new Set(isData(pathname) ? [...parameters, "_routes"] : parameters),
      ...(values ? { values } : {}),
      routeIds: matches.flatMap(({ route }) => route.id ?? []),
      hasMap,
      isFeed,
      isPriceFeed,
      isFile: isFileRoute(pathname, matches.at(-1)?.route.id),
    };
    if (remembered.size >= maxCachedPaths) remembered.clear();
    remembered.set(pathname, rules);
    return rules;
  };
}

/** Whether the path requests only the data of a page, as the router in the browser does. */
export const isData = (pathname: string): boolean => pathname.endsWith(".data");

/** The page whose data a path requests. React Router normalises paths in the same way before matching (`getNormalizedPath`). */
const pageOf = (pathname: string): string => pathname.replace(/\/_\.data$/, "/").replace(/\.data$/, "");
