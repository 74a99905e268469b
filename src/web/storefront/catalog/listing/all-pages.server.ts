import type { Ctx } from "#shop/context.ts";
import type { Card } from "#shop/search/card.ts";
import type { ListingFilters } from "#shop/search/listing.ts";
import * as search from "#shop/search/service.ts";

/** The coins of all pages of a listing, in its order, of at most `maxPages` pages. `total` counts all coins of the listing. */
export async function allPages(ctx: Ctx, filters: ListingFilters, maxPages = Infinity): Promise<{ items: Card[]; total: number }> {
  const first = await search.list(ctx, filters);
  const others = await Promise.all(
    Array.from({ length: Math.max(0, Math.min(first.pages, maxPages) - 1) }, (_, index) =>
      search.list(ctx, { ...filters, page: index + 2 }),
    ),
  );
  return { items: [first, ...others].flatMap(({ items }) => items), total: first.total };
}
