import * as z from "zod";
import { call } from "../call.ts";
import { fieldMessages } from "../fields.ts";
import { coinId, coinIdParam, limitData, requiredLine, roubles } from "../wire.ts";

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
  /** The code that was entered, and what it takes off; it is in the prices above. `message`: why it takes off nothing now. */
  promo: z.object({ code: z.string(), discount: roubles, message: z.string().optional() }).optional(),
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
  body: z.strictObject({ productIds: z.array(coinId, fieldMessages.required).max(1000, fieldMessages.wrong) }),
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

export const enterPromo = call({
  method: "POST",
  path: "/api/cart/promo",
  summary: "Enters a promo code, in place of an earlier one; one that does not fit the present cart stays and says why",
  changes: true,
  asker: "visitor",
  rateLimit: "promo",
  body: z.strictObject({ code: requiredLine(50) }),
  answer: cartView,
  problems: ["promo.unknown", "promo.ended", "promo.not_started", "promo.spent", "promo.spent_by_person"],
});

export const removePromo = call({
  method: "DELETE",
  path: "/api/cart/promo",
  summary: "Takes the promo code out of the cart",
  changes: true,
  asker: "visitor",
  rateLimit: "write",
  answer: cartView,
  problems: [],
});
