import { catalogTarget, pathOf } from "#shop/content/addresses.ts";
import type { Ctx } from "#shop/context.ts";
import * as search from "#shop/search/service.ts";

/**
 * Whether the page of the catalogue that staff linked to is still there: a coin may be taken off sale, a category deleted. Other addresses
 * are checked when the link is saved.
 */
export const isLive = async (ctx: Ctx, href: string): Promise<boolean> => liveNow(ctx, href);

/** A promise only for an address of the catalogue: each page has two dozen links in its menus. */
function liveNow(ctx: Ctx, href: string): boolean | Promise<boolean> {
  const target = catalogTarget(pathOf(href) ?? "");
  if (target === null) return true;
  if ("coin" in target) return search.coinBySlug(ctx, target.coin).then((coin) => coin !== null);
  return search.categories(ctx).then((categories) => categories.some(({ slug }) => slug === target.section));
}

/** The link, or the catalogue if its page is gone. */
export const liveHref = async (ctx: Ctx, href: string): Promise<string> => ((await isLive(ctx, href)) ? href : "/catalog");

/** The items of a menu whose pages are there. */
export async function liveItems<T extends { href: string }>(ctx: Ctx, items: readonly T[]): Promise<T[]> {
  const live = await Promise.all(items.map(({ href }) => liveNow(ctx, href)));
  return items.filter((_, index) => live[index]);
}
