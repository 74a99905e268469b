import * as z from "zod";
import { call } from "../call.ts";
import { cardSchema } from "./catalog.ts";
import { coinId, coinIdParam, limitData } from "../wire.ts";

const ids = z.array(coinId);
const cards = z.array(cardSchema);
const oneCoin = { params: z.object({ id: coinIdParam }), badParams: "product.not_found" } as const;
const change = { changes: true, asker: "visitor", rateLimit: "write" } as const;

export const readWishlist = call({
  method: "GET",
  path: "/api/wishlist",
  summary: "Ids of the wishlist, newest first",
  changes: false,
  asker: "visitor",
  rateLimit: "request",
  answer: ids,
  problems: [],
});
export const addToWishlist = call({
  method: "POST",
  path: "/api/wishlist/{id}",
  summary: "Adds a coin to the wishlist; repeating it changes nothing",
  ...change,
  ...oneCoin,
  answer: ids,
  problems: ["product.not_found", "wishlist.full"],
  refusalData: { "wishlist.full": limitData },
});
export const removeFromWishlist = call({
  method: "DELETE",
  path: "/api/wishlist/{id}",
  summary: "Takes a coin off the wishlist; repeating it changes nothing",
  ...change,
  ...oneCoin,
  answer: ids,
  problems: ["product.not_found"],
});
export const clearWishlist = call({
  method: "POST",
  path: "/api/wishlist/clear",
  summary: "Empties the wishlist",
  ...change,
  isLegacyGet: true,
  answer: ids,
  problems: [],
});

export const readCompare = call({
  method: "GET",
  path: "/api/compare",
  summary: "Cards of the coins to compare, newest first",
  changes: false,
  asker: "visitor",
  rateLimit: "request",
  answer: cards,
  problems: [],
});
export const addToCompare = call({
  method: "POST",
  path: "/api/compare/{id}",
  summary: "Adds a coin to the comparison; repeating it changes nothing",
  ...change,
  ...oneCoin,
  answer: cards,
  problems: ["product.not_found", "compare.full"],
  refusalData: { "compare.full": limitData },
});
export const removeFromCompare = call({
  method: "DELETE",
  path: "/api/compare/{id}",
  summary: "Takes a coin out of the comparison; repeating it changes nothing",
  ...change,
  ...oneCoin,
  answer: cards,
  problems: ["product.not_found"],
});
export const clearCompare = call({
  method: "POST",
  path: "/api/compare/clear",
  summary: "Empties the comparison",
  ...change,
  isLegacyGet: true,
  answer: cards,
  problems: [],
});
