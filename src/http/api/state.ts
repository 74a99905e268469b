import * as contract from "#contract/public/state.ts";
import { done } from "#kit/result.ts";
import * as cart from "#shop/cart/service.ts";
import * as customers from "#shop/customers/service.ts";
import * as lists from "#shop/lists/service.ts";
import * as rates from "#shop/rates/service.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";
import { browserOf, prolongBrowserId } from "../request/session.ts";

/** Every page makes this call once, so a visit prolongs the life of a guest's cookie. */
export const readState = endpoint(contract.readState, async (ctx, { owner, visitor, jar }) => {
  const [customer, { count }, wishlist, compare, market] = await Promise.all([
    visitor.customerId ? customers.byId(ctx, visitor.customerId) : null,
    cart.read(ctx, owner),
    lists.ids(ctx, owner, "wishlist"),
    lists.ids(ctx, owner, "compare"),
    rates.market(ctx),
  ]);
  prolongBrowserId(ctx, jar);
  return done({
    me: customer && { name: customer.name },
    totalCoins: count,
    wishlist,
    compare,
    work: market.isOpen,
    ...(browserOf(ctx, jar) === null ? { cookie: "missing" as const } : {}),
  });
});

/** The version of the running build, which open pages compare with theirs. */
export const readBuild = (version: string): Endpoint => endpoint(contract.readBuild, async () => done({ version }));
