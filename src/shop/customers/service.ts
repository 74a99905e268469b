import type { Db, Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import type { Ctx } from "#shop/context.ts";
import type { BuyProfile } from "./buy-profile.ts";
import { splitFullName, type Consent, type Customer, type CustomerPatch } from "./customer.ts";
import * as rows from "./repository.ts";

export const byId = (ctx: Ctx, id: string): Promise<Customer | null> => rows.find(ctx.db, id);
export const byPhone = (db: Db, phone: string): Promise<Customer | null> => rows.findByPhone(db, phone);

/**
 * The customer with this phone (`+7` and ten digits), made if there was none; `isNew` then.
 * Two calls at once make one customer, and only one of them hears `isNew`.
 */
export async function findOrCreateByPhone(tx: Tx, ctx: Ctx, phone: string): Promise<{ customer: Customer; isNew: boolean }> {
  const known = await rows.findByPhone(tx, phone);
  if (known) return { customer: known, isNew: false };
  const made = await rows.create(tx, randomId(), phone, ctx.now());
  if (made) return { customer: made, isNew: true };
  const other = await rows.findByPhone(tx, phone);
  if (!other) throw new Error("a customer's phone is taken and not to be found");
  return { customer: other, isNew: false };
}

/** Last step of signing up: sets the whole name from a full name as it was typed (see `splitFullName`) and the e-mail. */
export const completeProfile = (ctx: Ctx, id: string, { name, email }: { name: string; email: string }): Promise<Customer> =>
  update(ctx, id, { ...splitFullName(name), email: email.trim() });

/** Changes what the patch names and nothing else; of the buy profile, the parts it names. The phone is no part of a patch. */
export async function update(ctx: Ctx, id: string, patch: CustomerPatch): Promise<Customer> {
  const customer = Object.keys(patch).length > 0 ? await rows.patch(ctx.db, id, patch) : await rows.find(ctx.db, id);
  if (!customer) throw new Error(`customer ${id} is gone`);
  return customer;
}

/** Remembers address, point and city of an order just made, for the next checkout. */
export async function saveBuyProfile(db: Db, id: string, buyProfile: BuyProfile): Promise<void> {
  await rows.patch(db, id, { buyProfile });
}

/** Keeps the proof of a consent, in the transaction of what it was given for. */
export const recordConsent = (tx: Tx, consent: Consent): Promise<void> => rows.addConsent(tx, consent);
