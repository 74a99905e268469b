import { useEffect, useState } from "react";
import { Link, useNavigate } from "react-router";
import * as contract from "#contract/calls.ts";
import { callApi } from "#contract/client.ts";
import { qrOf } from "#kit/documents/qr.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { QrCode } from "../../../ui/qr-code.tsx";
import type { OpenDialogProps, PaymentDialogProps } from "../../dialogs/dialog-props.ts";
import { closeDialog } from "../../dialogs/dialogs.tsx";
import { startPayment, notPayableText } from "../../my/order/pay-order.ts";

/**
 * A payment that starts here: by a phone's camera on a desktop, or again when the provider did not answer. The order exists in both cases.
 */
export default function PaymentDialog(props: PaymentDialogProps & OpenDialogProps) {
  return props.pageUrl === null ? <Retry {...props} /> : <ByPhone {...props} pageUrl={props.pageUrl} />;
}

/** How often the state of the order is read while the buyer pays on the phone. */
const lookEveryMs = 3_000;

function ByPhone({
  orderId,
  orderNumber,
  orderKey,
  thanksHref,
  pageUrl,
  isOpen,
  onClose,
}: PaymentDialogProps & OpenDialogProps & { pageUrl: string }) {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      void callApi(contract.readOrder, { params: { id: orderId }, query: orderKey ? { key: orderKey } : {} }).then(async (answer) => {
        if (!answer.ok || answer.value.status === "awaiting_payment") return;
        clearInterval(timer);
        await closeDialog();
        await navigate(thanksHref, { replace: true });
      });
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [isOpen, orderId, orderKey, thanksHref, navigate]);

  return (
    <Dialog title="Оплата по СБП" isOpen={isOpen} onClose={onClose}>
      <div className="by-phone">
        <QrCode qr={qrOf(pageUrl)} label="Код со ссылкой на оплату" />
        <div>
          <p>
            Наведите камеру телефона: откроется страница оплаты, на ней выберите приложение банка. Когда деньги дойдут, эта страница
            обновится сама.
          </p>
          <p className="muted" role="status">
            Заказ {orderNumber} ждёт оплаты…
          </p>
        </div>
      </div>
      <div className="dialog__actions">
        <Link className="button button--line" to={thanksHref}>
          К заказу
        </Link>
        <a className="button button--gold" href={pageUrl} data-autofocus>
          Открыть страницу оплаты
        </a>
      </div>
    </Dialog>
  );
}

/** The order exists, but the provider did not answer: the buyer tries again here, or pays later from the order's page. */
function Retry({ orderId, orderNumber, orderKey, thanksHref, isOpen, onClose }: PaymentDialogProps & OpenDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const navigate = useNavigate();

  async function retry() {
    setBusy(true);
    setError(null);
    const refusal = await startPayment({ orderId, orderKey });
    if (!refusal) return;
    if (notPayableText(refusal, orderNumber) === null) {
      setBusy(false);
      return setError(refusal.message);
    }
    await closeDialog();
    await navigate(thanksHref, { replace: true }); // that page shows the state of the order
  }

  return (
    <Dialog title={`Заказ ${orderNumber} принят`} isOpen={isOpen} onClose={onClose}>
      <p>
        Монеты отложены по зафиксированной цене. Платёжная система сейчас не отвечает, деньги не списаны. Попробуйте открыть оплату ещё раз
        или вернитесь к ней позже со страницы заказа.
      </p>
      <p className="error" role="alert">
        {error ?? ""}
      </p>
      <div className="dialog__actions">
        <Link className="button button--line" to={thanksHref}>
          К заказу
        </Link>
        <button className="button button--gold" type="button" data-autofocus disabled={isBusy} onClick={() => void retry()}>
          {isBusy ? "Открываем оплату…" : "Оплатить"}
        </button>
      </div>
    </Dialog>
  );
}
