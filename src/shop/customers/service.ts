import { inTransaction, type QueryBatch, type Db, type Expression, type IdQuery, type Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import type { Ctx } from "#shop/context.ts";
import type { BuyProfile } from "./buy-profile.ts";
import {
  newsletterConsentVersion,
  splitFullName,
  type Consent,
  type Customer,
  type CustomerPatch,
  type FullName,
  type ActiveConsent,
} from "./customer.ts";
import * as rows from "./repository.ts";
import { deleteNotes } from "./staff/customer-list.repository.ts";

/** A customer by its id; null: there is none. */
export const byId = (ctx: Ctx, id: string): Promise<Customer | null> => rows.find(ctx.db, id);
/** Locks and returns the customer, so that it cannot be erased before the transaction ends. */
export async function lock(tx: Tx, id: string): Promise<Customer | null> {
  await rows.lockCustomer(tx, id);
  return rows.find(tx, id);
}

/** The same as a part of another module's round trip. */
export const byIdBatch = (db: Db, id: string): QueryBatch<Customer | null> => rows.findBatch(db, id);

/** `byPhone` as a part of another module's round trip. */
export const byPhoneBatch = (db: Db, phone: string): QueryBatch<Customer | null> => rows.findByPhoneBatch(db, phone);

/** The customer with this phone (`+7` and ten digits); null: there is none. */
export const byPhone = (db: Db, phone: string): Promise<Customer | null> => rows.findByPhone(db, phone);

/**
 * The customer with this phone (`+7` and ten digits), created if there was none (`isNew`).
 * Of concurrent calls only one creates the customer and returns `isNew`.
 */
export const findOrCreateByPhoneBatch = (tx: Tx, ctx: Ctx, phone: string): QueryBatch<{ customer: Customer; isNew: boolean }> =>
  rows.findOrCreateBatch(tx, randomId(), phone, ctx.now());

/**
 * Version of the text on the page `/consent/account`, which the first and the last step of registration link to (152-FZ requires the
 * proof).
 */
const registrationConsentVersion = "registration-2026-11-22";

/** Stores the consent that a new customer gave by requesting the code. */
export const recordRegistrationBatch = (tx: Tx, customerId: string, at: Date): QueryBatch<void> =>
  rows.addConsentBatch(tx, { customerId, orderId: null, purpose: "registration", textVersion: registrationConsentVersion, at });

/**
 * Last step of registration: sets the full name, split by `splitFullName`, and the e-mail. The form requires a consent, which is stored
 * too.
 */
export async function completeProfile(ctx: Ctx, id: string, { name, email }: { name: string; email: string }): Promise<Customer> {
  return inTransaction(ctx.db, async (tx) => {
    await rows.addConsent(tx, {
      customerId: id,
      orderId: null,
      purpose: "registration",
      textVersion: registrationConsentVersion,
      at: ctx.now(),
    });
    return update({ ...ctx, db: tx }, id, { ...splitFullName(name), email: email.trim() });
  });
}

/** Changes only the fields of the patch; of the buy profile, only its parts. The phone cannot be changed. */
export async function update(ctx: Ctx, id: string, patch: CustomerPatch): Promise<Customer> {
  const customer = Object.keys(patch).length > 0 ? await rows.patch(ctx.db, id, patch) : await rows.find(ctx.db, id);
  if (!customer) throw new Error(`customer ${id} is gone`);
  return customer;
}

/**
 * Stores an order's address, point and city for the customer's next checkout, and its name and e-mail if the profile has none. Existing
 * values are kept, because the recipient of a parcel may be another person.
 */
export const rememberFromOrder = (tx: Tx, id: string, recipient: FullName & { email: string }, buyProfile: BuyProfile): Promise<void> =>
  rows.fillGaps(tx, id, recipient, buyProfile);

/**
 * Stores what an order says about its buyer, in the transaction that places it: the consent of the order form, the newsletter consent if
 * given, and for a customer what `rememberFromOrder` stores.
 */
export function recordOrderBatch(
  tx: Tx,
  ctx: Ctx,
  order: {
    orderId: string;
    customerId: string | null;
    consentVersion: string;
    wantsNewsletter: boolean;
    recipient: FullName & { email: string };
    buyProfile: BuyProfile;
  },
): QueryBatch<void> {
  const { customerId, orderId } = order;
  const given = { customerId, orderId, at: ctx.now() };
  return rows.recordOrderBatch(tx, {
    consent: { ...given, purpose: "order", textVersion: order.consentVersion },
    newsletter: order.wantsNewsletter ? { ...given, purpose: "newsletter", textVersion: newsletterConsentVersion } : null,
    customer: customerId === null ? null : { id: customerId, known: order.recipient, buyProfile: order.buyProfile },
  });
}

/** Stores the proof of a consent, in the transaction of the change that requires it. */
export const recordConsent = (tx: Tx, consent: Consent): Promise<void> => rows.addConsent(tx, consent);

/** Erases name, e-mail, addresses and phone of an account; a new account may use the phone. The row stays for its orders and consents. */
export async function erase(tx: Tx, id: string, at: Date): Promise<void> {
  await rows.erase(tx, id, at);
  await deleteNotes(tx, id);
  await rows.withdrawConsent(tx, id, "newsletter", at);
}

/** The consents of a customer, given and withdrawn. */
export const consentsOf = (ctx: Ctx, id: string): ReturnType<typeof rows.consentsOf> => rows.consentsOf(ctx.db, id);

/** Assigns the consents of a guest's order to the customer who adopts the order. */
export const adoptConsents = (tx: Tx, orderId: string, customerId: string): Promise<void> => rows.adoptConsents(tx, orderId, customerId);

/** The customer's active consent to the newsletter; null when there is none. */
export const newsletter = (ctx: Ctx, id: string): Promise<ActiveConsent | null> => rows.activeConsent(ctx.db, id, "newsletter");

/** Subscribes a customer to the newsletter or unsubscribes it. Idempotent; a withdrawn consent stays as proof. */
export async function setNewsletter(ctx: Ctx, id: string, isWanted: boolean): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await rows.lockCustomer(tx, id);
    if (isWanted) await subscribe(tx, ctx, { customerId: id, orderId: null });
    else await rows.withdrawConsent(tx, id, "newsletter", ctx.now());
  });
}

export type { ConsentCursor, NewsletterConsent } from "./repository.ts";

/** Active newsletter consents, oldest first, with name and e-mail of the account; with an id, that one, active or not. */
export const newsletterConsents = (db: Db, id?: number): Promise<rows.NewsletterConsent[]> => rows.newsletterConsents(db, id);

/** A part of all newsletter consents, also withdrawn ones, oldest first, behind the cursor. */
export const nextNewsletterConsents = (db: Db, after: rows.ConsentCursor | null, limit: number): Promise<rows.NewsletterConsent[]> =>
  rows.nextNewsletterConsents(db, after, limit);

/**
 * Active newsletter consents whose mailbox begins with `beginning`, newest first, behind the cursor. `orderMailboxes`: `id` and `mailbox`
 * of the orders, for the consents of guests.
 */
export const activeNewsletters = (
  db: Db,
  of: { beginning: string; after: rows.ConsentCursor | null; orderMailboxes: Expression },
  limit: number,
): Promise<rows.NewsletterConsent[]> => rows.activeNewsletters(db, of, limit);

/** All newsletter consents of these mailboxes in lower case, of accounts and of the orders of guests, oldest first. */
export const newsletterConsentsOf = (
  db: Db,
  of: { mailboxes: readonly string[]; guestOrders: IdQuery },
): Promise<rows.NewsletterConsent[]> => rows.newsletterConsentsOf(db, of);

/** How many newsletter consents there are, withdrawn ones included. */
export const countNewsletterConsents = (db: Db): Promise<number> => rows.countNewsletterConsents(db);

/** Withdraws these consents; consents that are already withdrawn keep their date. */
export const withdrawNewsletters = (tx: Tx, ids: readonly number[], at: Date): Promise<void> => rows.withdrawConsents(tx, ids, at);

/** Stores a newsletter consent given with an order, also a guest's, in the order's transaction. */
export async function subscribe(
  tx: Tx,
  ctx: Ctx,
  { customerId, orderId }: { customerId: string | null; orderId: string | null },
): Promise<void> {
  await rows.addConsentOnce(tx, { customerId, orderId, purpose: "newsletter", textVersion: newsletterConsentVersion, at: ctx.now() });
}
