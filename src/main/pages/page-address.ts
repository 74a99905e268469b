import { normalAddress } from "#http/request/request-target.ts";
import type { PageRules } from "./page-rules.ts";

/** Maximum length of a query: two hundred Russian letters are 1,200 characters here. */
const maxQueryLength = 2048;

/** The cache key of a public page's address: known parameters sorted, the rest replaced by one mark. */
export function cacheKeyOf(rawUrl: string, publicUrl: string, parameters: ReadonlySet<string>): URL {
  const requested = new URL(rawUrl.replace(/^\/+/, "/"), publicUrl);
  const query = new URLSearchParams();
  let hasOther = requested.search.length > maxQueryLength;
  if (!hasOther) {
    for (const [name, value] of requested.searchParams) {
      if (parameters.has(name)) query.append(name, value);
      else hasOther = true;
    }
  }
  query.sort();
  if (hasOther) query.append("other", "1");
  const url = new URL(requested.pathname, publicUrl);
  url.search = query.toString();
  return url;
}

/**
 * Drops what the parameters of a page cannot say, so that invented values share one stored copy. `isOnSale` finds a coin by its slug.
 * `isLasting`: false when a coin was not found, because it may be on sale later.
 */
export async function withKnownValues(
  requested: URL,
  { values = {}, routeIds }: Pick<PageRules, "values" | "routeIds">,
  isOnSale: (slug: string, isBullion: boolean) => Promise<boolean>,
): Promise<{ url: URL; isLasting: boolean }> {
  const query = new URLSearchParams();
  let [hasOther, isLasting] = [false, true];
  for (const [name, value] of requested.searchParams) {
    const allowed = Object.hasOwn(values, name) ? values[name] : undefined;
    let known: string | null = value;
    if (name === "_routes") known = knownRoutes(value, routeIds);
    else if (allowed === "coin" || allowed === "bullion") {
      known = (await isOnSale(value, allowed === "bullion")) ? value : null;
      isLasting &&= known !== null;
    } else if (allowed !== undefined && allowed !== "any") known = allowed.includes(value) ? value : null;
    const isRepeated = query.has(name) && (allowed !== undefined || name === "_routes");
    if (known === null || isRepeated) hasOther = true;
    else query.append(name, known);
  }
  if (hasOther) query.set("other", "1");
  const url = new URL(requested);
  url.search = query.toString();
  return { url, isLasting };
}

/** The routes of the page among those that a request for its data names, in one order; null: none of them. */
function knownRoutes(value: string, routeIds: readonly string[]): string | null {
  const named = new Set(value.split(","));
  return routeIds.filter((id) => named.has(id)).join(",") || null;
}

/** The target of a public page's redirect. The page saw only its own parameters (`url`); the redirect keeps all that the request had. */
export function withRequestQuery(location: string, url: URL, rawUrl: string): string {
  const to = new URL(location, url);
  const known = new URLSearchParams(url.search);
  known.delete("other");
  if (to.origin !== url.origin || to.search.slice(1) !== known.toString()) return location;
  return `${to.pathname}${new URL(rawUrl.replace(/^\/+/, "/"), url).search}${to.hash}`;
}

/** The target of an address with a trailing slash, `/catalog/` → `/catalog`; null when it has none. Never another host. */
export function withoutTrailingSlash(rawUrl: string): string | null {
  const [, path = "", rest = ""] = /^([^?]*?)\/+(\?.*)?$/s.exec(rawUrl) ?? [];
  return path === "" ? null : `${path.replace(/^[/\\]+/, "/")}${rest}`;
}

/** The canonical form of an address: normalised and without a trailing slash. Other spellings are redirected to it. */
export function canonicalAddress(rawUrl: string): string {
  const normal = normalAddress(rawUrl) ?? rawUrl;
  return withoutTrailingSlash(normal) ?? normal;
}
