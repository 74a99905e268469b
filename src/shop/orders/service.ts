import { batch, inPipelinedTransaction, mapBatch, type QueryBatch, type Db, type Tx } from "#kit/db.ts";
import { fromRoubles, zero, type Kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { days, hours, minutes, plus } from "#kit/time.ts";
import type { Ctx, OwnerKey } from "#shop/context.ts";
import type { BuyProfile } from "#shop/customers/buy-profile.ts";
import type { Customer } from "#shop/customers/customer.ts";
import * as customers from "#shop/customers/service.ts";
import { cityFullName, type City } from "#shop/delivery/delivery.ts";
import { isPaidOnCollection, methodById } from "#shop/payment/payment.ts";
import * as stock from "#shop/stock/service.ts";
import type { StockError, StockLevels } from "#shop/stock/stock.ts";
import { cancelLocked } from "./cancel.service.ts";
import type { Order, OrderError, OrderLine, OrderPromo, Viewer } from "./order.ts";
import { hasAccess, maskRecipient, composeOrder, loadFullOrder } from "./read.service.ts";
import * as rows from "./repository.ts";
import * as unpaidRows from "./unpaid-limits/unpaid-limits.repository.ts";
import type { StoredOrder } from "./stored-order.repository.ts";
import { placedBatch } from "./messages/messages.service.ts";
import { invoiceDeadline } from "./transfers/transfer.service.ts";
import { openFirstAttempt } from "./payments/pay.service.ts";
import type { Placed } from "./payments/start-payment.service.ts";
import * as unpaidLimits from "./unpaid-limits/unpaid-limits.service.ts";
import type { Address, Recipient, DeliverySnapshot } from "./snapshot.ts";
import type { TrafficSource } from "./traffic-source.ts";

export { expireDue, hasDueForExpiry } from "./reservation/expire.service.ts";
export { remindDue } from "./reservation/remind.service.ts";
export { claim, claimable, claimAll, ofOtherPhones, type ClaimableOrder } from "./accounts/claim.service.ts";
export { anonymiseDue, scheduleAnonymisation, hasOpenOrders } from "./accounts/anonymise.service.ts";
export { refreshPayment, markPaid, recordRefund } from "./payments/settle.service.ts";
export { pay } from "./payments/pay.service.ts";
export {
  allMailboxes,
  byId,
  find,
  hasAny,
  idOf,
  idsOfMailboxes,
  keyOf,
  linkedOrders,
  list,
  listPage,
  numberedPage,
  phoneToSignIn,
  recipients,
  waitingForPayment,
} from "./read.service.ts";
export { followParcel, followRecall } from "./parcel/parcel.service.ts";
export { waiting, alarmOverdueReturns } from "./returns/returns.service.ts";
export { apply, pointFor, pointsFor, resendParcel } from "./staff.service.ts";
export { startPayment, type Placed } from "./payments/start-payment.service.ts";
export { payableOrders, processEntry, recordEntryFor } from "./transfers/statement.service.ts";
export {
  checkRefundTransfer,
  confirmRefundSent,
  recordRefundTransfer,
  retryRefund,
  type PaidByTransferError,
} from "./payments/waiting-refund.service.ts";

/** The numbers of these orders by id; unknown ids are left out. */
export const numbersOf = (db: Db, ids: readonly string[]): Promise<Map<string, number>> => rows.numbersByIds(db, ids);

/** The id of the order with this number; null: there is none. */
export const idOfNumber = async (db: Db, number: number): Promise<string | null> => (await rows.idsByNumbers(db, [number]))[0] ?? null;

/** What checkout hands over; amounts are those of the quote. */
export type OrderDraft = {
  id: string;
  /** From `nextNumber`. */
  number: number;
  owner: OwnerKey;
  customerId: string | null;
  quoteId: string;
  lines: OrderLine[];
  delivery: DeliverySnapshot & { id: number; price: Kopecks };
  paymentMethodId: number;
  total: Kopecks;
  priceListVersion: number;
  /** The promo code in the prices of the lines. */
  promo?: OrderPromo | null;
  user: Recipient;
  address: Address | null;
  /** The buyer also subscribed to the newsletter, which is a separate consent. */
  wantsNewsletter?: boolean;
  /** The client's network address, for limits only; null: unknown. */
  clientAddress: string | null;
  /** The order to which staff adds coins with this one. */
  linkedOrderId?: string;
  /** Where the buyer came from; null: not known. */
  source?: TrafficSource | null;
};

type PlaceError = Extract<OrderError, { code: "order.phone_unconfirmed" | "order.too_many_unpaid" | "order.reserve_limit" }>;

/** Version of the consent text in the order form (152-FZ requires the proof). */
const consentVersion = "order-2026-11";

/** The number of the next order, as a part of another module's statement. */
export const nextNumber = rows.nextNumber;

/** Who places an order. */
export type OrderBuyer = unpaidLimits.Buyer & { customerId: string | null };
/** What decides about a buyer's new order, from `lockForPlacingBatch`. */
type BuyerFacts = { keys: unpaidLimits.BuyerKeys; unpaid: unpaidRows.Unpaid; customer: Customer | null };

/**
 * Locks the keys of a buyer's unpaid orders until the transaction ends and reads what they reserve, with the customer; for `place`. Part of
 * a round trip in which the buyer's cart was locked before.
 */
export function lockForPlacingBatch(tx: Tx, ctx: Ctx, buyer: OrderBuyer): QueryBatch<BuyerFacts> {
  const keys = unpaidLimits.keysOf(ctx, buyer);
  const unpaid = unpaidRows.lockUnpaidBatch(tx, {
    owner: buyer.owner,
    keys: allOf(keys),
    since: unpaidLimits.cancelledSince(ctx),
  });
  if (buyer.customerId === null) return mapBatch(unpaid, (found) => ({ keys, unpaid: found, customer: null }));
  return batch([unpaid, customers.byIdBatch(tx, buyer.customerId)], ([found, customer]) => ({ keys, unpaid: found, customer }));
}

const allOf = ({ person, address }: unpaidLimits.BuyerKeys): string[] => [...person, ...address];

/**
 * Writes the order with its history, the buyer's consent, its message, its first payment attempt and what the caller writes `along` with
 * it, reserves the coins, and commits the caller's transaction (`inPipelinedTransaction`). The caller has locked the buyer's cart. Calls no
 * provider: `startPayment` does after the commit. The stock rows are locked last, so that other buyers of a coin wait for the commit only.
 *
 * Refuses with `order.phone_unconfirmed`, `order.too_many_unpaid`, `order.stock_short` (every short coin) and `order.reserve_limit`;
 * then the caller must roll its transaction back. When another order has taken the coins meanwhile, it fails with an error that
 * `stock.shortageOf` turns into a refusal.
 */
export async function place(
  tx: Tx,
  ctx: Ctx,
  draft: OrderDraft,
  { keys, unpaid, customer, levels, city }: BuyerFacts & { levels: StockLevels; city: City | null },
  along: readonly QueryBatch<void>[] = [],
): Promise<Result<Placed, PlaceError | StockError>> {
  const isPhoneConfirmed = customer?.phone === draft.user.phone;
  const limits = unpaidLimits.checkLimits(ctx, keys, unpaid, draft.lines, levels);
  const refusal = refusalOf(ctx, draft, { ...limits, levels, isPhoneConfirmed });
  if (refusal) return fail(refusal);

  const order = newOrderOf(ctx, draft);
  const placed = storedOrderOf(order);
  // The buyer fills in no form for an order that staff makes: its data is that of the first order, with the consent given there.
  const consents =
    order.linkedOrderId !== null
      ? []
      : [
          customers.recordOrderBatch(tx, ctx, {
            orderId: draft.id,
            consentVersion,
            wantsNewsletter: draft.wantsNewsletter ?? false,
            customerId: draft.customerId,
            recipient: draft.user,
            buyProfile: buyProfileOf(city, order),
          }),
        ];
  const message = placedBatch(tx, ctx, placed, { isPhoneConfirmed, origin: keys.origin });
  // The buyer of an addition has left the shop: an attempt is made when the order is opened by its link.
  const opened = order.linkedOrderId === null ? openFirstAttempt(tx, ctx, placed) : null;
  await rows.insertAndCommit(tx, ctx, order, {
    quoteId: draft.quoteId,
    unpaidKeys: allOf(keys),
    along: [...consents, message, ...(opened?.writes ?? []), ...along],
    reserve: stock.reserveBatch(tx, draft.lines),
  });
  return done({ order: composeOrder(placed, []), opened });
}

/** What decides whether a draft may be placed: read under the locks of `lockForPlacingBatch`. */
type PlacingFacts = { count: number; isTooMuch: boolean; levels: StockLevels; isPhoneConfirmed: boolean };

/** Why a draft cannot be placed, the first reason of several; null: it can. */
function refusalOf(
  ctx: Ctx,
  { paymentMethodId, total, lines }: OrderDraft,
  { count, isTooMuch, levels, isPhoneConfirmed }: PlacingFacts,
): PlaceError | StockError | null {
  const { unpaidOrders, invoiceUnconfirmedRoubles } = ctx.settings.limits;
  const invoiceLimit = fromRoubles(invoiceUnconfirmedRoubles);
  if (isByInvoice(paymentMethodId) && total > invoiceLimit && !isPhoneConfirmed)
    return { code: "order.phone_unconfirmed", limit: invoiceLimit };
  if (count >= unpaidOrders) return { code: "order.too_many_unpaid", limit: unpaidOrders };
  const short = stock.shortOf(lines, levels);
  if (short.length > 0) return { code: "order.stock_short", short };
  return isTooMuch ? { code: "order.reserve_limit" } : null;
}

/** The order of a draft as it is inserted, with its state and the ends of its reservation and of its personal data. */
function newOrderOf(ctx: Ctx, draft: OrderDraft): rows.NewOrder {
  const {
    delivery: { id: deliveryId, price: deliveryPrice, ...deliverySnapshot },
    quoteId: _quoteId,
    wantsNewsletter: _wantsNewsletter,
    clientAddress: _clientAddress,
    linkedOrderId = null,
    promo = null,
    source = null,
    ...rest
  } = draft;
  const createdAt = ctx.now();
  return {
    ...rest,
    linkedOrderId,
    promo,
    source,
    state: isPaidOnCollection(draft.paymentMethodId) ? "placed" : "awaiting_payment",
    deliveryId,
    deliveryPrice,
    deliverySnapshot,
    createdAt,
    reservedUntil: initialReservationEnd(ctx, draft.paymentMethodId, createdAt),
    forgetAt: draft.customerId === null ? plus(createdAt, days(ctx.settings.limits.orderPersonalDays)) : null,
  };
}

/** A new order as a later read returns it. */
const storedOrderOf = ({ forgetAt: _forgetAt, source: _source, ...order }: rows.NewOrder): StoredOrder => ({
  ...order,
  lines: order.lines.map((line) => ({ ...line, dropped: 0, returned: 0 })),
  refundAfterRecall: null,
  changeAfterRecall: null,
  sealNumber: null,
  revision: 0,
  assignee: null,
  paid: zero,
  refunded: zero,
  paidAt: null,
  history: [{ event: "place", state: order.state, at: order.createdAt }],
});

/** The values with which the next checkout is prefilled. */
function buyProfileOf(city: City | null, { deliveryId, deliverySnapshot: snapshot, address }: rows.NewOrder): BuyProfile {
  const { point } = snapshot;
  return {
    delivery: {
      ...(address && {
        street: address.street,
        house: address.house,
        flat: address.room,
        entrance: address.entrance,
        floor: address.floor,
        comment: address.message,
      }),
      deliveryId,
    },
    ...(point && {
      point: {
        id: point.id,
        deliveryId,
        type: point.type === "POSTAMAT" ? "POSTAMAT" : "",
        name: point.name,
        address: point.address,
      },
    }),
    ...(city && {
      city: {
        code: city.code,
        name: city.name,
        lastName: city.region,
        fullName: cityFullName(city),
        coords: [city.lat, city.lon],
      },
    }),
  };
}

const isByInvoice = (paymentMethodId: number): boolean => methodById(paymentMethodId)?.name === "invoice";

/** The end of a new order's reservation: of its payment link, of its invoice (banking days), or of the time for collection. */
function initialReservationEnd(ctx: Ctx, paymentMethodId: number, at: Date): Date {
  const { paymentLifeMinutes, collectionHours } = ctx.settings.limits;
  if (isPaidOnCollection(paymentMethodId)) return plus(at, hours(collectionHours));
  return methodById(paymentMethodId)?.isOnline ? plus(at, minutes(paymentLifeMinutes)) : invoiceDeadline(ctx, at);
}

/**
 * Cancels the viewer's own order, releases its coins and refunds everything paid. With a packed parcel at the carrier both wait for its
 * answer to the recall, and the order is `cancellation_requested`.
 * Idempotent: a cancelled order is returned unchanged and not refunded twice.
 *
 * Refuses with `order.not_found` (also for another customer's order, so that ids cannot be probed)
 * and `order.not_cancellable` once the parcel has left.
 */
export async function cancel(ctx: Ctx, request: { orderId: string; viewer: Viewer }): Promise<Result<Order, OrderError>> {
  if (!hasAccess(ctx, request.orderId, request.viewer)) return fail({ code: "order.not_found" });
  return inPipelinedTransaction(ctx.db, async (tx) => {
    const order = await rows.lock(tx, request.orderId, { viewer: request.viewer, now: ctx.now() }); // the WHERE clause checks the owner
    if (!order) return fail({ code: "order.not_found" });
    const stepped = await cancelLocked(tx, ctx, order);
    if (stepped.kind === "refused") return fail({ code: "order.not_cancellable", state: order.state });
    return done(maskRecipient(request.viewer, await loadFullOrder(tx, stepped.kind === "moved" ? stepped.order : order)));
  });
}
