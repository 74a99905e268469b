import { useState } from "react";
import { useActionData, useRevalidator } from "react-router";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import { deadline } from "#kit/format.ts";
import { openDialog, preloadDialog } from "../../dialogs/dialogs.tsx";
import { showToast } from "../../../ui/toasts.tsx";
import type { OrderPageView } from "./order-view.ts";
import { RepeatForm } from "../orders/repeat-form.tsx";

/**
 * Pay and cancel, as the state of the order allows; explains what cannot be done. Without scripts both are forms that the page's action
 * answers.
 */
export function OrderActions({ order, withPay }: { order: OrderPageView; withPay: boolean }) {
  const [isAsking, setAsking] = useState(false);
  /** The question was answered: the button that it replaced takes the focus again. */
  const [wasAsked, setWasAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();
  const { pay } = order;
  const refused = useActionData<{ message: string }>();

  /** `isKept`: the order is not cancelled. */
  function close(isKept: boolean) {
    setWasAsked(isKept);
    setAsking(false);
  }
  async function cancel() {
    setBusy(true);
    const answer = await callApi(contract.cancelOrder, { params: { id: order.id }, query: { key: order.key ?? undefined } });
    if (answer.ok) document.getElementById("main")?.focus({ preventScroll: true }); // a cancelled order has no such button
    await revalidate();
    setBusy(false);
    close(!answer.ok);
    showToast(answer.ok ? `Заказ ${order.number} отменён` : answer.error.message, answer.ok ? "info" : "refusal");
  }

  return (
    <>
      <div className="sections__actions">
        {withPay && pay?.canStart ? (
          <form
            className="bare"
            method="post"
            onSubmit={(event) => {
              event.preventDefault();
              openDialog("orderPayment", {
                orderId: order.id,
                orderNumber: order.number,
                orderKey: order.key,
                total: order.total,
                methodId: order.payment.methodId,
                methods: pay.methods,
              });
            }}
          >
            <button
              className="button button--gold button--wide"
              name="intent"
              value="to-pay"
              disabled={pay.isLate}
              aria-haspopup="dialog"
              aria-describedby="order-note"
              onPointerEnter={() => preloadDialog("orderPayment")}
              onFocus={() => preloadDialog("orderPayment")}
            >
              Оплатить
            </button>
          </form>
        ) : null}
        {order.canCancel && !isAsking ? (
          <button
            className="button button--line button--wide"
            type="button"
            ref={wasAsked ? focused : undefined}
            onClick={() => setAsking(true)}
          >
            Отменить заказ
          </button>
        ) : null}
        {order.canCancel ? (
          <noscript>
            <form method="post">
              <button className="button button--line button--wide" name="intent" value="cancel">
                Отменить заказ
              </button>
            </form>
          </noscript>
        ) : null}
        {order.canCancel && isAsking ? (
          <div className="confirm" role="group" aria-labelledby="cancel-ask">
            <p id="cancel-ask">
              Отменить заказ {order.number}? {order.paid > 0 ? "Деньги вернём тем же способом." : "Монеты вернутся в продажу."}
            </p>
            <button
              className="button button--gold button--small"
              type="button"
              disabled={isBusy}
              ref={focused}
              onClick={() => void cancel()}
            >
              {isBusy ? "Отменяем…" : "Да, отменить"}
            </button>
            <button className="button button--line button--small" type="button" disabled={isBusy} onClick={() => close(true)}>
              Оставить
            </button>
          </div>
        ) : null}
      </div>
      {order.pay ? null : (
        <div className="sections__again">
          <RepeatForm orderId={order.id} orderKey={order.key} className="button button--line button--wide" />
        </div>
      )}
      {refused ? (
        <p className="error" role="alert">
          {refused.message}
        </p>
      ) : null}
      <p className="bill__note" id="order-note">
        {noteOf(order)}
      </p>
    </>
  );
}

/** The question replaces the button and the button the question, so the focus moves to it. */
const focused = (button: HTMLButtonElement | null): void => button?.focus();

function noteOf({ pay, canCancel, collectUntil, state, payment, recipient, paid, refunded }: OrderPageView): string {
  const until = pay?.heldUntil ? deadline(pay.heldUntil) : null;
  if (pay?.isInvoice && paid > 0)
    return until
      ? `Пришла часть оплаты. Ждём остаток ${until} по московскому времени, потом заказ отменится, и мы вернём поступившее.`
      : "Пришла часть оплаты.";
  if (pay?.isInvoice)
    return (
      `Счёт с реквизитами отправили ${recipient.email ? `на ${recipient.email}` : "вам на почту"}.` +
      (until ? ` Монеты отложены ${until} по московскому времени.` : "")
    );
  if (pay?.isLate)
    return (
      "Время для новых попыток оплаты вышло. " +
      "Если вы уже заплатили, деньги дойдут сюда; иначе заказ отменится, и его можно собрать заново."
    );
  if (pay)
    return (
      (payment.status === "canceled" ? "Платёж не прошёл, деньги не списаны: попробуйте ещё раз. " : "") +
      (until ? `Монеты отложены ${until} по московскому времени.` : "")
    );
  if (state === "cancellation_requested")
    return (
      "Посылку уже собрали, поэтому мы попросили СДЭК её не везти." +
      `${paid > 0 ? " Деньги вернём, как только он ответит." : ""} Напишем, чем кончилось.`
    );
  if (state === "returning")
    return `Посылка едет обратно к нам.${paid > 0 ? " Когда монеты будут у нас, вернём деньги." : ""} Если заказ ещё нужен, позвоните.`;
  if (state === "returned" && paid > refunded) return "Монеты вернулись к нам. Деньги вернём тем же способом, напишем об этом отдельно.";
  if (state === "cancelled") return "Монеты этого заказа можно собрать снова по ценам на сейчас.";
  if (collectUntil)
    return (
      `Монеты отложены ${deadline(collectUntil)} по московскому времени, потом заказ отменится. ` +
      "Оплатите при получении картой или наличными, возьмите паспорт."
    );
  if (state === "placed") return "Оплатите при получении картой или наличными. Возьмите паспорт.";
  if (canCancel) return "До отправки заказ можно отменить, деньги вернём тем же способом.";
  if (state === "ready") return "Заказ ждёт вас. Отказаться можно при получении, после осмотра.";
  if (state === "shipped") return "Заказ уже в доставке. Отказаться можно при получении, после осмотра.";
  return "";
}
