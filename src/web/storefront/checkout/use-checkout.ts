import { useCallback, useEffect, useRef, useState } from "react";
import { useNavigate, useRevalidator } from "react-router";
import type { QuoteView } from "#contract/checkout.ts";
import { callApi, type ApiRefusal } from "#contract/client.ts";
import type { OrderView } from "#contract/orders.ts";
import { randomId } from "#kit/ids.ts";
import { add, fromRoubles, type Kopecks } from "#kit/money.ts";
import { normalisePhone } from "#shop/customers/customer.ts";
import { deliveryById, paymentsAllowed } from "#shop/delivery/delivery.ts";
import { openDialog, openDialogWhenFree } from "../dialogs.tsx";
import { refreshState, setCartQuantity } from "../state.ts";
import type { CheckoutView } from "./checkout-view.ts";
import { choose, fit, sharesPoints } from "./delivery-choice.ts";
import { clearCheckout, emptyDraft, storedDraft, storeDraft, type CheckoutDraft } from "./draft.ts";
import { hasMoved, lockedQuote, type LockedQuote } from "./locked-quote.ts";
import { allMistakes, contactFields, deliveryFields, knownFields, type FieldErrors } from "./order-errors.ts";
import { useDeliveries } from "./use-deliveries.ts";
import { usePoints } from "./use-points.ts";

type Placed = { id: string; number: number; key: string | null; href: string };

/** How often a call that is still running on the server is asked about again. */
const patience = 5;

/** Everything that happens on the checkout page: what was entered, what it costs, and how it becomes an order. */
export function useCheckout(view: CheckoutView) {
  const [draft, setDraft] = useState<CheckoutDraft>(() => begun(view));
  const [isRestored, setRestored] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState<ApiRefusal | null>(null);
  const [isLocking, setLocking] = useState(false);
  const [isOrdering, setOrdering] = useState(false);
  const [placed, setPlaced] = useState<Placed | null>(null);
  /** Prices that moved and were not agreed to yet: what the buyer saw last. */
  const [seen, setSeen] = useState<LockedQuote | null>(null);
  /** What the buyer saw before his own change brought fresh prices. */
  const [moved, setMoved] = useState<LockedQuote | null>(null);
  const [ticks, setTicks] = useState(0);
  /** How often an order was refused for its fields: each time the summary takes the focus. */
  const [refusals, setRefusals] = useState(0);
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const change = useCallback((patch: Partial<CheckoutDraft>) => setDraft((before) => ({ ...before, ...patch })), []);

  // What the tab remembers is known in the browser only; the first drawing must equal the server's.
  useEffect(() => {
    const stored = storedDraft();
    if (stored) setDraft(withBuyer(stored, view));
    setRestored(true);
  }, []);
  const buyerId = view.buyer?.id ?? null;
  const profile = JSON.stringify(view.buyer);
  useEffect(() => {
    if (isRestored) setDraft((before) => withBuyer(before, view));
    // Signing in is a reason, and so is a profile that was completed since; reading the same again is none.
  }, [profile, isRestored]);
  useEffect(() => { if (isRestored && !placed) storeDraft(draft); }, [draft, isRestored, placed]);

  const cartKey = view.cart.lines.map((line) => `${line.id}:${line.quantity}`).join();
  const deliveries = useDeliveries(draft.city.code, cartKey, { cityCode: view.city.code, cart: cartKey, groups: view.groups });
  const points = usePoints(draft.city.code, draft.choice.deliveryId);

  useEffect(() => {
    if (deliveries.state === "ready") setDraft((before) => ({ ...before, choice: fit(before.choice, deliveries.groups) }));
  }, [deliveries.state, deliveries.groups]);
  useEffect(() => {
    if (points.state === "ready") setDraft((before) => (before.point && !points.list.some((point) => point.id === before.point?.id) ? { ...before, point: null } : before));
  }, [points.state, points.list]);

  const option = deliveries.groups.flatMap((group) => group.items).find((item) => item.id === draft.choice.deliveryId) ?? null;
  const needsPoint = deliveryById(draft.choice.deliveryId)?.hasPoint ?? false;
  const pvzId = needsPoint ? (draft.point?.id ?? null) : null;
  const quoteKey = JSON.stringify([draft.choice.deliveryId, pvzId, draft.city.code, draft.choice.paymentId, cartKey, buyerId]);
  const isLockable = isRestored && deliveries.state === "ready" && option !== null && (!needsPoint || pvzId !== null) && view.cart.lines.length > 0 && !placed;
  const live = draft.quote && draft.quote.madeFor === quoteKey ? draft.quote : null;
  const isLive = live !== null && live.endsAt > Date.now();
  const deliveryPrice: Kopecks | null = live ? live.delivery.price : option?.price != null ? fromRoubles(option.price) : null;
  const total = live ? live.total : add(view.cart.total, ...(deliveryPrice !== null ? [deliveryPrice] : []));

  // A way to pay that cannot take this sum gives way to one that can.
  const allowed = paymentsAllowed(draft.choice.deliveryId);
  const isOver = useCallback((paymentId: number) => { const limit = view.limits[paymentId]; return limit != null && total > limit; }, [view.limits, total]);
  const usable = allowed.find((id) => !isOver(id));
  useEffect(() => {
    if (isRestored && usable !== undefined && isOver(draft.choice.paymentId)) setDraft((before) => ({ ...before, choice: { ...before.choice, paymentId: usable } }));
  }, [isRestored, isOver, usable, draft.choice.paymentId]);

  const newest = useRef(quoteKey);
  newest.current = quoteKey;
  const agreed = useRef<LockedQuote | null>(null);
  agreed.current = seen ?? draft.quote;

  /**
   * Takes fresh prices, never silently. After the buyer's own change of delivery, payment or sign-in it is told beside the lock;
   * when the time ran out, or an order was refused for it, he is asked.
   */
  const take = useCallback((fresh: LockedQuote, madeFor: string, cause: "choice" | "time" | "order", onAccept?: () => void): "same" | "asked" => {
    const before = agreed.current;
    const isMoved = before !== null && hasMoved(before, fresh);
    change({ quote: { ...fresh, madeFor }, attempt: null });
    setProblem(null);
    setMoved(cause === "choice" && isMoved ? before : null);
    if (!before || cause === "choice" || (cause === "time" && !isMoved)) return "same";
    setSeen(before);
    openDialogWhenFree("updatePrices", { before, after: fresh, lifeSeconds: view.quoteLifeSeconds, onAccept: () => { setSeen(null); onAccept?.(); } });
    return "asked";
  }, [change, view.quoteLifeSeconds]);

  /** Asks for a lock. `then` is what the buyer pressed the button for: it goes on by itself only at prices that he has seen. */
  const lock = useCallback(async (then?: (quote: LockedQuote) => void): Promise<void> => {
    const madeFor = quoteKey;
    setLocking(true);
    const answer = await callApi<QuoteView>("/api/checkout/quote", {
      method: "POST", body: { deliveryId: draft.choice.deliveryId, pvzId, city: draft.city.code, paymentId: draft.choice.paymentId },
    });
    if (newest.current !== madeFor) return; // a newer choice is on its way
    setLocking(false);
    if (answer.ok) {
      const fresh = lockedQuote(answer.value, view.quoteLifeSeconds);
      const cause = draft.quote?.madeFor === madeFor ? "time" : "choice";
      if (take(fresh, madeFor, cause, () => then?.(fresh)) === "same") then?.(fresh);
      return;
    }
    setProblem(answer.error);
    if (answer.error.code === "cart.stock_short") tellShort(answer.error);
    else if (then) tell(answer.error);
    if (answer.error.code === "cart.empty") void revalidate();
  }, [quoteKey, pvzId, take, view.quoteLifeSeconds]);

  useEffect(() => {
    if (!isLockable || isOrdering || isOver(draft.choice.paymentId)) return;
    if (draft.quote?.madeFor === quoteKey && draft.quote.endsAt > Date.now()) return;
    const timer = setTimeout(() => void lock(), 250);
    return () => clearTimeout(timer);
  }, [isLockable, isOrdering, quoteKey, ticks, lock, isOver]);

  // When the ten minutes are over, fresh prices are asked for as soon as somebody looks.
  const endsAt = live?.endsAt ?? null;
  useEffect(() => {
    if (endsAt === null) return;
    const look = () => { if (document.visibilityState === "visible" && Date.now() >= endsAt) setTicks((count) => count + 1); };
    const timer = setTimeout(look, Math.max(0, endsAt - Date.now()) + 50);
    document.addEventListener("visibilitychange", look);
    return () => { clearTimeout(timer); document.removeEventListener("visibilitychange", look); };
  }, [endsAt]);

  const titleOf = (id: number) => view.cart.lines.find((line) => line.id === id)?.title ?? "Монета";

  function tellShort(refusal: ApiRefusal): void {
    const short = shortOf(refusal.data).map((each) => ({ ...each, title: titleOf(each.id) }));
    openDialog("orderError", {
      title: "Монет не хватает", message: "Пока вы оформляли заказ, часть монет разобрали. Заказ не сделан, деньги не списаны.", short,
      onTakeRest: async () => {
        for (const each of short) await setCartQuantity(each.id, each.available);
        change({ quote: null, attempt: null });
        await revalidate();
      },
    });
  }

  function tell(refusal: ApiRefusal): void {
    const isLost = refusal.code === "network.failed" || refusal.status >= 500;
    openDialog("orderError", {
      title: "Заказ пока не оформлен",
      message: isLost ? `${refusal.message}. Всё, что вы ввели, сохранено. Нажмите кнопку ещё раз: второго заказа не будет.` : `${refusal.message}.`,
      ...(refusal.code === "order.too_many_unpaid" ? { way: { href: "/my/orders", name: "К моим заказам" } } : isLost ? { way: { href: "/contacts", name: "Контакты" } } : {}),
    });
  }

  async function place(quote: LockedQuote, again = 0): Promise<void> {
    setOrdering(true);
    const body = {
      quoteId: quote.id,
      user: { ...trimmed(draft.user), phone: normalisePhone(draft.user.phone) ?? draft.user.phone },
      delivery: { id: draft.choice.deliveryId, pvzId },
      address: draft.choice.isCourier || draft.choice.type === "specialcontact" ? { city: draft.city.name, ...trimmed(draft.address) } : null,
      paymentId: draft.choice.paymentId, consent: true,
    };
    const text = JSON.stringify(body);
    const known = draft.attempt ?? storedDraft()?.attempt ?? null;
    const attempt = known?.body === text ? known : { key: randomId(), body: text };
    change({ attempt });
    const answer = await callApi<OrderView>("/api/orders", { method: "POST", body, idempotencyKey: attempt.key });
    if (answer.ok) return finish(answer.value);

    const { error } = answer;
    if (error.code === "order.in_progress" && again < patience) {
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 1) * 1000));
      return place(quote, again + 1);
    }
    setOrdering(false);
    switch (error.code) {
      case "order.prices_changed": {
        const fresh = lockedQuote(error.data as QuoteView, view.quoteLifeSeconds);
        take(fresh, quoteKey, "order", () => void place(fresh));
        return;
      }
      case "order.stock_short":
      case "cart.stock_short":
        change({ quote: null, attempt: null });
        return tellShort(error);
      case "quote.not_found":
      case "order.key_reused":
        change({ quote: null, attempt: null });
        return tell(error);
      case "quote.used":
      case "cart.empty":
        void refreshState();
        await revalidate();
        return tell(error);
      case "request.invalid":
        if (Object.keys(knownFields(error.fields)).length === 0) return tell(error);
        setErrors(knownFields(error.fields));
        setRefusals((count) => count + 1);
        return change({ closed: openedFor(knownFields(error.fields), draft.closed) });
      case "market.closed":
      case "rates.stale":
      case "payment.over_limit":
      case "payment.not_allowed":
        change({ quote: null, attempt: null });
        setProblem(error);
        return tell(error);
      default:
        return tell(error);
    }
  }

  function finish(order: OrderView): void {
    const key = order.key ?? null;
    const href = `/thanks?order=${encodeURIComponent(order.id)}${key ? `&key=${encodeURIComponent(key)}` : ""}`;
    setPlaced({ id: order.id, number: order.number, key, href });
    clearCheckout();
    void refreshState();
    const isOnline = order.payment.id === 4 || order.payment.id === 5;
    if (order.payment.confirmationUrl) return location.assign(order.payment.confirmationUrl);
    if (!isOnline || order.status !== "awaiting_payment") return void navigate(href, { replace: true });
    openDialog("payment", { orderId: order.id, orderNumber: order.number, orderKey: key, thanksHref: href });
  }

  /** Checks everything once more and orders. */
  function submit(): void {
    const mistakes = allMistakes(draft);
    setErrors(mistakes);
    if (Object.keys(mistakes).length > 0) {
      setRefusals((count) => count + 1);
      return change({ closed: openedFor(mistakes, draft.closed) });
    }
    const order = (quote: LockedQuote) => {
      if (draft.choice.paymentId !== onCollection) return void place(quote);
      openDialog("paymentPickup", { total: quote.total, address: view.office.address, hours: view.office.hours, onConfirm: () => void place(quote) });
    };
    if (!live) void lock(order);
    else if (seen) openDialog("updatePrices", { before: seen, after: live, lifeSeconds: view.quoteLifeSeconds, onAccept: () => { setSeen(null); order(live); } });
    else order(live);
  }

  /** Another way of delivery keeps the point while it is of the same kind. */
  const chooseDelivery = (id: number) => setDraft((before) => ({
    ...before, choice: choose(before.choice, id), point: sharesPoints(before.choice.deliveryId, id) ? before.point : null,
  }));

  return {
    draft, change, errors, setErrors, problem, deliveries, points, option, total, deliveryPrice, live, isLive, isLocking, isOrdering, placed, allowed, isOver, refusals, moved,
    isLockable, needsPoint, chooseDelivery, submit, lock,
  };
}
export type Checkout = ReturnType<typeof useCheckout>;

const onCollection = 7;

/** Folded steps with a mistake in them open up. */
const openedFor = (mistakes: FieldErrors, closed: CheckoutDraft["closed"]): CheckoutDraft["closed"] => ({
  contacts: closed.contacts && !contactFields.some((name) => mistakes[name]),
  delivery: closed.delivery && !deliveryFields.some((name) => mistakes[name]),
});

function begun(view: CheckoutView): CheckoutDraft {
  return withBuyer({ ...emptyDraft, city: view.city, choice: fit(emptyDraft.choice, view.groups) }, view);
}

/** Fills what is still untouched from the profile, the way and point of the last order too; nothing that was entered is overwritten. */
function withBuyer(draft: CheckoutDraft, { buyer, groups }: Pick<CheckoutView, "buyer" | "groups">): CheckoutDraft {
  if (!buyer) return draft;
  const user = filled(draft.user, buyer.user);
  const isUntouched = draft.point === null && draft.choice.deliveryId === fit(emptyDraft.choice, groups).deliveryId;
  const city = buyer.city && isUntouched && draft.city.code === emptyDraft.city.code ? buyer.city : draft.city;
  const isUsual = isUntouched && buyer.city?.code === city.code && buyer.deliveryId !== null;
  const choice = isUsual && buyer.deliveryId !== null ? choose(draft.choice, buyer.deliveryId) : draft.choice;
  const point = draft.point ?? (buyer.city?.code === city.code ? buyer.point : null);
  const isKnown = user.name !== "" && user.lastName !== "" && user.email !== "" && user.phone !== "";
  return { ...draft, user, city, choice, point, address: filled(draft.address, buyer.address), closed: { ...draft.closed, contacts: draft.closed.contacts || (isKnown && draft.user.name === "") } };
}

const filled = <T extends Record<string, string>>(typed: T, known: T): T =>
  Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, value || (known[name] ?? "")])) as T;

const trimmed = <T extends Record<string, string>>(fields: T): T => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.trim()])) as T;

function shortOf(data: unknown): { id: number; available: number }[] {
  if (typeof data !== "object" || data === null || !("short" in data) || !Array.isArray(data.short)) return [];
  return data.short as { id: number; available: number }[];
}
