import { inTransaction, pipeline } from "#kit/db.ts";
import { aCoin, putCoins } from "#shop/catalog/testing.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import * as stock from "#shop/stock/service.ts";
import type { CappedLine } from "./cart.ts";
import * as cart from "./service.ts";

export const aGuest = (name: string): OwnerKey => `visitor:${name}`;

/** Stores coins with a fixed price of 1 000 ₽ and the given number of pieces in stock. */
export async function onShelf(ctx: Ctx, coins: readonly (Partial<Coin> & { id: number; pieces: number })[]): Promise<void> {
  await putCoins(
    ctx.db,
    coins.map(({ pieces: _pieces, ...told }) => aCoin({ kind: "memorable", fixedPriceKopecks: 100_000, ...told })),
  );
  await inTransaction(ctx.db, (tx) =>
    stock.openStock(
      tx,
      ctx,
      coins.map(({ id, pieces }) => ({ coinId: id, quantity: pieces })),
    ),
  );
}

/** Joins the cart of a browser into a customer's, as signing in does. */
export const joinCarts = (ctx: Ctx, from: OwnerKey, to: OwnerKey): Promise<{ capped: CappedLine[] }> =>
  inTransaction(ctx.db, async (tx) => {
    const [browser] = await pipeline([cart.lockBrowserCartBatch(tx, from)]);
    const [own] = await pipeline([cart.lockToJoinBatch(tx, ctx, to, browser)]);
    const [joined] = await pipeline([cart.joinBatch(tx, ctx, to, browser, own)]);
    return joined;
  });
