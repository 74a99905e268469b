import type { DeliveryGroupView } from "#contract/checkout.ts";
import type { ApiRefusal } from "#contract/client.ts";
import type { PointView } from "#contract/locations.ts";
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

/** What goes on by itself once prices are locked and agreed: `order` asks first about payment at the office, `place` does not. */
export type Continuation = "order" | "place" | null;

/** One call for a lock, with what was known when it was requested. */
export type LockRequest = {
  id: number;
  madeFor: string;
  body: { deliveryId: number; pvzId: string | null; city: string; paymentId: number };
  /** The prices that the buyer last agreed to or was asked about. */
  before: LockedQuote | null;
  /** What the page showed. */
  shown: LockedQuote;
  /** The earlier lock for the same choice ran out. */
  isExpired: boolean;
  next: Continuation;
};

/** Prices that the buyer has not agreed to yet. It stays open when its dialog is closed without an answer. */
export type PriceQuestion = { id: number; before: LockedQuote; after: LockedQuote; next: Continuation };

export type LockState = {
  /** Why the last lock was refused. */
  problem: ApiRefusal | null;
  /** The shop stores one lock per visitor, the one that it made last: so one call is on its way, and only the newest request waits for its answer. */
  running: LockRequest | null;
  waiting: LockRequest | null;
  /** Ids of requests and questions. */
  lastId: number;
  question: PriceQuestion | null;
  /** The contents that the buyer agreed to: the cart that the page opened with, or what was accepted since. Null after the buyer's own change. */
  accepted: LockedQuote | null;
  /** The offer of a question about contents, while the page reloads the changed cart: the lock for that cart needs no second question. */
  offer: LockedQuote | null;
  /** What the buyer saw before a change of delivery, payment or sign-in brought fresh prices. */
  movedFrom: LockedQuote | null;
  /** Grows when the same choice needs another try: its time is over, or the market moved after a refusal. */
  round: number;
  /** For which choice the pause before a lock was started. */
  pauseFor: string | null;
  /** The end of the lock that is being watched. */
  watchedEnd: number | null;
};

/** The call that makes the order. A repeated one has the same body and key, so a lost answer makes no second order. */
export type Placing = { body: OrderBody; key: string | null; repeats: number };

export type Placed = {
  orderId: string;
  number: number;
  orderKey: string | null;
  href: string;
  /** The provider's page; null when there is none or the provider did not answer. */
  pageUrl: string | null;
  /** The page stays, because the payment goes on in a dialog, which can be opened again; null when the browser goes on to another page. */
  toPay: { paymentId: number; until: string | null } | null;
};

export type CheckoutState = {
  /** What the server's page says; newer after each reload of it. */
  view: CheckoutView;
  draft: CheckoutDraft;
  /** False for the first drawing, which must equal the server's. */
  isRestored: boolean;
  /** The order is placed, or the buyer signed out: nothing is stored, loaded or locked any more. */
  isOver: boolean;
  errors: FieldErrors;
  /** How often an order was refused for its fields: each time the summary takes the focus. */
  refusals: number;
  /** Ways to the city that counts, when it is not the one that the page brought. */
  deliveries: Loadable<DeliveryGroupView> | null;
  /** Ways to the city of a new choice. */
  newDeliveries: Loadable<DeliveryGroupView> | null;
  points: Loadable<PointView> | null;
  lock: LockState;
  placing: Placing | null;
  placed: Placed | null;
};

/** The state of the first drawing, on the server and in the browser. */
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

/** Changes the choice that is being made: the new one if there is one, else the one that counts. */
export function withCurrent(state: CheckoutState, change: (current: NewDelivery) => Partial<NewDelivery>): CheckoutState {
  const { anew } = state.draft;
  return withDraft(state, anew ? { anew: { ...anew, ...change(anew) } } : change(state.draft));
}

/** The cart as the page shows it, without a lock. */
const pageQuote = ({ cart }: CheckoutView, deliveryId: number, deliveryPrice: Kopecks): LockedQuote => ({
  id: "",
  expiresAt: cart.pricedAt,
  endsAt: 0,
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

/** Changes with the market and its rates. */
export const marketOf = ({ cart }: CheckoutView): string => `${cart.market.isOpen} ${cart.isDead} ${cart.pricedAt}`;

export const cartKeyOf = ({ cart }: CheckoutView): string => cart.lines.map((line) => `${line.id}:${line.quantity}`).join();

/** The points to choose from; twins of a way (paid and free) have the same ones. Null: the way has no list. */
export function pointsKey({ city, choice }: NewDelivery): string | null {
  const kind = deliveryById(choice.deliveryId)?.pointType ?? null;
  return kind && `${city.code} ${kind}`;
}

type Groups = { state: "loading" | "failed" | "ready"; groups: readonly DeliveryGroupView[] };

/** The ways to a city for the present cart: the page brings those of one city, others are loaded. */
function groupsFor(view: CheckoutView, cityCode: string, loaded: Loadable<DeliveryGroupView> | null): Groups {
  if (isInPage(view, cityCode)) return { state: "ready", groups: view.groups };
  if (loaded?.key !== deliveriesKey(view, cityCode)) return { state: "loading", groups: [] };
  return { state: loaded.state, groups: loaded.list };
}

export const isInPage = (view: CheckoutView, cityCode: string): boolean => view.city.code === cityCode && view.groups.length > 0;
export const deliveriesKey = (view: CheckoutView, cityCode: string): string => `${cityCode} ${cartKeyOf(view)}`;

/** Everything that follows from the state: what the page draws and what the reducer decides by. */
export function factsOf(state: CheckoutState) {
  const { draft, view } = state;
  const { choice } = draft;
  /** The choice that is being made: the new one while a confirmed delivery is being changed, else the one that counts. */
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
  /** Everything that a lock depends on, as one text: another text needs another lock. */
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
    /** A way to pay that takes this sum, when the chosen one does not. */
    payableInstead: isTooMuch ? (allowed.find((id) => !isOver(id)) ?? null) : null,
    isLockable: counting.state === "ready" && isChosen && !isTooMuch && view.cart.lines.length > 0,
    isLocking: (state.lock.waiting ?? state.lock.running)?.madeFor === madeFor,
  };
}
export type CheckoutFacts = ReturnType<typeof factsOf>;

const noPoints: readonly PointView[] = [];
