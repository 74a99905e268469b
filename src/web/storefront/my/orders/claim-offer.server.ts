import { orderStatusTexts } from "#contract/texts.ru.ts";
import type { Ctx, Visitor } from "#shop/context.ts";
import * as orders from "#shop/orders/service.ts";
import type { FoundOrder, OtherPhonesOrder } from "./claim-offer.tsx";

export async function foundOrders(ctx: Ctx, { customerId, signedInAt, browser }: Visitor): Promise<FoundOrder[]> {
  if (customerId === null) return [];
  const found = await orders.claimable(ctx, { customerId, signedInAt, browser });
  return found.map(shown);
}

/** Orders of this browser that belong to an account with another phone. */
export async function ordersOfOtherPhones(ctx: Ctx, { customerId, signedInAt, browser }: Visitor): Promise<OtherPhonesOrder[]> {
  if (customerId === null) return [];
  const found = await orders.ofOtherPhones(ctx, { customerId, signedInAt, browser });
  return found.map(({ phone, ...order }) => ({ ...shown(order), phone }));
}

const shown = ({ number, createdAt, state, pieces, total }: orders.ClaimableOrder): FoundOrder => ({
  number,
  createdAt,
  status: orderStatusTexts[state],
  count: pieces,
  total,
});
