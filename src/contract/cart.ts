import * as z from "zod";
import { call } from "./call.ts";
import { fieldMessages } from "./fields.ts";
import { coinId, coinIdParam, limitData, roubles } from "./wire.ts";

const cartView = z.object({
  order: z.object({
    coins: z.array(
      z.object({
        id: coinId,
        count: z.int(),
        price: roubles.nullable(),
        sum: roubles.nullable(),
        /** Pieces available now. */
        available: z.int(),
        inStock: z.boolean(),
      }),
    ),
    totalPrice: roubles,
  }),
  totalCoins: z.int(),
});
/** Prices in roubles; null while the rates are too old. `totalCoins` is the sum of the counts. */
export type CartView = z.output<typeof cartView>;

const quantity = z.int(fieldMessages.quantity).min(0, fieldMessages.quantity).max(999, fieldMessages.quantity);

export const readCart = call({
  method: "GET",
  path: "/api/cart",
  summary: "The cart of this browser or customer",
  changes: false,
  asker: "visitor",
  rateLimit: "request",
  answer: cartView,
  problems: [],
});

export const setQuantity = call({
  method: "PATCH",
  path: "/api/cart/{id}",
  summary: "Sets how many pieces of a coin lie in the cart; 0 takes it out",
  changes: true,
  asker: "visitor",
  rateLimit: "write",
  params: z.object({ id: coinIdParam }),
  badParams: "product.not_found",
  body: z.strictObject({ quantity }),
  answer: cartView,
  problems: ["product.not_found", "cart.stock_short", "cart.limit", "cart.full"],
  refusalData: { "cart.stock_short": z.object({ available: z.int() }), "cart.limit": limitData, "cart.full": limitData },
});

export const removeLines = call({
  method: "DELETE",
  path: "/api/cart",
  summary: "Takes coins out of the cart; ids that are not in it are ignored",
  changes: true,
  asker: "visitor",
  rateLimit: "write",
  body: z.strictObject({ productIds: z.array(coinId, fieldMessages.required).max(1000) }),
  answer: cartView,
  problems: [],
});

export const clearCart = call({
  method: "POST",
  path: "/api/cart/clear",
  summary: "Empties the cart",
  changes: true,
  isLegacyGet: true,
  asker: "visitor",
  rateLimit: "write",
  answer: cartView,
  problems: [],
});
