import { useState } from "react";
import { useNavigate, useRevalidator } from "react-router";
import type { QuoteView } from "#contract/checkout.ts";
import { callApi, type ApiRefusal } from "#contract/client.ts";
import type { OrderView } from "#contract/orders.ts";
import { randomId } from "#kit/ids.ts";
import { normalisePhone } from "#shop/customers/customer.ts";
import { methodById } from "#shop/payment/payment.ts";
import { openDialog } from "../dialogs.tsx";
import { isPaidByPhone } from "../my/pay-order.ts";
import { refreshState } from "../state.ts";
import { storedDraft, type CheckoutDraft } from "./draft.ts";
import { clearCheckout } from "./draft-store.ts";
import { lockedQuote, type LockedQuote } from "./locked-quote.ts";
import { knownFields, type FieldErrors } from "./order-errors.ts";
import type { useLock } from "./use-lock.ts";

export type Placed = {
  number: number;
  href: string;
  /** The page stays, because the payment goes on in a dialog, which can be opened again; null when the browser goes on to another page. */
  toPay: { paymentId: number; until: Date | null; openDialog: () => void } | null;
};

type OrderAsk = {
  draft: CheckoutDraft;
  change: (patch: Partial<CheckoutDraft>) => void;
  pvzId: string | null;
  lifeSeconds: number;
  isSignedIn: boolean;
  prices: ReturnType<typeof useLock>;
  onWrongFields: (errors: FieldErrors) => void;
  onShort: (refusal: ApiRefusal) => void;
  onPlaced: () => void;
};

/** How often a call that is still running on the server is asked about again. */
const patience = 5;

/** Makes the order from locked prices, says why it was refused, and leads on to the payment. */
export function useOrder({ draft, change, pvzId, lifeSeconds, isSignedIn, prices, onWrongFields, onShort, onPlaced }: OrderAsk) {
  const [isOrdering, setOrdering] = useState(false);
  const [placed, setPlaced] = useState<Placed | null>(null);
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();

  async function place(quote: LockedQuote, asked = 0): Promise<void> {
    setOrdering(true);
    const body = bodyOf(draft, quote, pvzId);
    const text = JSON.stringify(body);
    // The same body goes with the same key, after a reload too: a lost answer makes no second order.
    const known = storedDraft()?.attempt ?? null;
    const attempt = known?.body === text ? known : { key: randomId(), body: text };
    change({ attempt });
    const answer = await callApi<OrderView>("/api/orders", { method: "POST", body, idempotencyKey: attempt.key });
    if (answer.ok) return finish(answer.value);
    if (answer.error.code === "order.in_progress" && asked < patience) {
      await new Promise((resolve) => setTimeout(resolve, (answer.error.retryAfter ?? 1) * 1000));
      return place(quote, asked + 1);
    }
    setOrdering(false);
    return refused(answer.error);
  }

  async function refused(error: ApiRefusal): Promise<void> {
    switch (error.code) {
      case "order.prices_changed":
        return prices.takeRefused(lockedQuote(error.data as QuoteView, lifeSeconds), (fresh) => void place(fresh));
      case "order.stock_short":
      case "cart.stock_short":
        prices.drop();
        return onShort(error);
      case "quote.used":
      case "cart.empty":
        await Promise.all([refreshState(), revalidate()]);
        return tell(error);
      case "market.closed":
      case "rates.stale":
      case "payment.over_limit":
      case "payment.not_allowed":
        prices.drop();
        prices.setProblem(error);
        return tell(error);
      case "order.phone_unconfirmed":
        onWrongFields({ phone: isSignedIn ? "Счёт на такую сумму выставляем на телефон, с которым вы вошли" : error.message });
        return isSignedIn ? undefined : tell(error, draft.user.phone);
      case "quote.not_found":
      case "order.key_reused":
        prices.drop();
        return tell(error);
      default: {
        const fields = knownFields(error.fields);
        return Object.keys(fields).length > 0 ? onWrongFields(fields) : tell(error);
      }
    }
  }

  function finish(order: OrderView): void {
    const key = order.key ?? null;
    const href = `/thanks?order=${encodeURIComponent(order.id)}${key ? `&key=${encodeURIComponent(key)}` : ""}`;
    const pageUrl = order.payment.confirmationUrl ?? null;
    const isOwedOnline = order.status === "awaiting_payment" && methodById(order.payment.id)?.isOnline === true;
    const isWaiting = pageUrl ? isPaidByPhone(order.payment.id) : isOwedOnline;
    const openPayment = () =>
      openDialog("payment", { orderId: order.id, orderNumber: order.number, orderKey: key, thanksHref: href, pageUrl });
    const until = order.payment.payUntil === undefined ? null : new Date(order.payment.payUntil);
    setPlaced({ number: order.number, href, toPay: isWaiting ? { paymentId: order.payment.id, until, openDialog: openPayment } : null });
    onPlaced();
    clearCheckout();
    void refreshState();
    if (isWaiting) openPayment();
    else if (pageUrl) location.assign(pageUrl);
    else void navigate(href, { replace: true });
  }

  return { isOrdering, placed, place };
}

/** Why there is no order yet. Whatever was entered stays, and so does the key of the attempt. `phoneToConfirm`: signing in with it helps. */
export function tell(refusal: ApiRefusal, phoneToConfirm?: string): void {
  const isLost = refusal.code === "network.failed" || refusal.status >= 500;
  const orderId =
    typeof refusal.data === "object" && refusal.data !== null && "orderId" in refusal.data ? String(refusal.data.orderId) : null;
  openDialog("orderError", {
    title: refusal.code === "quote.used" ? "Заказ уже оформлен" : "Заказ пока не оформлен",
    message: isLost
      ? `${refusal.message}. Всё, что вы ввели, сохранено. Нажмите кнопку ещё раз: второго заказа не будет.`
      : `${refusal.message}.`,
    ...(isLost || refusal.code === "order.reserve_limit" ? { way: { href: "/contacts", name: "Контакты" } } : {}),
    ...(phoneToConfirm === undefined ? {} : { phoneToConfirm }),
    ...(refusal.code === "order.too_many_unpaid" || orderId
      ? { way: { href: orderId ? `/my/orders/${orderId}` : "/my/orders", name: "К моим заказам" } }
      : {}),
  });
}

const bodyOf = (draft: CheckoutDraft, quote: LockedQuote, pvzId: string | null) => ({
  quoteId: quote.id,
  user: { ...trimmed(draft.user), phone: normalisePhone(draft.user.phone) ?? draft.user.phone },
  delivery: { id: draft.choice.deliveryId, pvzId },
  address: draft.choice.isCourier || draft.choice.type === "specialcontact" ? { city: draft.city.name, ...trimmed(draft.address) } : null,
  paymentId: draft.choice.paymentId,
  consent: true,
  ...(draft.wantsNewsletter ? { newsletter: true } : {}),
});

const trimmed = <T extends Record<string, string>>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.trim()])) as T;
