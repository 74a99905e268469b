import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "#kit/db.ts";
import { actorText } from "#shop/actor.ts";
import type { Ctx } from "#shop/context.ts";
import { orderSeals } from "../tables.ts";

/**
 * Only for a locked order: stores its current seal. The order may use a number again that it had before. Returns the id of the order that
 * owns the number; if that is another order, nothing changes.
 */
export async function setSeal(tx: Tx, { actor }: Pick<Ctx, "actor">, orderId: string, number: string, at: Date): Promise<string> {
  const entry = { sealedAt: at, actor: actorText(actor) };
  await tx
    .insert(orderSeals)
    .values({ number, orderId, ...entry, removedAt: at })
    .onConflictDoNothing();
  const [known] = await tx.select({ orderId: orderSeals.orderId }).from(orderSeals).where(eq(orderSeals.number, number));
  if (known && known.orderId !== orderId) return known.orderId;
  await removeSeal(tx, orderId, at);
  await tx
    .update(orderSeals)
    .set({ ...entry, removedAt: null })
    .where(eq(orderSeals.number, number));
  return orderId;
}

/** Only for a locked order: marks its seal as removed, because the bag was opened or gets another seal. */
export async function removeSeal(tx: Tx, orderId: string, at: Date): Promise<void> {
  await tx
    .update(orderSeals)
    .set({ removedAt: at })
    .where(and(eq(orderSeals.orderId, orderId), isNull(orderSeals.removedAt)));
}
