import { aVisitor, byPoint, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { QuoteRequest } from "#shop/checkout/quote.ts";
import type { Order } from "#shop/orders/order.ts";

let people = 0;

/** A paid order that waits to be packed. */
export async function aPaidOrder(shop: ShopToBuy, content: Record<number, number>, request: QuoteRequest = byPoint): Promise<Order> {
  people += 1;
  const order = await shop.ordered(aVisitor(`packing-${people}`), content, request);
  return shop.paid(order);
}
