import { hoursLine } from "#kit/format.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Price } from "../../../ui/price.tsx";
import type { OpenDialogProps, PaymentPickupProps } from "../../dialogs/dialog-props.ts";

/** What the buyer agrees to before an order that is paid at the office. */
export default function PaymentPickupDialog({ total, address, hours, onConfirm, isOpen, onClose }: PaymentPickupProps & OpenDialogProps) {
  return (
    <Dialog title="Оплата при получении" isOpen={isOpen} onClose={onClose}>
      <p>
        Отложим монеты за вами по зафиксированной цене:{" "}
        <b>
          <Price amount={total} />
        </b>
        . Осмотрите их на месте и оплатите картой или наличными. Возьмите паспорт.
      </p>
      <p>
        {address}
        <br />
        {hoursLine(hours)}
      </p>
      <div className="dialog__actions">
        <button className="button button--line" type="button" onClick={onClose}>
          Изменить
        </button>
        <button
          className="button button--gold"
          type="button"
          data-autofocus
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          Заказать
        </button>
      </div>
    </Dialog>
  );
}
