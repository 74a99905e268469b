import { orderStatusTexts } from "#contract/texts.ru.ts";
import type { Ctx, Visitor } from "#shop/context.ts";
import * as orders from "#shop/orders/service.ts";
import type { FoundOrder } from "./claim-offer.tsx";

export async function foundOrders(ctx: Ctx, { customerId, signedInAt, browser }: Visitor): Promise<FoundOrder[]> {
  if (customerId === null) return [];
  const found = await orders.claimable(ctx, { customerId, signedInAt, browser });
  return found.map(({ number, createdAt, state, pieces, total }) => ({
    number,
    createdAt,
    status: orderStatusTexts[state],
    count: pieces,
    total,
  }));
}
