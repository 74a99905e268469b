import { inTransaction } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import * as customers from "#shop/customers/service.ts";
import { mayAsk } from "./read.service.ts";
import * as rows from "./repository.ts";

/**
 * Puts a guest's order into the account of a customer who holds the key of its link and whose phone, proved by signing in, is the order's.
 * What the profile lacks of name and e-mail it takes from the order. Safe to repeat; everything else changes nothing and answers false.
 */
export async function claim(ctx: Ctx, ask: { orderId: string; guestKey: string; customerId: string }): Promise<boolean> {
  const viewer = { guestKey: ask.guestKey };
  if (!mayAsk(ctx, ask.orderId, viewer)) return false;
  const customer = await customers.byId(ctx, ask.customerId);
  if (!customer) return false;
  return inTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, ask.orderId, { viewer, now: ctx.now() });
    if (order?.customerId === customer.id) return true;
    if (!order || order.customerId !== null || order.user.phone !== customer.phone) return false;
    await rows.save(tx, order.id, { customerId: customer.id, forgetAt: null });
    await customers.adoptConsents(tx, order.id, customer.id);
    await customers.rememberFromOrder(tx, customer.id, order.user, {});
    return true;
  });
}
