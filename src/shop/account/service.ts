import { inTransaction } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import * as alerts from "#shop/alerts/service.ts";
import type { AlertView } from "#shop/alerts/alert.ts";
import * as auth from "#shop/auth/service.ts";
import type { SignedInDevice } from "#shop/auth/sign-in.ts";
import * as cart from "#shop/cart/service.ts";
import type { CheckoutEntries } from "#shop/checkout/entries/entries.ts";
import { deleteEntries, readEntries } from "#shop/checkout/entries/entries.service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import type { Customer, CustomerPatch } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import * as lists from "#shop/lists/service.ts";
import * as notifications from "#shop/notifications/service.ts";
import type { Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import type { AccountError } from "./account.ts";

/** The customer, and when the code of the current session was entered. */
type SignedInCustomer = { customerId: string; signedInAt: Date | null };

/**
 * Changes the given fields of a profile. An existing e-mail receives security letters, so it may be replaced only soon after a code:
 * otherwise refuses with `account.code_needed` and changes nothing.
 */
export async function changeProfile(
  ctx: Ctx,
  { customerId, signedInAt }: SignedInCustomer,
  patch: CustomerPatch,
): Promise<Result<Customer, AccountError>> {
  if (await needsCode(ctx, customerId, patch.email, signedInAt)) return fail({ code: "account.code_needed" });
  return done(await customers.update(ctx, customerId, patch));
}

/** The last step of signing up, with the same rule for the e-mail; see `customers.completeProfile`. */
export async function completeProfile(
  ctx: Ctx,
  { customerId, signedInAt }: SignedInCustomer,
  profile: { name: string; email: string },
): Promise<Result<Customer, AccountError>> {
  if (await needsCode(ctx, customerId, profile.email.trim(), signedInAt)) return fail({ code: "account.code_needed" });
  return done(await customers.completeProfile(ctx, customerId, profile));
}

async function needsCode(ctx: Ctx, customerId: string, email: string | undefined, signedInAt: Date | null): Promise<boolean> {
  if (email === undefined || auth.isFresh(ctx, signedInAt)) return false;
  const present = (await customers.byId(ctx, customerId))?.email ?? "";
  return present !== "" && present !== email;
}

export type AccountExport = {
  customer: Customer;
  consents: { purpose: string; textVersion: string; at: Date; withdrawnAt: Date | null }[];
  orders: Order[];
  wishlist: number[];
  compare: number[];
  cart: { coinId: number; quantity: number }[];
  alerts: AlertView[];
  devices: SignedInDevice[];
  /** What was entered in a checkout without scripts that is not finished; null: nothing. */
  checkout: CheckoutEntries | null;
};

/** All data that the shop stores about this account (152-FZ, article 14); null when there is no account. */
export async function exportData(ctx: Ctx, customerId: string): Promise<AccountExport | null> {
  const customer = await customers.byId(ctx, customerId);
  if (!customer) return null;
  const owner: OwnerKey = `customer:${customerId}`;
  const [consents, placed, wishlist, compare, { lines }, watched, devices, entries] = await Promise.all([
    customers.consentsOf(ctx, customerId),
    orders.list(ctx, customerId),
    lists.storedIds(ctx, owner, "wishlist"),
    lists.storedIds(ctx, owner, "compare"),
    cart.read(ctx, owner),
    alerts.listOf(ctx, customerId),
    auth.devices(ctx, customerId),
    readEntries(ctx, owner),
  ]);
  return {
    customer,
    consents,
    orders: placed,
    wishlist,
    compare,
    cart: lines.map(({ coinId, quantity }) => ({ coinId, quantity })),
    alerts: watched,
    devices,
    checkout: Object.keys(entries).length > 0 ? entries : null,
  };
}

/**
 * Deletes an account in one transaction: sessions, known devices, cart, lists, alerts, name, phone, e-mail and addresses.
 * Orders are kept and anonymised after the legal retention period; consents are kept as proof, without a name.
 * The old e-mail is notified. Idempotent.
 *
 * Refuses with `account.orders_open`, and with `account.code_needed` unless a code was entered within the last ten minutes. Open orders
 * are checked first, so that no code is sent for a deletion that is not possible.
 */
export async function erase(ctx: Ctx, { customerId, signedInAt }: SignedInCustomer): Promise<Result<true, AccountError>> {
  const customer = await customers.byId(ctx, customerId);
  if (customer && (await orders.hasOpenOrders(ctx.db, customerId))) return fail({ code: "account.orders_open" });
  if (!auth.isFresh(ctx, signedInAt)) return fail({ code: "account.code_needed" });
  return customer ? eraseCustomer(ctx, customer) : done(true);
}

/**
 * Deletes an account for its customer, who asked staff for it (152-FZ, article 21). The same as `erase`, without the customer's code.
 * Refuses with `account.orders_open`, and with `customer.not_found` when there is no such account any more.
 */
export async function eraseByStaff(
  ctx: Ctx,
  customerId: string,
): Promise<Result<true, { code: "account.orders_open" | "customer.not_found" }>> {
  const customer = await customers.byId(ctx, customerId);
  return customer ? eraseCustomer(ctx, customer) : fail({ code: "customer.not_found" });
}

function eraseCustomer(ctx: Ctx, customer: Customer): Promise<Result<true, { code: "account.orders_open" }>> {
  const customerId = customer.id;
  const owner: OwnerKey = `customer:${customerId}`;
  return inTransaction(ctx.db, async (tx) => {
    await auth.lockPhone(tx, customer.phone);
    await customers.lock(tx, customerId); // blocks the adoption of a guest's order
    const contents = await cart.lock(tx, owner); // blocks the placing of an order
    if (await orders.hasOpenOrders(tx, customerId)) return fail({ code: "account.orders_open" });
    await cart.removeLines(tx, owner, contents?.lines.map(({ coinId }) => coinId) ?? [], ctx.now());
    await deleteEntries({ db: tx }, owner);
    await lists.deleteOf(tx, owner);
    await alerts.deleteOfCustomer(tx, customerId);
    await orders.scheduleAnonymisation(tx, ctx, customerId);
    await notifications.addAccountLetter(tx, ctx, {
      kind: "account_deleted",
      about: `account:${customerId}`,
      email: customer.email,
      at: ctx.now(),
    });
    await auth.eraseAccess(tx, customer);
    await customers.erase(tx, customerId, ctx.now());
    ctx.log.info({ event: "account.erased" });
    return done(true);
  });
}
