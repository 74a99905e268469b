import { inTransaction, type Db, type Tx } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import * as payment from "#shop/payment/service.ts";
import * as rows from "../repository.ts";

/** Whether anything of this account is still to be paid, packed or handed over. */
export const hasOpen = async (db: Db, customerId: string): Promise<boolean> => (await rows.countOpen(db, customerId)) > 0;

/** The account is being deleted: its orders stay for the books, and lose what names a person once the legal term is over. */
export const forgetLater = (tx: Tx, ctx: Ctx, customerId: string): Promise<void> =>
  rows.forgetAfter(tx, customerId, ctx.settings.limits.orderPersonalDays);

const atOnce = 200;

/** Takes name, phone, e-mail and address off the orders whose time has come, and off what was sent about them to bank and carrier. */
export async function forgetDue(ctx: Ctx): Promise<void> {
  for (const id of await rows.toForget(ctx.db, ctx.now(), atOnce)) {
    await inTransaction(ctx.db, async (tx) => {
      await rows.lock(tx, id);
      await payment.forgetBuyer(tx, id);
      await shipping.eraseRecipient(tx, id);
      await rows.anonymise(tx, id);
    });
  }
}
