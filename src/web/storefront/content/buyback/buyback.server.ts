import { grams } from "#kit/format.ts";
import type { Ctx } from "#shop/context.ts";
import * as pricing from "#shop/pricing/service.ts";
import { pageSize } from "#shop/search/listing.ts";
import * as search from "#shop/search/service.ts";
import type { BuybackRow } from "./buyback-prices.tsx";

/** The page is read by everybody: of a very large catalogue it names the coins most asked for, the others are estimated when they are sent. */
const mostRows = 408;

/** What the shop pays today, the coins most asked for first. A bullion coin has no price while rates are too old to name one. */
export async function buybackRows(ctx: Ctx): Promise<BuybackRow[]> {
  const [list, first] = await Promise.all([pricing.current(ctx), search.list(ctx, {})]);
  const pages = Math.min(first.pages, mostRows / pageSize);
  const others = await Promise.all(Array.from({ length: Math.max(0, pages - 1) }, (_, nth) => search.list(ctx, { page: nth + 2 })));
  return [first, ...others]
    .flatMap(({ items }) => items)
    .flatMap(({ slug, title, metal, kind, pureMassMg, buyback }) =>
      buyback === null || (kind === "bullion" && list.isDead) ? [] : [{ slug, title, metal, kind, mass: grams(pureMassMg), buyback }],
    );
}
