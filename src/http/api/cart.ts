import * as contract from "#contract/public/cart.ts";
import { done, mapOk } from "#kit/result.ts";
import * as cart from "#shop/cart/service.ts";
import { endpoint } from "../endpoint.ts";
import { cartView } from "../views.ts";

export const readCart = endpoint(contract.readCart, async (ctx, { owner }) => done(cartView(await cart.read(ctx, owner))));

export const setQuantity = endpoint(contract.setQuantity, async (ctx, { owner, params, body }) =>
  mapOk(await cart.setQuantity(ctx, owner, params.id, body.quantity), cartView),
);

export const removeLines = endpoint(contract.removeLines, async (ctx, { owner, body }) =>
  done(cartView(await cart.remove(ctx, owner, body.productIds))),
);

export const clearCart = endpoint(contract.clearCart, async (ctx, { owner }) => done(cartView(await cart.clear(ctx, owner))));

export const enterPromo = endpoint(contract.enterPromo, async (ctx, { owner, visitor, body }) =>
  mapOk(await cart.enterPromo(ctx, owner, body.code, visitor.customerId), cartView),
);

export const removePromo = endpoint(contract.removePromo, async (ctx, { owner }) => done(cartView(await cart.removePromo(ctx, owner))));
