import { catalogTarget, pathOf } from "#shop/content/addresses.ts";
import type { Ctx } from "#shop/context.ts";
import * as search from "#shop/search/service.ts";

/**
 * Whether the page of the catalogue that staff linked to is still there: a coin may be taken off sale, a category deleted. Other addresses
 * are checked when the link is saved.
 */
export async function isLive(ctx: Ctx, href: string): Promise<boolean> {
  const target = catalogTarget(pathOf(href) ?? "");
  if (target === null) return true;
  if ("coin" in target) return (await search.coinBySlug(ctx, target.coin)) !== null;
  return (await search.categories(ctx)).some(({ slug }) => slug === target.section);
}

/** The link, or the catalogue if its page is gone. */
export const liveHref = async (ctx: Ctx, href: string): Promise<string> => ((await isLive(ctx, href)) ? href : "/catalog");

/** The items of a menu whose pages are there. */
export async function liveItems<T extends { href: string }>(ctx: Ctx, items: readonly T[]): Promise<T[]> {
  // Each page has two dozen links in its menus, few of them to the catalogue.
  const checked = items.filter(({ href }) => catalogTarget(pathOf(href) ?? "") !== null);
  const live = await Promise.all(checked.map(({ href }) => isLive(ctx, href)));
  const gone = new Set(checked.filter((_, index) => !live[index]));
  return items.filter((item) => !gone.has(item));
}
