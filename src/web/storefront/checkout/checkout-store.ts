import { startTransition, useEffect, useLayoutEffect, useState } from "react";
import { useNavigate, useRevalidator } from "react-router";
import { inNextTask, whenIdle } from "#web/client/when-idle.ts";
import { preloadDialog } from "../dialogs/dialogs.tsx";
import { createEffects } from "./checkout-effects.ts";
import type { CheckoutEvent } from "./checkout-events.ts";
import { reduce } from "./checkout-reducer.ts";
import { factsOf, initialState, type CheckoutFacts, type CheckoutState } from "./checkout-state.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { storedDraft } from "./draft.ts";

export type Checkout = { state: CheckoutState; facts: CheckoutFacts; dispatch: (event: CheckoutEvent) => void };

/**
 * Events that are not an answer to the buyer's last action: React may render what they change in slices, and an action of the buyer comes
 * first. The state is a whole each time, so a later one replaces an earlier one that is not rendered yet.
 */
const canWait: ReadonlySet<CheckoutEvent["type"]> = new Set<CheckoutEvent["type"]>([
  "page.opened",
  "deliveries.received",
  "points.received",
  "pause.ended",
  "lock.received",
]);

/** The reducer and its effects, while the page is shown. */
export function useCheckoutStore(view: CheckoutView): Checkout {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [store] = useState(() =>
    createStore(view, {
      navigate: (to) => void navigate(to, { replace: true }),
      reloadPage: revalidate,
    }),
  );
  const [state, setState] = useState(store.current);
  useLayoutEffect(() => {
    setState(store.current()); // effects of the page's parts come before this one
    return store.subscribe((event) => {
      if (canWait.has(event.type)) startTransition(() => setState(store.current()));
      else setState(store.current());
    });
  }, [store]);

  // In a task of its own: it reads the stored draft and starts calls.
  useEffect(
    () =>
      inNextTask(() => {
        store.start();
        store.dispatch({ type: "page.opened", stored: storedDraft() });
        const cancelPreload = whenIdle(preloadDialogs);
        return () => {
          cancelPreload();
          store.stop();
        };
      }),
    [store],
  );
  // Before the browser paints, so that the cart and the facts always belong together.
  useLayoutEffect(() => {
    if (store.current().view !== view) store.dispatch({ type: "page.reloaded", view });
  }, [store, view]);

  return { state, facts: factsOf(state), dispatch: store.dispatch };
}

/** Loaded ahead: offline, the dialog that reports the lost connection could not be loaded. */
function preloadDialogs(): void {
  for (const name of ["orderError", "updatePrices", "payment", "paymentPickup"] as const) preloadDialog(name);
}

type PageActions = { navigate: (to: string) => void; reloadPage: () => Promise<void> };

function createStore(view: CheckoutView, actions: PageActions) {
  let state = initialState(view);
  const listeners = new Set<(event: CheckoutEvent) => void>();
  const effects = createEffects({ view: () => state.view, dispatch, ...actions });

  function dispatch(event: CheckoutEvent): void {
    const step = reduce(state, event);
    state = step.state;
    for (const effect of step.effects) effects.perform(effect);
    for (const listener of listeners) listener(event);
  }
  return {
    dispatch,
    current: () => state,
    start: effects.start,
    stop: effects.stop,
    subscribe(listener: (event: CheckoutEvent) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
