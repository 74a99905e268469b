import type { DeliveryGroupView, QuoteView } from "#contract/public/checkout.ts";
import type { EntryOf, makeQuote, placeOrder } from "#contract/calls.ts";
import type { RefusalOf } from "#contract/client.ts";
import type { CityView, PointView } from "#contract/public/locations.ts";
import type { OrderView } from "#contract/public/orders.ts";
import type { CheckoutState, LockRequest, Placed } from "./checkout-state.ts";
import type { CheckoutView } from "./checkout-view.ts";
import type { AddressDraft, BuyerDraft, CheckoutDraft, ChosenPoint } from "./draft.ts";
import type { LockedQuote } from "./lock/locked-quote.ts";
import type { OrderBody } from "./confirm/order-body.ts";
import type { RefusalText } from "./confirm/order-refusal.ts";

/** Events of the checkout: the buyer's actions, answers of the server, timers. `now` is the browser's clock in milliseconds. */
export type CheckoutEvent =
  // The page.
  | { type: "page.opened"; stored: CheckoutDraft | null }
  | { type: "page.reloaded"; view: CheckoutView }
  | { type: "session.ended" }
  // The buyer fills in the form.
  | { type: "contacts.changed"; patch: Partial<BuyerDraft> }
  | { type: "contacts.confirmed" }
  | { type: "contacts.reopened" }
  | { type: "city.chosen"; city: CityView }
  | { type: "delivery.chosen"; deliveryId: number }
  | { type: "point.chosen"; point: ChosenPoint }
  | { type: "address.changed"; patch: Partial<AddressDraft> }
  | { type: "delivery.confirmed" }
  | { type: "delivery.reopened" }
  | { type: "delivery.cancelled" }
  | { type: "payment.chosen"; paymentId: number }
  | { type: "agreement.changed"; patch: Partial<CheckoutDraft["agreed"]> }
  | { type: "newsletter.changed"; isWanted: boolean }
  // Lists for the delivery. Null: the list did not load.
  | { type: "deliveries.received"; slot: DeliverySlot; key: string; groups: readonly DeliveryGroupView[] | null }
  | { type: "deliveries.retried" }
  | { type: "points.received"; key: string; list: readonly PointView[] | null }
  | { type: "points.retried" }
  // Locked prices.
  | { type: "pause.ended"; now: number }
  | { type: "lock.requested" }
  | { type: "lock.received"; id: number; quote: QuoteView; now: number }
  | { type: "lock.refused"; id: number; refusal: LockRefusal; now: number }
  | { type: "lock.expired" }
  | { type: "prices.accepted"; questionId: number }
  | { type: "remainder.accepted" }
  // The order.
  | { type: "order.submitted"; now: number }
  | { type: "collection.confirmed"; now: number }
  | { type: "key.created"; key: string }
  | { type: "order.received"; order: OrderView; isPaidOnPhone: boolean }
  | { type: "order.refused"; refusal: OrderRefusal; now: number }
  | { type: "payment.reopened" };

export type LockRefusal = RefusalOf<EntryOf<typeof makeQuote>>;
export type OrderRefusal = RefusalOf<EntryOf<typeof placeOrder>>;

export type DeliverySlot = "deliveries" | "newDeliveries";

/** Side effects: calls, timers, dialogs, storage, navigation. `checkout-effects.ts` runs them. */
export type CheckoutEffect =
  | { type: "storeDraft"; draft: CheckoutDraft }
  | { type: "clearDraft" }
  | { type: "loadDeliveries"; slot: DeliverySlot; cityCode: string; key: string }
  | { type: "loadPoints"; cityCode: string; deliveryId: number; key: string }
  | { type: "stopLoading"; what: DeliverySlot | "points" }
  /** The server stores the city of the last call in a cookie. */
  | { type: "storeCity"; cityCode: string }
  | { type: "startPause" }
  | { type: "stopPause" }
  | { type: "requestLock"; id: number; body: LockRequest["body"] }
  | { type: "watchLockEnd"; endsAt: number | null }
  | { type: "openPriceDialog"; questionId: number; before: LockedQuote; after: LockedQuote; isAwaited: boolean }
  /** `hasRest`: something of the cart is still available. */
  | { type: "openShortageDialog"; short: { id: number; title: string; available: number }[]; hasRest: boolean }
  | { type: "openRefusalDialog"; text: RefusalText; isCartOutdated: boolean; isSessionInDoubt: boolean }
  | { type: "openCollectionDialog"; total: LockedQuote["total"] }
  | { type: "openPaymentDialog"; placed: Placed }
  | { type: "createKey" }
  | { type: "sendOrder"; body: OrderBody; key: string; delaySeconds: number }
  | { type: "reloadPage" }
  | { type: "reloadShopState" }
  | { type: "leave"; to: string; isProvider: boolean };

export type Transition = { state: CheckoutState; effects: CheckoutEffect[] };

/** The result of an event: the next state and the effects to run. */
export const done = (state: CheckoutState, ...effects: CheckoutEffect[]): Transition => ({ state, effects });
