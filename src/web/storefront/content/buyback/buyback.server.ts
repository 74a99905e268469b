import { grams } from "#kit/format.ts";
import type { Ctx } from "#shop/context.ts";
import * as pricing from "#shop/pricing/service.ts";
import { pageSize } from "#shop/search/listing.ts";
import { allPages } from "../../catalog/listing/all-pages.server.ts";
import type { BuybackRow } from "./buyback-prices.tsx";

/** The page is public, so of a very large catalogue it lists the most popular coins; others are estimated when the form is sent. */
const maxRows = 408;

/** The shop's buyback prices, the most popular coins first. Bullion is left out while the rates are dead. */
export async function buybackRows(ctx: Ctx): Promise<BuybackRow[]> {
  const [list, { items }] = await Promise.all([pricing.current(ctx), allPages(ctx, {}, maxRows / pageSize)]);
  return items.flatMap(({ slug, title, metal, kind, pureMassMg, buyback }) =>
    buyback === null || (kind === "bullion" && list.isDead) ? [] : [{ slug, title, metal, kind, mass: grams(pureMassMg), buyback }],
  );
}
