import { useState } from "react";
import { useRevalidator } from "react-router";
import { Dialog } from "../../../ui/dialog.tsx";
import { Price } from "../../../ui/price.tsx";
import type { OrderPaymentProps, OpenDialogProps } from "../../dialogs/dialog-props.ts";
import { closeDialog } from "../../dialogs/dialogs.tsx";
import { paymentNames } from "../../shared/order-texts.ts";
import { showToast } from "../../../ui/toasts.tsx";
import { startPayment, notPayableText } from "./pay-order.ts";

/** Chooses how to pay an order that awaits payment. */
export default function OrderPaymentDialog({
  orderId,
  orderNumber,
  orderKey,
  total,
  methodId,
  methods,
  isOpen,
  onClose,
}: OrderPaymentProps & OpenDialogProps) {
  const usable = methods.filter((each) => !each.isOver);
  const [chosen, setChosen] = useState(usable.some((each) => each.id === methodId) ? methodId : (usable[0]?.id ?? methodId));
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const { revalidate } = useRevalidator();

  async function pay() {
    setBusy(true);
    setError(null);
    const refusal = await startPayment({ orderId, orderNumber, orderKey, paymentId: chosen });
    if (!refusal) return;
    const over = notPayableText(refusal, orderNumber);
    if (over === null) {
      setBusy(false);
      return setError(refusal.message);
    }
    // The page behind still offers the payment, which is no longer due: it is revalidated.
    await closeDialog();
    showToast(over);
    await revalidate();
  }

  return (
    <Dialog title="Как оплатите" isOpen={isOpen} onClose={onClose}>
      <fieldset className="payment-ways">
        <legend className="visually-hidden">Способ оплаты</legend>
        {methods.map(({ id, limit, isOver }) => (
          <label key={id} className="payment-ways__row">
            <input
              className="radio"
              type="radio"
              name="cabinet-payment"
              value={id}
              checked={chosen === id}
              disabled={isOver}
              onChange={() => setChosen(id)}
              data-autofocus={chosen === id ? "" : undefined}
            />
            <span>
              {paymentNames[id]}
              <small>
                {isOver ? (
                  "не вмещает этот заказ"
                ) : limit !== null ? (
                  <>
                    до <Price amount={limit} />
                  </>
                ) : (
                  "без предела"
                )}
              </small>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="error" role="alert">
        {error ?? ""}
      </p>
      <div className="dialog__actions">
        <button className="button button--gold" type="button" disabled={isBusy || usable.length === 0} onClick={() => void pay()}>
          {isBusy ? (
            "Открываем оплату…"
          ) : (
            <span>
              Оплатить <Price amount={total} />
            </span>
          )}
        </button>
      </div>
    </Dialog>
  );
}
