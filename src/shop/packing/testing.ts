import { seconds } from "#kit/time.ts";
import { aVisitor, byPoint, type ShopToBuy } from "#shop/checkout/testing.ts";
import type { QuoteRequest } from "#shop/checkout/quote.ts";
import type { Order } from "#shop/orders/order.ts";
import * as payment from "#shop/payment/service.ts";

let people = 0;

/** A paid order that waits to be packed. */
export async function aPaidOrder(shop: ShopToBuy, content: Record<number, number>, request: QuoteRequest = byPoint): Promise<Order> {
  people += 1;
  const order = await shop.ordered(aVisitor(`packing-${people}`), content, request);
  await shop.pay(order);
  shop.provider.pay(order.id);
  shop.clock.advance(seconds(3));
  await payment.checkOrder(shop.ctx, order.id);
  await shop.work();
  return shop.now(order);
}
