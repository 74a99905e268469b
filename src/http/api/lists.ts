import * as contract from "#contract/public/lists.ts";
import { done, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import type { ListError } from "#shop/lists/list.ts";
import * as lists from "#shop/lists/service.ts";
import * as search from "#shop/search/service.ts";
import { endpoint } from "../endpoint.ts";
import { cardView } from "../catalog-views.ts";

export const readWishlist = endpoint(contract.readWishlist, async (ctx, { owner }) => done(await lists.ids(ctx, owner, "wishlist")));
export const addToWishlist = endpoint(contract.addToWishlist, (ctx, { owner, params }) => lists.add(ctx, owner, "wishlist", params.id));
export const removeFromWishlist = endpoint(contract.removeFromWishlist, (ctx, { owner, params }) =>
  lists.remove(ctx, owner, "wishlist", params.id),
);
export const clearWishlist = endpoint(contract.clearWishlist, async (ctx, { owner }) => done(await lists.clear(ctx, owner, "wishlist")));

export const readCompare = endpoint(contract.readCompare, async (ctx, { owner }) =>
  done(await cards(ctx, await lists.ids(ctx, owner, "compare"))),
);
export const addToCompare = endpoint(contract.addToCompare, async (ctx, { owner, params }) =>
  cardsOf(ctx, await lists.add(ctx, owner, "compare", params.id)),
);
export const removeFromCompare = endpoint(contract.removeFromCompare, async (ctx, { owner, params }) =>
  cardsOf(ctx, await lists.remove(ctx, owner, "compare", params.id)),
);
export const clearCompare = endpoint(contract.clearCompare, async (ctx, { owner }) =>
  done(await cards(ctx, await lists.clear(ctx, owner, "compare"))),
);

const cards = async (ctx: Ctx, ids: number[]) => (await search.cards(ctx, ids)).map(cardView);
const cardsOf = async (ctx: Ctx, result: Result<number[], ListError>) => (result.ok ? done(await cards(ctx, result.value)) : result);
