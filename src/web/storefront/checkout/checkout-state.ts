import type { DeliveryGroupView } from "#contract/public/checkout.ts";
import type { ApiRefusal } from "#contract/client.ts";
import type { PointView } from "#contract/public/locations.ts";
import { add, fromRoubles, times, zero, type Kopecks } from "#kit/money.ts";
import { deliveryById, paymentsAllowed } from "#shop/delivery/delivery.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { fit } from "./delivery/delivery-choice.ts";
import { emptyDraft, type CheckoutDraft, type NewDelivery } from "./draft.ts";
import type { LockedQuote } from "./lock/locked-quote.ts";
import type { OrderBody } from "./confirm/order-body.ts";
import type { FieldErrors } from "./confirm/order-errors.ts";
import { limitExceeded } from "./payment/payment-texts.ts";
import { withBuyer } from "./contacts/profile.ts";

/** A list that is loaded for `key`; an answer for another key is too late. */
export type Loadable<T> = { key: string; state: "loading" | "failed" | "ready"; list: readonly T[] };

/** What follows when prices are locked and accepted. `order` confirms payment at the office first, `place` does not. */
export type Continuation = "order" | "place" | null;

/** One call for a lock, with the state at its start. */
export type LockRequest = {
  id: number;
  madeFor: string;
  body: { deliveryId: number; pvzId: string | null; city: string; paymentId: number };
  /** The prices that were last accepted or shown in the dialog. */
  before: LockedQuote | null;
  /** The total that the page showed. */
  shown: LockedQuote;
  /** The earlier lock for the same choice ran out. */
  isExpired: boolean;
  next: Continuation;
};

/** New prices that the buyer has not accepted yet. Closing the dialog without an answer does not remove it. */
export type PriceQuestion = { id: number; before: LockedQuote; after: LockedQuote; next: Continuation };

export type Shortage = readonly { id: number; available: number }[];

export type LockState = {
  /** Why the last lock was refused. */
  problem: ApiRefusal | null;
  /** When the lock is requested again after a refusal because quotes are late; later than now only while it waits. */
  retryAt: number | null;
  /** The missing coins that a dialog has named: while nothing else is missing, only a press of the button opens it again. */
  shortage: Shortage | null;
  /** The shop stores one lock per visitor, the last one. So only one call runs at a time, and only the newest request waits for it. */
  running: LockRequest | null;
  waiting: LockRequest | null;
  /** Ids of requests and questions. */
  lastId: number;
  question: PriceQuestion | null;
  /** The accepted contents: the cart of the first render, or what was accepted since. Null after the buyer's own change. */
  accepted: LockedQuote | null;
  /** The prices of the open question while the page reloads the changed cart: the lock for that cart needs no second question. */
  offer: LockedQuote | null;
  /** The prices before a change of delivery, payment or sign-in led to new ones. */
  movedFrom: LockedQuote | null;
  /** Incremented when the same choice needs another lock: it expired, or rates changed after a refusal. */
  round: number;
  /** The choice for which the delay before a lock was started. */
  pauseFor: string | null;
  /** The end of the lock for which a timer runs. */
  watchedEnd: number | null;
};

/** The call that places the order. A repeated call has the same body and key, so a lost answer makes no second order. */
export type Placing = { body: OrderBody; key: string | null; repeats: number };

export type Placed = {
  orderId: string;
  number: number;
  orderKey: string | null;
  href: string;
  /** The provider's page; null when there is none or the provider did not answer. */
  pageUrl: string | null;
  /** The payment dialog on this page, which can be opened again; null when the browser navigates to another page. */
  toPay: { paymentId: number; until: string | null } | null;
};

export type CheckoutState = {
  /** The data of the loader; replaced after each revalidation. */
  view: CheckoutView;
  draft: CheckoutDraft;
  /** False during the first render, which must equal the server's. */
  isRestored: boolean;
  /** The order is placed, or the buyer signed out: from now on nothing is stored, loaded or locked. */
  isOver: boolean;
  errors: FieldErrors;
  /** Number of refusals because of fields; after each the error summary receives the focus. */
  refusals: number;
  /** Ways of delivery to the confirmed city, if it is not the city of the loader's data. */
  deliveries: Loadable<DeliveryGroupView> | null;
  /** Ways of delivery to the city of a new choice. */
  newDeliveries: Loadable<DeliveryGroupView> | null;
  points: Loadable<PointView> | null;
  lock: LockState;
  placing: Placing | null;
  placed: Placed | null;
};

/** The state of the first render, on the server and in the browser. */
export function initialState(view: CheckoutView): CheckoutState {
  const draft = withBuyer({ ...emptyDraft, city: view.city, choice: fit(emptyDraft.choice, view.groups, view) }, view);
  return {
    view,
    draft,
    isRestored: false,
    isOver: false,
    errors: {},
    refusals: 0,
    deliveries: null,
    newDeliveries: null,
    points: null,
    lock: {
      problem: null,
      retryAt: null,
      shortage: null,
      running: null,
      waiting: null,
      lastId: 0,
      question: null,
      accepted: pageQuote(view, draft.choice.deliveryId, zero),
      offer: null,
      movedFrom: null,
      round: 0,
      pauseFor: null,
      watchedEnd: null,
    },
    placing: null,
    placed: null,
  };
}

export const withDraft = (state: CheckoutState, patch: Partial<CheckoutDraft>): CheckoutState => ({
  ...state,
  draft: { ...state.draft, ...patch },
});
export const withLock = (state: CheckoutState, patch: Partial<LockState>): CheckoutState => ({
  ...state,
  lock: { ...state.lock, ...patch },
});

/** Changes the choice in progress: the new one if there is one, else the confirmed one. */
export function withCurrent(state: CheckoutState, change: (current: NewDelivery) => Partial<NewDelivery>): CheckoutState {
  const { anew } = state.draft;
  return withDraft(state, anew ? { anew: { ...anew, ...change(anew) } } : change(state.draft));
}

/** The cart as the page shows it, without a lock. */
const pageQuote = ({ cart }: CheckoutView, deliveryId: number, deliveryPrice: Kopecks): LockedQuote => ({
  id: "",
  expiresAt: cart.pricedAt,
  endsAt: 0,
  promo: cart.promo,
  total: add(cart.total, deliveryPrice),
  delivery: { id: deliveryId, price: deliveryPrice },
  lines: cart.lines.map((line) => ({
    id: line.id,
    title: line.title,
    count: line.quantity,
    price: line.price ?? zero,
    sum: times(line.price ?? zero, line.quantity),
  })),
});

/** Identifies the market's state and rates: another value, another key. */
export const marketOf = ({ cart }: CheckoutView): string => `${cart.market.isOpen} ${cart.isDead} ${cart.pricedAt}`;

/** Identifies the contents of the cart: coins and quantities. */
export const cartKeyOf = ({ cart }: CheckoutView): string => cart.lines.map((line) => `${line.id}:${line.quantity}`).join();

/** The key of the list of points; the paid and the free way have the same points. Null: the way has no points. */
export function pointsKey({ city, choice }: NewDelivery): string | null {
  const kind = deliveryById(choice.deliveryId)?.pointType ?? null;
  return kind && `${city.code} ${kind}`;
}

type Groups = { state: "loading" | "failed" | "ready"; groups: readonly DeliveryGroupView[] };

/** The ways of delivery to a city for the current cart: those of one city are in the loader's data, others are loaded. */
function groupsFor(view: CheckoutView, cityCode: string, loaded: Loadable<DeliveryGroupView> | null): Groups {
  if (isInPage(view, cityCode)) return { state: "ready", groups: view.groups };
  if (loaded?.key !== deliveriesKey(view, cityCode)) return { state: "loading", groups: [] };
  return { state: loaded.state, groups: loaded.list };
}

/** Whether the loader's data contain the ways of delivery to this city. */
export const isInPage = (view: CheckoutView, cityCode: string): boolean => view.city.code === cityCode && view.groups.length > 0;
/** Identifies a list of ways of delivery: they depend on the city and on the cart. */
export const deliveriesKey = (view: CheckoutView, cityCode: string): string => `${cityCode} ${cartKeyOf(view)}`;

/** Values derived from the state, for the page and the reducer. */
export function factsOf(state: CheckoutState) {
  const { draft, view } = state;
  const { choice } = draft;
  /** The choice in progress: the new one while a confirmed delivery is being changed, else the confirmed one. */
  const current: NewDelivery = draft.anew ?? draft;
  const isElsewhere = current.city.code !== draft.city.code;
  const counting = groupsFor(view, draft.city.code, state.deliveries);
  const deliveries = isElsewhere ? groupsFor(view, current.city.code, state.newDeliveries) : counting;
  const wantedPoints = pointsKey(current);
  const points: { state: "none" | "loading" | "failed" | "ready"; list: readonly PointView[] } =
    wantedPoints === null
      ? { state: "none", list: noPoints }
      : state.points?.key === wantedPoints
        ? state.points
        : { state: "loading", list: noPoints };

  const option = counting.groups.flatMap((group) => group.items).find((item) => item.id === choice.deliveryId) ?? null;
  const needsPoint = deliveryById(choice.deliveryId)?.hasPoint ?? false;
  const pvzId = needsPoint ? (draft.point?.id ?? null) : null;
  const optionPrice = option ? fromRoubles(option.price) : zero;
  const page = pageQuote(view, choice.deliveryId, optionPrice);
  /** Everything that a lock depends on, as one key: another key needs another lock. */
  const madeFor = JSON.stringify([choice.deliveryId, pvzId, draft.city.code, choice.paymentId, cartKeyOf(view), view.buyer?.id ?? null]);
  const locked = draft.quote?.madeFor === madeFor ? draft.quote : null;
  const total = locked?.total ?? page.total;

  const allowed = paymentsAllowed(choice.deliveryId);
  const receiptLines = view.cart.lines.length + (optionPrice > 0 ? 1 : 0);
  const isOver = (paymentId: number): boolean =>
    limitExceeded(paymentId, { total, limits: view.limits, receiptLines, receiptLinesMax: view.receiptLinesMax }) !== null;
  const isTooMuch = isOver(choice.paymentId);
  const isChosen = option !== null && (!needsPoint || pvzId !== null);
  return {
    current,
    isElsewhere,
    counting,
    deliveries,
    points,
    option,
    needsPoint,
    pvzId,
    page,
    madeFor,
    locked,
    shown: locked ?? page,
    total,
    deliveryPrice: locked ? locked.delivery.price : option ? optionPrice : null,
    allowed,
    receiptLines,
    /** A payment method that accepts this sum, if the chosen one does not. */
    payableInstead: isTooMuch ? (allowed.find((id) => !isOver(id)) ?? null) : null,
    isLockable: counting.state === "ready" && isChosen && !isTooMuch && view.cart.lines.length > 0,
    isLocking: (state.lock.waiting ?? state.lock.running)?.madeFor === madeFor,
  };
}
export type CheckoutFacts = ReturnType<typeof factsOf>;

const noPoints: readonly PointView[] = [];
