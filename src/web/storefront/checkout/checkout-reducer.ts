import type { QuoteView } from "#contract/public/checkout.ts";
import type { ApiRefusal } from "#contract/client.ts";
import type { OrderView } from "#contract/public/orders.ts";
import { methodById } from "#shop/payment/payment.ts";
import { done, type CheckoutEffect, type CheckoutEvent, type LockRefusal, type OrderRefusal, type Transition } from "./checkout-events.ts";
import {
  factsOf,
  marketOf,
  withCurrent,
  withDraft,
  withLock,
  type CheckoutState,
  type Continuation,
  type Loadable,
  type LockState,
  type Shortage,
} from "./checkout-state.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { choose, sharesPoints } from "./delivery/delivery-choice.ts";
import type { CheckoutDraft } from "./draft.ts";
import { hasMoved, hasOtherContents, isSameOffer, lockedQuote, type LockedQuote } from "./lock/locked-quote.ts";
import { cancelNewDelivery, chooseCity, confirmDelivery, reopenDelivery } from "./delivery/new-delivery.ts";
import { orderBody } from "./confirm/order-body.ts";
import { allMistakes, contactFields, deliveryFields, knownFields, type FieldErrors, type FieldName } from "./confirm/order-errors.ts";
import { refusalText } from "./confirm/order-refusal.ts";
import { withBuyer } from "./contacts/profile.ts";
import { reconcile } from "./reconcile.ts";

/** Maximum number of repeats of an order call that is still running on the server. */
const maxRepeats = 5;
const paymentOnCollection = 7;
/** The interval of requests for a lock while quotes are late. */
const staleRetryMs = 15_000;

/** The reducer of the checkout: from a state and an event, the next state and the effects to run. Pure. */
export function reduce(before: CheckoutState, event: CheckoutEvent): Transition {
  const { state, effects } = apply(before, event);
  if (!state.isRestored) return { state, effects };
  const settled = reconcile(state);
  const isChanged = settled.state.draft !== before.draft || !before.isRestored;
  return {
    state: settled.state,
    effects: [
      ...effects,
      ...settled.effects,
      ...(isChanged && !settled.state.isOver ? [{ type: "storeDraft", draft: settled.state.draft } as const] : []),
    ],
  };
}

function apply(state: CheckoutState, event: CheckoutEvent): Transition {
  const { draft } = state;
  switch (event.type) {
    case "page.opened":
      return done(opened(state, event.stored));
    case "page.reloaded":
      return done(reloaded(state, event.view));
    case "session.ended":
      return done({ ...state, isOver: true }, { type: "clearDraft" }, { type: "leave", to: "/", isProvider: false });

    case "contacts.changed":
      return done(withoutErrors(withDraft(state, { user: { ...draft.user, ...event.patch } }), namesIn(event.patch)));
    case "contacts.confirmed":
      return done(withDraft(state, { closed: { ...draft.closed, contacts: true } }));
    case "contacts.reopened":
      return done(withDraft(state, { closed: { ...draft.closed, contacts: false } }));
    case "city.chosen":
      return done({ ...state, draft: chooseCity(draft, event.city) });
    case "delivery.chosen":
      // The point is kept when the new way of delivery has points of the same kind.
      return done(
        withCurrent(state, ({ choice, point }) => ({
          choice: choose(choice, event.deliveryId),
          point: sharesPoints(choice.deliveryId, event.deliveryId) ? point : null,
        })),
      );
    case "point.chosen":
      return done(
        withoutErrors(
          withCurrent(state, () => ({ point: event.point })),
          ["pvzId"],
        ),
      );
    case "address.changed":
      return done(
        withoutErrors(
          withCurrent(state, ({ address }) => ({ address: { ...address, ...event.patch } })),
          namesIn(event.patch),
        ),
      );
    case "delivery.confirmed":
      return done(withoutErrors({ ...state, draft: confirmDelivery(draft) }, ["delivery", "pvzId"]));
    case "delivery.reopened":
      return done({ ...state, draft: reopenDelivery(draft) });
    case "delivery.cancelled":
      return done(
        withoutErrors({ ...state, draft: cancelNewDelivery(draft) }, ["delivery"]),
        ...(factsOf(state).isElsewhere ? [{ type: "storeCity", cityCode: draft.city.code } as const] : []),
      );
    case "payment.chosen":
      return done(withDraft(state, { choice: { ...draft.choice, paymentId: event.paymentId } }));
    case "agreement.changed":
      return done(withoutErrors(withDraft(state, { agreed: { ...draft.agreed, ...event.patch } }), ["terms", "consent"]));
    case "newsletter.changed":
      return done(withDraft(state, { wantsNewsletter: event.isWanted }));

    case "deliveries.received":
      return done({ ...state, [event.slot]: received(state[event.slot], event.key, event.groups) });
    case "deliveries.retried":
      return done({ ...state, [factsOf(state).isElsewhere ? "newDeliveries" : "deliveries"]: null });
    case "points.received":
      return done({ ...state, points: received(state.points, event.key, event.list) });
    case "points.retried":
      return done({ ...state, points: null });

    case "pause.ended":
      return pauseEnded(state, event.now);
    case "lock.requested":
      return requestLock(withLock(state, { shortage: null }), null);
    case "lock.received":
      return lockReceived(state, event);
    case "lock.refused":
      return lockRefused(state, event);
    case "lock.expired":
      return done(withLock(state, { round: state.lock.round + 1 }));
    case "prices.accepted":
      return pricesAccepted(state, event.questionId);
    case "remainder.accepted":
      // The buyer accepts what is left, so the next change of the cart is the buyer's own and needs no question.
      return done(withLock(state, { accepted: null }));

    case "order.submitted":
      return submitted(state, event.now);
    case "collection.confirmed":
      return withLockedPrices(state, "place", event.now);
    case "key.created":
      return keyCreated(state, event.key);
    case "order.received":
      return orderReceived(state, event.order, event.isPaidOnPhone);
    case "order.refused":
      return orderRefused(state, event.refusal, event.now);
    case "payment.reopened":
      return done(state, ...(state.placed?.toPay ? [{ type: "openPaymentDialog", placed: state.placed } as const] : []));
  }
}

const withoutLockedPrices = (state: CheckoutState): CheckoutState => withDraft(state, { quote: null, attempt: null });
const namesIn = (patch: object): FieldName[] => Object.keys(patch) as FieldName[];

function withoutErrors(state: CheckoutState, names: readonly FieldName[]): CheckoutState {
  if (!names.some((name) => state.errors[name])) return state;
  const errors = { ...state.errors };
  for (const name of names) delete errors[name];
  return { ...state, errors };
}

function received<T>(loading: Loadable<T> | null, key: string, list: readonly T[] | null): Loadable<T> | null {
  if (loading?.key !== key) return loading;
  return list ? { key, state: "ready", list } : { key, state: "failed", list: [] };
}

/** Restores the draft that this tab stored. Calls and timers did not survive the reload, so they are started again. */
function opened(state: CheckoutState, stored: CheckoutDraft | null): CheckoutState {
  // Values from a profile belong to its account: they are not shown after signing out, also in another tab.
  const isOwn = stored !== null && (stored.account === null || stored.account === state.view.buyer?.user.phone);
  return {
    ...state,
    draft: withBuyer(isOwn ? stored : state.draft, state.view),
    isRestored: true,
    deliveries: null,
    newDeliveries: null,
    points: null,
    lock: { ...state.lock, running: null, waiting: null, pauseFor: null, watchedEnd: null },
  };
}

function reloaded(state: CheckoutState, view: CheckoutView): CheckoutState {
  // The draft is filled in after signing in and after the profile was changed, not when the same profile is read again.
  const isProfileNew = JSON.stringify(view.buyer) !== JSON.stringify(state.view.buyer);
  const draft = isProfileNew ? withBuyer(state.draft, view) : state.draft;
  const isMarketNew = marketOf(view) !== marketOf(state.view);
  const round = state.lock.problem !== null && isMarketNew ? state.lock.round + 1 : state.lock.round;
  return withLock({ ...state, view, draft }, { round });
}

function pauseEnded(state: CheckoutState, now: number): Transition {
  const { isLockable, isLocking, locked } = factsOf(state);
  const isNeeded = !state.isOver && isLockable && !isLocking && (!locked || locked.endsAt <= now);
  return isNeeded ? requestLock(state, null) : done(state);
}

/** Requests a lock for the current choice. While a call is running, the request waits for its answer. */
function requestLock(state: CheckoutState, next: Continuation): Transition {
  const { lock, draft } = state;
  const { madeFor, pvzId, shown, locked } = factsOf(state);
  const id = lock.lastId + 1;
  const body = { deliveryId: draft.choice.deliveryId, pvzId, city: draft.city.code, paymentId: draft.choice.paymentId };
  const before = lock.question?.before ?? draft.quote;
  const request = { id, madeFor, body, before, shown, isExpired: locked !== null, next };
  if (lock.running) return done(withLock(state, { waiting: request, lastId: id }));
  return done(withLock(state, { running: request, lastId: id }), { type: "requestLock", id, body });
}

/** Ends the running call. Null: a newer request follows, or the choice has changed meanwhile. */
function endRequest(state: CheckoutState, id: number): { step: Transition; request: LockState["running"] } {
  const { running, waiting } = state.lock;
  if (running?.id !== id) return { step: done(state), request: null };
  const next = withLock(state, { running: waiting, waiting: null });
  if (waiting) return { step: done(next, { type: "requestLock", id: waiting.id, body: waiting.body }), request: null };
  return { step: done(next), request: running.madeFor === factsOf(state).madeFor ? running : null };
}

/**
 * After the buyer's own change of delivery, payment or sign-in, new prices are shown beside the lock. After an expired lock the buyer has
 * to accept new prices. A pressed button continues without a question only if the total equals the one that the page showed.
 */
function lockReceived(before: CheckoutState, event: { id: number; quote: QuoteView; now: number }): Transition {
  const { step, request } = endRequest(before, event.id);
  if (!request) return step;
  const fresh = lockedQuote(event.quote, before.view.quoteLifeSeconds, event.now);
  const { question } = before.lock;
  const { next } = request;
  let state = withDraft(step.state, { quote: { ...fresh, madeFor: request.madeFor }, attempt: null });
  state = withLock(state, { problem: null, shortage: null, retryAt: null });

  const accepted = state.lock.accepted && state.lock.accepted.lines.length > 0 ? state.lock.accepted : null;
  if (accepted && hasOtherContents(accepted, fresh)) {
    const isBeforeKnown = request.before !== null && !hasOtherContents(accepted, request.before);
    return contentsChanged(state, isBeforeKnown && request.before ? request.before : accepted, fresh, next);
  }
  const isMoved = request.before !== null && hasMoved(request.before, fresh);
  state = withLock(state, { accepted: fresh, offer: null, movedFrom: isMoved && !request.isExpired && !next ? request.before : null });
  if (next && fresh.total !== request.shown.total) return askAboutPrices(state, request.before ?? request.shown, fresh, next);
  if (next) return proceed(state, next);
  if (request.before && isMoved && (request.isExpired || question)) return askAboutPrices(state, request.before, fresh, null);
  return done(state);
}

/** The cart was changed elsewhere: the buyer confirms the new contents before they are ordered. The page behind the dialog shows them. */
function contentsChanged(state: CheckoutState, before: LockedQuote, fresh: LockedQuote, next: Continuation): Transition {
  const { offer, question } = state.lock;
  const isAsked = offer !== null && isSameOffer(offer, fresh);
  const isPageOld = hasOtherContents(factsOf(state).page, fresh);
  const changed = withLock(state, {
    movedFrom: null,
    offer: isAsked || isPageOld ? fresh : null,
    question: isAsked && question ? { ...question, after: fresh } : question,
  });
  const { state: asked, effects } = isAsked ? done(changed) : askAboutPrices(changed, before, fresh, next);
  return done(asked, ...effects, ...(isPageOld ? [{ type: "reloadPage" } as const] : []));
}

/** Opens the dialog with the new prices. `isAwaited`: the buyer pressed a button and waits, so it replaces another open dialog. */
function askAboutPrices(state: CheckoutState, before: LockedQuote, after: LockedQuote, next: Continuation, isAwaited = false): Transition {
  const id = state.lock.lastId + 1;
  return done(withLock(state, { question: { id, before, after, next }, lastId: id }), {
    type: "openPriceDialog",
    questionId: id,
    before,
    after,
    isAwaited,
  });
}

/** An answer to an outdated question is ignored: the newer question is opened. */
function pricesAccepted(state: CheckoutState, questionId: number): Transition {
  const { question } = state.lock;
  if (question?.id !== questionId) return done(state);
  const { locked } = factsOf(state);
  if (locked && !isSameOffer(question.after, locked)) return askAboutPrices(state, question.after, locked, question.next, true);
  const agreed = withLock(state, { question: null, accepted: locked ?? question.after, offer: null });
  return question.next ? proceed(agreed, question.next) : done(agreed);
}

function lockRefused(before: CheckoutState, event: { id: number; refusal: LockRefusal; now: number }): Transition {
  const { step, request } = endRequest(before, event.id);
  if (!request) return step;
  const { refusal } = event;
  const short = refusal.code === "cart.stock_short" ? refusal.data.short : null;
  const state = withLock(step.state, { problem: refusal, shortage: short, retryAt: retryAfter(refusal, event.now) });
  const effects: CheckoutEffect[] = [];
  // Each change of the rates requests the lock again: a dialog that the buyer has closed does not come back with it.
  if (short && (request.next || !isSame(short, before.lock.shortage))) effects.push(shortageDialog(state, short));
  else if (!short && request.next) effects.push(refusalDialog(refusal));
  if (refusal.code === "cart.empty") effects.push({ type: "reloadPage" });
  return done(state, ...effects);
}

/** Late quotes may come back unchanged, and then nothing else informs the page. Every other cause ends with a change of the page's data. */
const retryAfter = ({ code }: ApiRefusal, now: number): number | null => (code === "rates.stale" ? now + staleRetryMs : null);

const refusalDialog = (refusal: ApiRefusal, phoneToConfirm?: string): CheckoutEffect => ({
  type: "openRefusalDialog",
  text: refusalText(refusal, phoneToConfirm),
  isCartOutdated: refusal.code === "quote.used" || refusal.code === "cart.empty",
  isSessionInDoubt: refusal.code === "quote.not_found",
});

function shortageDialog({ view }: CheckoutState, short: Shortage): CheckoutEffect {
  const titleOf = (id: number) => view.cart.lines.find((line) => line.id === id)?.title ?? "Монета";
  return {
    type: "openShortageDialog",
    short: short.map((each) => ({ ...each, title: titleOf(each.id) })),
    hasRest: view.cart.lines.some((line) => (short.find(({ id }) => id === line.id)?.available ?? line.quantity) > 0),
  };
}

const isSame = (one: Shortage, other: Shortage | null): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Validates the whole form and places the order. */
function submitted(state: CheckoutState, now: number): Transition {
  if (state.placing || state.isOver) return done(state);
  const mistakes = allMistakes(state.draft);
  if (Object.keys(mistakes).length > 0) return done(withMistakes(state, mistakes));
  return withLockedPrices({ ...state, errors: {} }, "order", now);
}

/** Shows mistakes and opens the collapsed steps that have one. */
function withMistakes(state: CheckoutState, errors: FieldErrors): CheckoutState {
  const { closed } = state.draft;
  const next = { ...state, errors, refusals: state.refusals + 1 };
  return withDraft(next, {
    closed: {
      contacts: closed.contacts && !contactFields.some((name) => errors[name]),
      delivery: closed.delivery && !deliveryFields.some((name) => errors[name]),
    },
  });
}

/** Continues with the locked prices. Prices that the buyer has not accepted yet are shown in a dialog first. */
function withLockedPrices(state: CheckoutState, next: "order" | "place", now: number): Transition {
  const { locked } = factsOf(state);
  const { question } = state.lock;
  if (!locked || locked.endsAt <= now) return requestLock(state, next);
  if (question) return askAboutPrices(state, question.before, locked, next, true);
  return proceed(state, next);
}

function proceed(state: CheckoutState, next: "order" | "place"): Transition {
  const { locked, pvzId } = factsOf(state);
  if (state.placing || state.isOver) return done(state);
  if (!locked) return requestLock(state, next);
  // The form may have been changed while the lock was requested.
  const mistakes = allMistakes(state.draft);
  if (Object.keys(mistakes).length > 0) return done(withMistakes(state, mistakes));
  if (next === "order" && state.draft.choice.paymentId === paymentOnCollection)
    return done(state, { type: "openCollectionDialog", total: locked.total });
  const body = orderBody(state.draft, locked.id, pvzId);
  // The same body is sent with the same key, also after a reload.
  const { attempt } = state.draft;
  const key = attempt?.body === JSON.stringify(body) ? attempt.key : null;
  const placing: CheckoutState = { ...state, placing: { body, key, repeats: 0 } };
  return done(placing, key === null ? { type: "createKey" } : { type: "sendOrder", body, key, delaySeconds: 0 });
}

function keyCreated(state: CheckoutState, key: string): Transition {
  const { placing } = state;
  if (!placing || placing.key !== null) return done(state);
  const next = withDraft({ ...state, placing: { ...placing, key } }, { attempt: { key, body: JSON.stringify(placing.body) } });
  return done(next, { type: "sendOrder", body: placing.body, key, delaySeconds: 0 });
}

function orderReceived(state: CheckoutState, order: OrderView, isPaidOnPhone: boolean): Transition {
  const orderKey = order.key ?? null;
  const href = `/thanks?order=${encodeURIComponent(order.id)}${orderKey ? `&key=${encodeURIComponent(orderKey)}` : ""}`;
  const pageUrl = order.payment.confirmationUrl ?? null;
  const isOwedOnline = order.status === "awaiting_payment" && methodById(order.payment.id)?.isOnline === true;
  const isWaiting = pageUrl ? isPaidOnPhone : isOwedOnline;
  const placed = {
    orderId: order.id,
    number: order.number,
    orderKey,
    href,
    pageUrl,
    toPay: isWaiting ? { paymentId: order.payment.id, until: order.payment.payUntil ?? null } : null,
  };
  return done(
    { ...state, placed, placing: null, isOver: true },
    { type: "clearDraft" },
    { type: "reloadShopState" },
    isWaiting ? { type: "openPaymentDialog", placed } : { type: "leave", to: pageUrl ?? href, isProvider: pageUrl !== null },
  );
}

function orderRefused(before: CheckoutState, refusal: OrderRefusal, now: number): Transition {
  const { placing } = before;
  if (!placing || placing.key === null) return done(before);
  if (refusal.code === "order.in_progress" && placing.repeats < maxRepeats) {
    const repeated = { ...before, placing: { ...placing, repeats: placing.repeats + 1 } };
    return done(repeated, { type: "sendOrder", body: placing.body, key: placing.key, delaySeconds: refusal.retryAfter ?? 1 });
  }
  const state: CheckoutState = { ...before, placing: null };
  switch (refusal.code) {
    case "order.prices_changed":
      return pricesChanged(state, lockedQuote(refusal.data, state.view.quoteLifeSeconds, now));
    case "order.stock_short": {
      const { short } = refusal.data;
      return done(withLock(withoutLockedPrices(state), { problem: refusal, shortage: short }), shortageDialog(state, short));
    }
    case "market.closed":
    case "rates.stale":
    case "payment.over_limit":
    case "payment.not_allowed":
      return done(withLock(withoutLockedPrices(state), { problem: refusal, retryAt: retryAfter(refusal, now) }), refusalDialog(refusal));
    case "order.phone_unconfirmed": {
      const isSignedIn = state.view.buyer !== null;
      const phone = isSignedIn ? "Счёт на такую сумму выставляем на телефон, с которым вы вошли" : refusal.message;
      return done(withMistakes(state, { phone }), ...(isSignedIn ? [] : [refusalDialog(refusal, state.draft.user.phone)]));
    }
    case "quote.not_found":
    case "order.key_reused":
      return done(withoutLockedPrices(state), refusalDialog(refusal));
    default: {
      const fields = knownFields(refusal.fields);
      return Object.keys(fields).length > 0 ? done(withMistakes(state, fields)) : done(state, refusalDialog(refusal));
    }
  }
}

/** The refusal of the order contains a new lock at new prices: the buyer has to accept them. */
function pricesChanged(state: CheckoutState, fresh: LockedQuote): Transition {
  const { madeFor, shown } = factsOf(state);
  const before = state.lock.question?.before ?? state.draft.quote ?? shown;
  const next = withDraft(state, { quote: { ...fresh, madeFor }, attempt: null });
  return askAboutPrices(withLock(next, { movedFrom: null, offer: null }), before, fresh, "place");
}
