import type { Coin } from "#shop/catalog/coin.ts";
import type { Ctx } from "#shop/context.ts";
import * as search from "#shop/search/service.ts";

type Design = Pick<Coin, "motif" | "metal" | "denominationCurrency">;

/**
 * Whether the shop's picture of a capsule may be on the page of this coin: it shows one coin, and would be wrong for another design,
 * metal or currency. `pictured`: the slug of that coin; «», or a coin that is not on sale any more: no.
 */
export async function hasCapsule(ctx: Ctx, coin: Design, pictured: string): Promise<boolean> {
  const shown = pictured === "" ? null : await search.coinBySlug(ctx, pictured);
  if (!shown) return false;
  return shown.motif === coin.motif && shown.metal === coin.metal && shown.denominationCurrency === coin.denominationCurrency;
}
