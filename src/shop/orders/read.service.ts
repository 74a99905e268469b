import type { Db, Expression, IdQuery } from "#kit/db.ts";
import { maskEmail, maskName, maskText } from "#kit/text/mask.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import * as shipping from "#shop/delivery/shipping.service.ts";
import type { Shipment } from "#shop/delivery/shipment.ts";
import { methodById, type Payment } from "#shop/payment/payment.ts";
import * as payment from "#shop/payment/service.ts";
import { ordersPageSize, paymentStatus, type Order, type Viewer } from "./order.ts";
import * as rows from "./repository.ts";
import type { CustomerOrderCursor } from "./repository.ts";
import type { StoredOrder } from "./stored-order.repository.ts";
import { insuredValue } from "./parcel/seal.ts";
import type { Recipient } from "./snapshot.ts";

/** The key in the link of an order. It is derived from the id and not stored, so it cannot be stolen from the database. */
export const keyOf = (ctx: Ctx, orderId: string): string => ctx.secrets.sign("order-key", orderId);

/** Whether a guest's key belongs to this order; true for a customer, whose ownership the SQL checks. */
export const hasAccess = (ctx: Ctx, orderId: string, viewer: Viewer): boolean =>
  "customerId" in viewer || ctx.secrets.isSigned("order-key", orderId, viewer.guestKey);

/** Whether the shop has ever taken an order. */
export const hasAny = (db: Db): Promise<boolean> => rows.hasAny(db);

/** The recipients of these orders by order id. Checks no rights. */
export async function recipients(db: Db, orderIds: readonly string[]): Promise<Map<string, Recipient>> {
  const found = new Map<string, Recipient>();
  for (let at = 0; at < orderIds.length; at += atOnce)
    for (const [id, user] of await rows.recipients(db, orderIds.slice(at, at + atOnce))) found.set(id, user);
  return found;
}

/** The ids of the orders with one of these mailboxes, in lower case, as a condition of another query. */
export const idsOfMailboxes = (mailboxes: readonly string[]): IdQuery => rows.idsOfMailboxes(mailboxes);

/** `id` and `mailbox`, in lower case, of all orders, as a table of another query. */
export const allMailboxes = (): Expression => rows.allMailboxes();

/** Ids per query: PostgreSQL limits the number of parameters. */
const atOnce = 10_000;

/** The customer's own orders, newest first. */
export const list = async (ctx: Ctx, customerId: string): Promise<Order[]> =>
  withPayments(ctx, customerId, await rows.ofCustomer(ctx.db, customerId));

/** A numbered page of the customer's own orders, newest first, and how many there are; past the last page it is empty. */
export async function numberedPage(
  ctx: Ctx,
  customerId: string,
  page: number,
  size: number = ordersPageSize,
): Promise<{ items: Order[]; total: number; pages: number }> {
  const [found, total] = await Promise.all([
    rows.someOfCustomer(ctx.db, customerId, { limit: size, offset: (page - 1) * size }),
    rows.countOfCustomer(ctx.db, customerId),
  ]);
  return { items: await withPayments(ctx, customerId, found), total, pages: Math.ceil(total / size) };
}

/** A page of a customer's orders, newest first; `after`: the last order of the page before. */
export async function listPage(
  ctx: Ctx,
  customerId: string,
  after: CustomerOrderCursor | null,
  limit: number = ordersPageSize,
): Promise<{ items: Order[]; next: CustomerOrderCursor | null }> {
  const found = await rows.pageOfCustomer(ctx.db, customerId, after, limit + 1);
  const items = await withPayments(ctx, customerId, found.slice(0, limit));
  const last = items.at(-1);
  return { items, next: last && found.length > limit ? { createdAt: last.createdAt, number: last.number } : null };
}

async function withPayments(ctx: Ctx, customerId: string, found: readonly StoredOrder[]): Promise<Order[]> {
  const ids = found.map((order) => order.id);
  const [attempts, parcels] = await Promise.all([payment.ofOrders(ctx.db, ids), shipping.shipments(ctx.db, ids)]);
  return found.map((order) =>
    maskRecipient(
      { customerId },
      composeOrder(
        order,
        attempts.get(order.id) ?? [],
        parcels.find((each) => each.orderId === order.id),
      ),
    ),
  );
}

/** The id of the order that staff names by its number, or by its id, which is returned unchecked; null: no order has this number. */
export const idOf = async (ctx: Ctx, idOrNumber: string): Promise<string | null> =>
  /^\d{1,7}$/.test(idOrNumber) ? rows.idByNumber(ctx.db, Number(idOrNumber)) : idOrNumber;

/** The viewer's order; null when it does not exist, belongs to another customer, or the guest's key is wrong or older than 30 days. */
export async function find(ctx: Ctx, orderId: string, viewer: Viewer): Promise<Order | null> {
  if (!hasAccess(ctx, orderId, viewer)) return null;
  const found = await rows.find(ctx.db, orderId, viewer, ctx.now());
  return found && maskRecipient(viewer, await loadFullOrder(ctx.db, found));
}

/**
 * The phone of a guest's order, with which its buyer signs in; null for every other browser that has the link, which sees the phone masked.
 */
export async function phoneToSignIn(
  ctx: Ctx,
  { orderId, guestKey, browser }: { orderId: string; guestKey: string; browser: OwnerKey | null },
): Promise<string | null> {
  if (browser === null || !hasAccess(ctx, orderId, { guestKey })) return null;
  const found = await rows.find(ctx.db, orderId, { guestKey }, ctx.now());
  return found?.owner === browser ? found.user.phone : null;
}

/** Masks the recipient of an order that the customer claimed by phone only; any other order is returned unchanged. */
export function maskRecipient(viewer: Viewer, order: Order): Order {
  if (!("customerId" in viewer) || !order.isRecipientHidden) return order;
  const { user, address } = order;
  return {
    ...order,
    user: {
      name: maskName(user.name),
      lastName: maskName(user.lastName),
      secondName: maskName(user.secondName),
      email: maskEmail(user.email),
      phone: user.phone,
    },
    address: address && {
      city: address.city,
      street: maskText(address.street),
      house: maskText(address.house),
      room: maskText(address.room),
      entrance: maskText(address.entrance),
      floor: maskText(address.floor),
      message: maskText(address.message),
    },
  };
}

/**
 * The order to which this one adds coins, and those that add to it, as far as this viewer of the order may open them: a customer its own, a
 * guest with the key of each, because staff made them for the same recipient.
 */
export async function linkedOrders(
  ctx: Ctx,
  order: Pick<Order, "id" | "linkedOrderId">,
  viewer: Viewer,
): Promise<{ id: string; number: number; key: string | null }[]> {
  const found = await rows.linked(ctx.db, order);
  const own = "customerId" in viewer ? viewer.customerId : null;
  return found
    .filter(({ customerId }) => customerId === own)
    .map(({ id, number }) => ({ id, number, key: own === null ? keyOf(ctx, id) : null }));
}

/** The owner's newest order that can still be paid online, with the key of its link for a guest; null: none. */
export async function waitingForPayment(ctx: Ctx, owner: OwnerKey): Promise<{ order: Order; key: string | null } | null> {
  const found = await rows.newestWaiting(ctx.db, owner, ctx.now());
  if (!found || methodById(found.paymentMethodId)?.isOnline !== true) return null;
  return { order: await loadFullOrder(ctx.db, found), key: found.customerId === null ? keyOf(ctx, found.id) : null };
}

/** Any order, for staff, jobs and the answer to a repeated call. Checks no rights. */
export async function byId(ctx: Ctx, orderId: string): Promise<Order | null> {
  const found = await rows.byId(ctx.db, orderId);
  return found && loadFullOrder(ctx.db, found);
}

/** Adds payment attempts and parcel to a stored order. */
export async function loadFullOrder(db: Db, order: StoredOrder): Promise<Order> {
  const [attempts, parcels] = await Promise.all([payment.ofOrder(db, order.id), shipping.shipments(db, [order.id])]);
  return composeOrder(order, attempts, parcels[0]);
}

/** Combines the stored order with its payment attempts and its parcel. */
export function composeOrder(order: StoredOrder, attempts: readonly Payment[], parcel?: Shipment): Order {
  const { deliveryId, deliveryPrice, deliverySnapshot: snapshot, paymentMethodId, paidAt, owner: _, ...rest } = order;
  return {
    ...rest,
    delivery: {
      ...snapshot,
      id: deliveryId,
      price: deliveryPrice,
      trackingNumber: parcel?.trackingNumber ?? null,
      parcel: parcel ?? null,
      insuredValue: insuredValue(order),
    },
    payment: { methodId: paymentMethodId, status: paymentStatus(order, attempts), paidAt },
  };
}
