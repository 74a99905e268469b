import { inTransaction, type Tx } from "#kit/db.ts";
import { maskPhone } from "#kit/text/mask.ts";
import { days, plus } from "#kit/time.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import type { Customer } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import type { Order } from "../order.ts";
import { hasAccess } from "../read.service.ts";
import * as rows from "../repository.ts";
import * as accountRows from "./accounts.repository.ts";
import type { StoredOrder } from "../stored-order.repository.ts";

/**
 * Moves a guest's order into the account of a customer who has the key of its link and whose confirmed phone is the order's.
 * Missing names and e-mail of the profile are copied from the order. Idempotent. In every other case nothing changes and it returns false.
 */
export async function claim(ctx: Ctx, request: { orderId: string; guestKey: string; customerId: string }): Promise<boolean> {
  const viewer = { guestKey: request.guestKey };
  if (!hasAccess(ctx, request.orderId, viewer)) return false;
  return inTransaction(ctx.db, async (tx) => {
    const customer = await customers.lock(tx, request.customerId);
    const order = customer && (await rows.lock(tx, request.orderId, { viewer, now: ctx.now() }));
    if (!order) return false;
    if (order.customerId === customer.id) {
      if (order.isRecipientHidden) await rows.save(tx, order.id, { recipientHidden: false });
      return true;
    }
    if (order.customerId !== null || order.user.phone !== customer.phone) return false;
    await attach(tx, order, customer, { isRecipientHidden: false });
    return true;
  });
}

/** A guest's order that an account can claim, without data of its recipient. */
export type ClaimableOrder = Pick<Order, "number" | "createdAt" | "state" | "total"> & { pieces: number };

/** The customer, when the code of this session was entered, and the browser. */
type Claimant = { customerId: string; signedInAt: Date | null; browser: OwnerKey | null };

/**
 * Guests' orders with the customer's phone, newest first. Only those younger than `claimDays` and made before the code of this session was
 * entered, which proves that the customer had the phone after the order. So an old session of a reassigned number does not find orders of
 * its new owner, and the new owner does not find old orders.
 */
export async function claimable(ctx: Ctx, claimant: Claimant): Promise<ClaimableOrder[]> {
  const customer = await customers.byId(ctx, claimant.customerId);
  return (customer ? await ofPhone(ctx, customer, claimant) : []).map(toClaimable);
}

const toClaimable = ({ number, createdAt, state, total, lines }: StoredOrder): ClaimableOrder => ({
  number,
  createdAt,
  state,
  total,
  pieces: lines.reduce((sum, line) => sum + line.quantity, 0),
});

/**
 * Guests' orders of the last `claimDays` made in this browser with another phone, which is masked. This account cannot claim them: the
 * phone decides who owns the order, and a browser may be shared.
 */
export async function ofOtherPhones(ctx: Ctx, { customerId, browser }: Claimant): Promise<(ClaimableOrder & { phone: string })[]> {
  const customer = browser === null ? null : await customers.byId(ctx, customerId);
  if (!customer || browser === null) return [];
  const after = plus(ctx.now(), -days(ctx.settings.limits.claimDays));
  const found = await accountRows.ofGuestBrowser(ctx.db, { owner: browser, otherThan: customer.phone, after });
  return found.map((order) => ({ ...toClaimable(order), phone: maskPhone(order.user.phone) }));
}

/**
 * Moves all orders of `claimable` into the account and returns their numbers. Idempotent, also when run twice at once: each order goes
 * into one account, once. The recipient stays masked unless the order was made in this browser or has the account's e-mail; only then name
 * and e-mail are copied to the profile.
 */
export async function claimAll(ctx: Ctx, claimant: Claimant): Promise<number[]> {
  const known = await customers.byId(ctx, claimant.customerId);
  const claimed: number[] = [];
  for (const { id } of known ? await ofPhone(ctx, known, claimant) : []) {
    const number = await inTransaction(ctx.db, async (tx) => {
      const customer = await customers.lock(tx, claimant.customerId);
      const order = customer && (await rows.lock(tx, id));
      if (!order || order.customerId !== null || order.user.phone !== customer.phone) return null;
      const isOwn =
        order.owner === claimant.browser || (customer.email !== "" && customer.email.toLowerCase() === order.user.email.toLowerCase());
      await attach(tx, order, customer, { isRecipientHidden: !isOwn });
      return order.number;
    });
    if (number === null) continue;
    claimed.push(number);
    ctx.log.info({ event: "order.claimed", orderId: id });
  }
  return claimed;
}

const ofPhone = async (ctx: Ctx, { phone }: Customer, { signedInAt }: Claimant): Promise<StoredOrder[]> =>
  signedInAt === null
    ? []
    : accountRows.ofGuests(ctx.db, { phone, after: plus(ctx.now(), -days(ctx.settings.limits.claimDays)), before: signedInAt });

/**
 * Only for a locked order of a locked customer. The account is locked before the order, as in its deletion, so that no order goes to a
 * deleted account.
 */
async function attach(
  tx: Tx,
  order: StoredOrder,
  customer: Customer,
  { isRecipientHidden }: { isRecipientHidden: boolean },
): Promise<void> {
  await rows.save(tx, order.id, { customerId: customer.id, forgetAt: null, recipientHidden: isRecipientHidden });
  if (isRecipientHidden) return;
  await customers.adoptConsents(tx, order.id, customer.id);
  await customers.rememberFromOrder(tx, customer.id, order.user, {});
}
