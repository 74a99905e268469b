import { inTransaction, type Db, type Tx } from "#kit/db.ts";
import type { Ctx } from "#shop/context.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import * as payment from "#shop/payment/service.ts";
import * as rows from "../repository.ts";
import * as accountRows from "./accounts.repository.ts";
import { deleteComments } from "../staff/notes.repository.ts";

/** Whether this account has orders that are still to be paid, packed or handed over. */
export const hasOpenOrders = async (db: Db, customerId: string): Promise<boolean> => (await accountRows.countOpen(db, customerId)) > 0;

/** Schedules the anonymisation of a deleted account's orders after the legal term; until then accounting needs them. */
export const scheduleAnonymisation = (tx: Tx, ctx: Ctx, customerId: string): Promise<void> =>
  accountRows.setForgetAt(tx, customerId, ctx.settings.limits.orderPersonalDays);

const batchSize = 200;

/** Erases name, phone, e-mail and address from orders whose legal term is over, and from their payments and shipments. For the sweep. */
export async function anonymiseDue(ctx: Ctx): Promise<void> {
  for (const id of await accountRows.dueForAnonymisation(ctx.db, ctx.now(), batchSize)) {
    await inTransaction(ctx.db, async (tx) => {
      await rows.lock(tx, id);
      await payment.erasePersonalData(tx, id);
      await shipping.eraseRecipient(tx, id);
      await deleteComments(tx, id);
      await accountRows.anonymise(tx, id);
    });
  }
}
