import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import { randomId } from "#kit/ids.ts";
import { closeDialog, openDialog, openDialogWhenFree } from "../dialogs/dialogs.tsx";
import { isPaidByPhone } from "../my/order/pay-order.ts";
import { announce, isSignedOut, refreshState, setCartQuantity } from "../shared/visitor-state.ts";
import { arrivalOf, openedAddress } from "./arrival.ts";
import type { CheckoutEffect, CheckoutEvent } from "./checkout-events.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { clearCheckout, writeDraft } from "./draft-store.ts";
import { fetchPoints } from "./delivery/points/use-points.ts";

/** What the effects need from their surroundings. */
type Surroundings = {
  view: () => CheckoutView;
  dispatch: (event: CheckoutEvent) => void;
  navigate: (to: string) => void;
  reloadPage: () => Promise<void>;
};

type EffectOf<T extends CheckoutEffect["type"]> = Extract<CheckoutEffect, { type: T }>;

/** Delay before a lock, so that several quick changes cause one call. */
const pauseMs = 250;

/** Stopped when the page is left. The other effects finish, as the answer to an order must be handled. */
const pageEffects: readonly CheckoutEffect["type"][] = [
  "storeDraft",
  "loadDeliveries",
  "loadPoints",
  "requestLock",
  "startPause",
  "watchLockEnd",
  "reloadPage",
];

/** Runs the reducer's effects and reports their results as events. `stop` ends the page's calls and timers. */
export function createEffects({ view, dispatch, navigate, reloadPage }: Surroundings) {
  const calls = new Map<EffectOf<"stopLoading">["what"], AbortController>();
  let pause: ReturnType<typeof setTimeout> | undefined;
  let stopWatching = () => {};
  let isStopped = false;

  /** One call at a time for each list: a newer call aborts the older one. */
  function begin(what: EffectOf<"stopLoading">["what"]): AbortSignal {
    calls.get(what)?.abort();
    const call = new AbortController();
    calls.set(what, call);
    return call.signal;
  }

  async function loadDeliveries({ slot, cityCode, key }: EffectOf<"loadDeliveries">): Promise<void> {
    const signal = begin(slot);
    const answer = await callApi(contract.findDeliveries, { body: { code: cityCode }, signal });
    if (!signal.aborted) dispatch({ type: "deliveries.received", slot, key, groups: answer.ok ? answer.value : null });
  }

  async function loadPoints({ cityCode, deliveryId, key }: EffectOf<"loadPoints">): Promise<void> {
    const signal = begin("points");
    const list = await fetchPoints(cityCode, deliveryId, signal);
    if (!signal.aborted) dispatch({ type: "points.received", key, list });
  }

  async function requestLock({ id, body }: EffectOf<"requestLock">): Promise<void> {
    const answer = await callApi(contract.makeQuote, { body });
    if (isStopped) return;
    if (answer.ok) dispatch({ type: "lock.received", id, quote: answer.value, now: Date.now() });
    else dispatch({ type: "lock.refused", id, refusal: answer.error, now: Date.now() });
  }

  async function sendOrder({ body, key, delaySeconds }: EffectOf<"sendOrder">): Promise<void> {
    if (delaySeconds > 0) await new Promise((resolve) => setTimeout(resolve, delaySeconds * 1000));
    const source = arrivalOf(document.referrer, openedAddress(), location.origin);
    const answer = await callApi(contract.placeOrder, { body: source ? { ...body, source } : body, idempotencyKey: key });
    if (!answer.ok) return dispatch({ type: "order.refused", refusal: answer.error, now: Date.now() });
    dispatch({ type: "order.received", order: answer.value, isPaidOnPhone: isPaidByPhone(answer.value.payment.id) });
    announce("lists"); // the cart is empty now
  }

  /** Reports the end of the lock when the page is visible: a hidden tab needs no new prices. */
  function watchLockEnd(endsAt: number | null): void {
    stopWatching();
    if (endsAt === null) return;
    const look = () => {
      if (document.visibilityState === "visible" && Date.now() >= endsAt) dispatch({ type: "lock.expired" });
    };
    const timer = setTimeout(look, Math.max(0, endsAt - Date.now()) + 50);
    document.addEventListener("visibilitychange", look);
    stopWatching = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }

  function openPriceDialog({ questionId, before, after, isAwaited }: EffectOf<"openPriceDialog">): void {
    const open = isAwaited ? openDialog : openDialogWhenFree;
    // Closed first: accepting may open the next dialog.
    const onAccept = () => void closeDialog().then(() => dispatch({ type: "prices.accepted", questionId }));
    open("updatePrices", { before, after, lifeSeconds: view().quoteLifeSeconds, onAccept });
  }

  function openShortageDialog({ short, hasRest }: EffectOf<"openShortageDialog">): void {
    const takeRest = async (): Promise<void> => {
      dispatch({ type: "remainder.accepted" });
      for (const each of short) await setCartQuantity(each.id, each.available);
      await reloadPage();
    };
    openDialog("orderError", {
      title: hasRest ? "Монет не хватает" : "Монеты закончились",
      message: `Пока вы оформляли заказ, ${hasRest ? "часть монет" : "их"} разобрали. Заказ не сделан, деньги не списаны.`,
      short,
      onTakeRest: hasRest ? takeRest : undefined,
    });
  }

  async function openRefusalDialog({ text, isCartOutdated, isSessionInDoubt }: EffectOf<"openRefusalDialog">): Promise<void> {
    // A lock belongs to the session: without it the lock is not found. The page then ends with the session, and its message says so.
    if (isSessionInDoubt && view().buyer !== null) {
      await refreshState();
      if (isSignedOut()) return;
    }
    if (isCartOutdated) await Promise.all([refreshState(), reloadPage()]);
    openDialog("orderError", text);
  }

  function perform(effect: CheckoutEffect): void {
    if (isStopped && pageEffects.includes(effect.type)) return;
    switch (effect.type) {
      case "storeDraft":
        return writeDraft(effect.draft);
      case "clearDraft":
        return clearCheckout();
      case "loadDeliveries":
        return void loadDeliveries(effect);
      case "loadPoints":
        return void loadPoints(effect);
      case "stopLoading":
        return calls.get(effect.what)?.abort();
      case "storeCity":
        return void callApi(contract.findDeliveries, { body: { code: effect.cityCode } });
      case "startPause":
        clearTimeout(pause);
        pause = setTimeout(() => dispatch({ type: "pause.ended", now: Date.now() }), pauseMs);
        return;
      case "stopPause":
        return clearTimeout(pause);
      case "requestLock":
        return void requestLock(effect);
      case "watchLockEnd":
        return watchLockEnd(effect.endsAt);
      case "openPriceDialog":
        return openPriceDialog(effect);
      case "openShortageDialog":
        return openShortageDialog(effect);
      case "openRefusalDialog":
        return void openRefusalDialog(effect);
      case "openCollectionDialog":
        return openDialog("paymentPickup", {
          total: effect.total,
          address: view().office.address,
          hours: view().office.hours,
          onConfirm: () => dispatch({ type: "collection.confirmed", now: Date.now() }),
        });
      case "openPaymentDialog": {
        const { orderId, number, orderKey, href, pageUrl } = effect.placed;
        return openDialog("payment", { orderId, orderNumber: number, orderKey, thanksHref: href, pageUrl });
      }
      case "createKey":
        // Delayed, so that the other effects of this event run first.
        return queueMicrotask(() => dispatch({ type: "key.created", key: randomId() }));
      case "sendOrder":
        return void sendOrder(effect);
      case "reloadPage":
        return void reloadPage();
      case "reloadShopState":
        return void refreshState();
      case "leave":
        return effect.isProvider ? location.assign(effect.to) : navigate(effect.to);
    }
  }

  function start(): void {
    isStopped = false;
  }
  function stop(): void {
    isStopped = true;
    for (const call of calls.values()) call.abort();
    clearTimeout(pause);
    stopWatching();
    stopWatching = () => {};
  }
  return { perform, start, stop };
}
