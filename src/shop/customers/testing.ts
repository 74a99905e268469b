import { inTransaction, pipeline } from "#kit/db.ts";
import type { Ctx } from "../context.ts";
import type { Customer } from "./customer.ts";
import * as customers from "./service.ts";

/** Registers a customer with this phone as signing in does; `isNew` if there was none. */
export function signUp(ctx: Ctx, phone: string): Promise<{ customer: Customer; isNew: boolean }> {
  return inTransaction(ctx.db, async (tx) => {
    const [found] = await pipeline([customers.findOrCreateByPhoneBatch(tx, ctx, phone)]);
    return found;
  });
}
