import { useState } from "react";
import { Link } from "react-router";
import { Dialog } from "../../ui/dialog.tsx";
import type { InDialog } from "../dialogs.tsx";
import { askToPay } from "../my/pay-order.ts";

export type PaymentDialogProps = { orderId: string; orderNumber: number; orderKey: string | null; thanksHref: string };

/** The order stands, but the provider did not answer: the buyer tries again here, or pays later from the order's page. */
export default function PaymentDialog({ orderId, orderNumber, orderKey, thanksHref, isOpen, onClose }: PaymentDialogProps & InDialog) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function retry() {
    setBusy(true);
    setError(null);
    const refusal = await askToPay({ orderId, orderKey });
    if (refusal) {
      setBusy(false);
      setError(refusal);
    }
  }

  return (
    <Dialog title={`Заказ ${orderNumber} принят`} isOpen={isOpen} onClose={onClose}>
      <p>Монеты отложены по зафиксированной цене. Платёжная система сейчас не отвечает, деньги не списаны. Попробуйте открыть оплату ещё раз или вернитесь к ней позже со страницы заказа.</p>
      <p className="err" role="alert">{error ?? ""}</p>
      <div className="dlg__go">
        <Link className="btn btn--line" to={thanksHref}>К заказу</Link>
        <button className="btn btn--gold" type="button" data-autofocus disabled={isBusy} onClick={() => void retry()}>{isBusy ? "Открываем оплату…" : "Оплатить"}</button>
      </div>
    </Dialog>
  );
}
