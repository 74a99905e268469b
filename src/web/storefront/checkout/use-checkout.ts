import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import type { ApiRefusal } from "#contract/client.ts";
import { add, fromRoubles, times, zero, type Kopecks } from "#kit/money.ts";
import { deliveryById, paymentsAllowed } from "#shop/delivery/delivery.ts";
import { openDialog, warmDialog } from "../dialogs.tsx";
import { setCartQuantity } from "../state.ts";
import type { CheckoutView } from "./checkout-view.ts";
import type { CheckoutDraft } from "./draft.ts";
import type { LockedQuote } from "./locked-quote.ts";
import { allMistakes, contactFields, deliveryFields, type FieldErrors } from "./order-errors.ts";
import { whyClosed } from "./payment-words.ts";
import { useDelivery } from "./use-delivery.ts";
import { useDraft } from "./use-draft.ts";
import { useLock } from "./use-lock.ts";
import { tell, useOrder } from "./use-order.ts";

const onCollection = 7;

/** Everything that happens on the checkout page: what was entered, what it costs, and how it becomes an order. */
export function useCheckout(view: CheckoutView) {
  const { draft, setDraft, change, isRestored, finish } = useDraft(view);
  const [errors, setErrors] = useState<FieldErrors>({});
  /** How often an order was refused for its fields: each time the summary takes the focus. */
  const [refusals, setRefusals] = useState(0);
  const { revalidate } = useRevalidator();

  // What must be told when the connection is lost cannot be loaded then.
  useEffect(() => {
    for (const name of ["orderError", "updatePrices", "payment", "paymentPickup"] as const) warmDialog(name);
  }, []);

  const { lines } = view.cart;
  const cartKey = lines.map((line) => `${line.id}:${line.quantity}`).join();
  const delivery = useDelivery({ draft, setDraft, view, cartKey });

  const { choice } = draft;
  const option = delivery.counting.groups.flatMap((group) => group.items).find((item) => item.id === choice.deliveryId) ?? null;
  const needsPoint = deliveryById(choice.deliveryId)?.hasPoint ?? false;
  const pvzId = needsPoint ? (draft.point?.id ?? null) : null;
  const isChosen = option !== null && (!needsPoint || pvzId !== null);
  const optionPrice = option ? fromRoubles(option.price) : zero;
  const shown: LockedQuote = {
    id: "",
    expiresAt: view.cart.pricedAt,
    endsAt: 0,
    total: add(view.cart.total, optionPrice),
    delivery: { id: choice.deliveryId, price: optionPrice },
    lines: lines.map((line) => ({
      id: line.id,
      title: line.title,
      count: line.quantity,
      price: line.price ?? zero,
      sum: times(line.price ?? zero, line.quantity),
    })),
  };
  const madeFor = JSON.stringify([choice.deliveryId, pvzId, draft.city.code, choice.paymentId, cartKey, view.buyer?.id ?? null]);
  const locked = draft.quote?.madeFor === madeFor ? draft.quote : null;
  const total = locked?.total ?? shown.total;

  // A way to pay that cannot take this sum gives way to one that can.
  const allowed = paymentsAllowed(choice.deliveryId);
  const receiptLines = lines.length + (optionPrice > 0 ? 1 : 0);
  const isOver = (paymentId: number): boolean =>
    whyClosed(paymentId, { total, limits: view.limits, receiptLines, receiptLinesMax: view.receiptLinesMax }) !== null;
  const isTooMuch = isOver(choice.paymentId);
  const usable = allowed.find((id) => !isOver(id));
  useEffect(() => {
    if (isRestored && isTooMuch && usable !== undefined)
      setDraft((before) => ({ ...before, choice: { ...before.choice, paymentId: usable } }));
  }, [isRestored, isTooMuch, usable, setDraft]);

  const [isBusy, setBusy] = useState(false);
  const prices = useLock({
    draft,
    change,
    madeFor,
    pvzId,
    shown: locked ?? shown,
    page: shown,
    lifeSeconds: view.quoteLifeSeconds,
    market: `${view.cart.market.isOpen} ${view.cart.isDead} ${view.cart.pricedAt}`,
    isLockable: isRestored && delivery.counting.state === "ready" && isChosen && !isTooMuch && lines.length > 0 && !isBusy,
    onRefused: (refusal, isAsked) => {
      if (refusal.code === "cart.stock_short") tellShort(refusal);
      else if (isAsked) tell(refusal);
      if (refusal.code === "cart.empty") void revalidate();
    },
  });
  const { isOrdering, placed, place } = useOrder({
    draft,
    change,
    pvzId,
    prices,
    lifeSeconds: view.quoteLifeSeconds,
    isSignedIn: view.buyer !== null,
    onWrongFields: showMistakes,
    onShort: tellShort,
    onPlaced: () => {
      finish();
      setBusy(true);
    },
  });

  function showMistakes(mistakes: FieldErrors): void {
    setErrors(mistakes);
    setRefusals((count) => count + 1);
    change({ closed: openedFor(mistakes, draft.closed) });
  }

  function tellShort(refusal: ApiRefusal): void {
    const short = shortOf(refusal.data).map((each) => ({ ...each, title: lines.find((line) => line.id === each.id)?.title ?? "Монета" }));
    openDialog("orderError", {
      title: "Монет не хватает",
      message: "Пока вы оформляли заказ, часть монет разобрали. Заказ не сделан, деньги не списаны.",
      short,
      onTakeRest: async () => {
        prices.changeContents();
        for (const each of short) await setCartQuantity(each.id, each.available);
        await revalidate();
      },
    });
  }

  /** Checks everything once more and orders. */
  function submit(): void {
    const mistakes = allMistakes(draft);
    if (Object.keys(mistakes).length > 0) return showMistakes(mistakes);
    setErrors({});
    prices.withLock((quote) => {
      if (choice.paymentId !== onCollection) return void place(quote);
      openDialog("paymentPickup", {
        total: quote.total,
        address: view.office.address,
        hours: view.office.hours,
        onConfirm: () => void place(quote),
      });
    });
  }

  const deliveryPrice: Kopecks | null = locked ? locked.delivery.price : option ? optionPrice : null;
  return {
    draft,
    change,
    errors,
    setErrors,
    refusals,
    delivery,
    option,
    needsPoint,
    total,
    deliveryPrice,
    prices,
    isOrdering,
    placed,
    allowed,
    receiptLines,
    submit,
    forget: finish,
  };
}
export type Checkout = ReturnType<typeof useCheckout>;

/** Folded steps with a mistake in them open up. */
const openedFor = (mistakes: FieldErrors, closed: CheckoutDraft["closed"]): CheckoutDraft["closed"] => ({
  contacts: closed.contacts && !contactFields.some((name) => mistakes[name]),
  delivery: closed.delivery && !deliveryFields.some((name) => mistakes[name]),
});

function shortOf(data: unknown): { id: number; available: number }[] {
  if (typeof data !== "object" || data === null || !("short" in data) || !Array.isArray(data.short)) return [];
  return data.short as { id: number; available: number }[];
}
