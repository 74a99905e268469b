import { days } from "#kit/time.ts";
import { toRoubles } from "#kit/money.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import type { Ctx } from "#shop/context.ts";
import { sellingPrice } from "#shop/pricing/price.ts";
import { mergeCandles } from "#shop/rates/candle.ts";
import * as history from "#shop/rates/history.service.ts";

/** A coin's price by week, in whole roubles. */
export type CoinHistory = { points: { at: number; price: number }[]; isGenerated: boolean };

/**
 * The price of the coin at the end of each week of the last year, with its present premium and the function that computes prices today.
 * Null for a coin with a fixed price and for a history that is too short to draw.
 */
export async function coinHistory(ctx: Ctx, coin: Pick<Coin, "metal" | "kind" | "pureMassMg" | "premiumBp">): Promise<CoinHistory | null> {
  if (coin.kind !== "bullion") return null;
  const { candles, isGenerated } = await history.history(ctx, coin.metal === "gold" ? "XAU_RUB" : "XAG_RUB", "1y");
  const points = mergeCandles(candles, days(7)).map(({ at, closeE4 }) => ({
    at: at.getTime(),
    price: toRoubles(sellingPrice(coin.pureMassMg, closeE4, coin.premiumBp)),
  }));
  return points.length < 8 ? null : { points, isGenerated };
}
