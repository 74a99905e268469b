import { matchRoutes, type RouteObject } from "react-router";
import { rulesOf } from "#web/storefront/page-handle.ts";

/** Of a route of the build: where it stands and what its module says of its page. */
export type RuledRoute = {
  id: string;
  parentId?: string | undefined;
  path?: string | undefined;
  index?: boolean | undefined;
  caseSensitive?: boolean | undefined;
  module: { handle?: unknown };
};

export type PageRules = { isPublic: boolean; parameters: ReadonlySet<string>; hasMap: boolean };

/** So many paths are remembered with their rules. Matching one takes longer than answering from the page cache. */
const mostPaths = 10_000;

/** The rules of pages by path, from the handles of the routes that match it. No route, or none with a handle: personal. */
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

  return (pathname) => {
    const known = remembered.get(pathname);
    if (known) return known;
    const {
      isPublic,
      parameters = [],
      hasMap = false,
    } = rulesOf((matchRoutes(tree, pageOf(pathname)) ?? []).map(({ route }) => route.handle));
    const rules = { isPublic, parameters: new Set(isData(pathname) ? [...parameters, "_routes"] : parameters), hasMap };
    if (remembered.size >= mostPaths) remembered.clear();
    remembered.set(pathname, rules);
    return rules;
  };
}

/** Whether the path asks for the data of a page alone, as the router does in the browser. */
export const isData = (pathname: string): boolean => pathname.endsWith(".data");

/** The page whose data a path asks for; react-router normalises paths in the same way before it matches them (`getNormalizedPath`). */
const pageOf = (pathname: string): string => pathname.replace(/\/_\.data$/, "/").replace(/\.data$/, "");
