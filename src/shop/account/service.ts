import { inTransaction } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import * as alerts from "#shop/alerts/service.ts";
import type { AlertView } from "#shop/alerts/alert.ts";
import * as auth from "#shop/auth/service.ts";
import type { SignedInDevice } from "#shop/auth/sign-in.ts";
import * as cart from "#shop/cart/service.ts";
import { deleteEntries } from "#shop/checkout/entries/entries.service.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import type { Customer, CustomerPatch } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import * as lists from "#shop/lists/service.ts";
import * as notifications from "#shop/notifications/service.ts";
import type { Order } from "#shop/orders/order.ts";
import * as orders from "#shop/orders/service.ts";
import type { AccountError } from "./account.ts";

/** Who asks: the customer, and when the code of the present session was entered. */
type Asker = { customerId: string; signedInAt: Date | null };

/**
 * Changes what the patch names of a profile. An e-mail that stands there already is where the shop would warn its owner,
 * so another one takes its place only soon after a code (threat A9): else `account.code_needed`, and nothing is changed.
 */
export async function changeProfile(
  ctx: Ctx,
  { customerId, signedInAt }: Asker,
  patch: CustomerPatch,
): Promise<Result<Customer, AccountError>> {
  if (await wantsCode(ctx, customerId, patch.email, signedInAt)) return fail({ code: "account.code_needed" });
  return done(await customers.update(ctx, customerId, patch));
}

/** The last step of signing up, by the same rule; see `customers.completeProfile`. */
export async function completeProfile(
  ctx: Ctx,
  { customerId, signedInAt }: Asker,
  profile: { name: string; email: string },
): Promise<Result<Customer, AccountError>> {
  if (await wantsCode(ctx, customerId, profile.email.trim(), signedInAt)) return fail({ code: "account.code_needed" });
  return done(await customers.completeProfile(ctx, customerId, profile));
}

async function wantsCode(ctx: Ctx, customerId: string, email: string | undefined, signedInAt: Date | null): Promise<boolean> {
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
};

/** Everything the shop keeps under this account (152-FZ, article 14); null when there is none. */
export async function everythingOf(ctx: Ctx, customerId: string): Promise<AccountExport | null> {
  const customer = await customers.byId(ctx, customerId);
  if (!customer) return null;
  const owner: OwnerKey = `customer:${customerId}`;
  const [consents, placed, wishlist, compare, { lines }, watched, devices] = await Promise.all([
    customers.consentsOf(ctx, customerId),
    orders.list(ctx, customerId),
    lists.ids(ctx, owner, "wishlist"),
    lists.ids(ctx, owner, "compare"),
    cart.read(ctx, owner),
    alerts.listOf(ctx, customerId),
    auth.devices(ctx, customerId),
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
  };
}

/**
 * Deletes an account for good, in one transaction: sessions, known browsers, cart, lists, alerts, name, phone, e-mail and addresses.
 * Orders stay for the books and are anonymised when their legal term is over; consents stay as proof, without a name beside them.
 * The old e-mail is told. Safe to repeat.
 *
 * Refuses with `account.orders_open`, and with `account.code_needed` unless a code was entered within the last ten minutes. Open orders
 * are looked at first, so that no code is sent for a deletion that is not possible.
 */
export async function erase(ctx: Ctx, { customerId, signedInAt }: Asker): Promise<Result<true, AccountError>> {
  const customer = await customers.byId(ctx, customerId);
  if (customer && (await orders.hasOpenOrders(ctx.db, customerId))) return fail({ code: "account.orders_open" });
  if (!auth.isFresh(ctx, signedInAt)) return fail({ code: "account.code_needed" });
  if (!customer) return done(true);
  const owner: OwnerKey = `customer:${customerId}`;
  return inTransaction(ctx.db, async (tx) => {
    await auth.holdPhone(tx, customer.phone);
    await customers.lock(tx, customerId); // no guest's order is being taken into it beside this
    const held = await cart.lock(tx, owner); // no order is being placed beside this
    if (await orders.hasOpenOrders(tx, customerId)) return fail({ code: "account.orders_open" });
    await cart.removeLines(tx, owner, held?.lines.map(({ coinId }) => coinId) ?? [], ctx.now());
    await deleteEntries({ db: tx }, owner);
    await lists.forget(tx, owner);
    await alerts.forget(tx, customerId);
    await orders.scheduleAnonymisation(tx, ctx, customerId);
    await notifications.tellOfAccount(tx, ctx, {
      kind: "account_deleted",
      about: `account:${customerId}`,
      email: customer.email,
      at: ctx.now(),
    });
    await auth.forget(tx, customer);
    await customers.erase(tx, customerId, ctx.now());
    ctx.log.info({ event: "account.erased" });
    return done(true);
  });
}
