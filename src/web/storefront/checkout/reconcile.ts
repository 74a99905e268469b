import { done, type CheckoutEffect, type DeliverySlot, type Transition } from "./checkout-events.ts";
import { deliveriesKey, factsOf, isInPage, pointsKey, withCurrent, withDraft, withLock, type CheckoutState } from "./checkout-state.ts";
import { fit } from "./delivery/delivery-choice.ts";

/** Updates what depends on the choices: lists, the way of delivery, the payment method, the lock. */
export function reconcile(state: CheckoutState): Transition {
  if (state.isOver) return stopAll(state);
  const effects: CheckoutEffect[] = [];
  let next = loadLists(state, effects);
  next = withOfferedChoices(next);
  next = loadPoints(next, effects);
  next = withListedPoint(next);
  const { payableInstead } = factsOf(next);
  if (payableInstead !== null) next = withDraft(next, { choice: { ...next.draft.choice, paymentId: payableInstead } });
  next = followLock(next, effects);
  return { state: next, effects };
}

function stopAll(state: CheckoutState): Transition {
  const { pauseFor, watchedEnd } = state.lock;
  if (pauseFor === null && watchedEnd === null) return done(state);
  return done(withLock(state, { pauseFor: null, watchedEnd: null }), { type: "stopPause" }, { type: "watchLockEnd", endsAt: null });
}

function loadLists(state: CheckoutState, effects: CheckoutEffect[]): CheckoutState {
  const { view, draft } = state;
  const { current, isElsewhere } = factsOf(state);
  const load = (slot: DeliverySlot, cityCode: string | null): CheckoutState[DeliverySlot] => {
    const before = state[slot];
    if (cityCode === null || isInPage(view, cityCode)) {
      if (before?.state === "loading") effects.push({ type: "stopLoading", what: slot });
      return null;
    }
    const key = deliveriesKey(view, cityCode);
    if (before?.key === key) return before;
    // The list of a new choice stays valid when the choice is confirmed.
    if (slot === "deliveries" && state.newDeliveries?.key === key && state.newDeliveries.state === "ready") return state.newDeliveries;
    effects.push({ type: "loadDeliveries", slot, cityCode, key });
    return { key, state: "loading", list: [] };
  };
  const deliveries = load("deliveries", draft.city.code);
  const newDeliveries = load("newDeliveries", isElsewhere ? current.city.code : null);
  return deliveries === state.deliveries && newDeliveries === state.newDeliveries ? state : { ...state, deliveries, newDeliveries };
}

function withOfferedChoices(state: CheckoutState): CheckoutState {
  const { counting, deliveries } = factsOf(state);
  const { draft, view } = state;
  let next = state;
  if (counting.state === "ready") {
    const choice = fit(draft.choice, counting.groups, view);
    if (!isSame(choice, draft.choice)) next = withDraft(next, { choice });
  }
  if (draft.anew && deliveries.state === "ready") {
    const choice = fit(draft.anew.choice, deliveries.groups, view);
    if (!isSame(choice, draft.anew.choice)) next = withDraft(next, { anew: { ...draft.anew, choice } });
  }
  return next;
}

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

function loadPoints(state: CheckoutState, effects: CheckoutEffect[]): CheckoutState {
  const { current } = factsOf(state);
  const key = pointsKey(current);
  if (key === (state.points?.key ?? null)) return state;
  if (key === null) {
    effects.push({ type: "stopLoading", what: "points" });
    return { ...state, points: null };
  }
  effects.push({ type: "loadPoints", cityCode: current.city.code, deliveryId: current.choice.deliveryId, key });
  return { ...state, points: { key, state: "loading", list: [] } };
}

/** Removes a chosen point that is no longer in the list. */
function withListedPoint(state: CheckoutState): CheckoutState {
  const { points, current } = factsOf(state);
  const { point } = current;
  if (points.state !== "ready" || point === null || points.list.some(({ id }) => id === point.id)) return state;
  return withCurrent(state, () => ({ point: null }));
}

/** Starts the delay before a lock for a new choice, and the timer for the end of the current lock. */
function followLock(state: CheckoutState, effects: CheckoutEffect[]): CheckoutState {
  const { isLockable, madeFor, locked } = factsOf(state);
  const pauseFor = isLockable ? `${state.lock.round} ${madeFor}` : null;
  const watchedEnd = state.lock.retryAt ?? locked?.endsAt ?? null;
  if (pauseFor !== state.lock.pauseFor) effects.push({ type: pauseFor === null ? "stopPause" : "startPause" });
  if (watchedEnd !== state.lock.watchedEnd) effects.push({ type: "watchLockEnd", endsAt: watchedEnd });
  return pauseFor === state.lock.pauseFor && watchedEnd === state.lock.watchedEnd ? state : withLock(state, { pauseFor, watchedEnd });
}
