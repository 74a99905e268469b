import { useState } from "react";
import { Link } from "react-router";
import { counted } from "#kit/format.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import type { OpenDialogProps, OrderErrorProps } from "../../dialogs/dialog-props.ts";
import { openDialog } from "../../dialogs/dialogs.tsx";
import { storeAuthPhone } from "../../sign-in/auth-phone.ts";

/** Why the order was not made, and what the buyer can do next. */
export default function OrderErrorDialog({
  title,
  message,
  short,
  onTakeRest,
  way = { href: "/cart", name: "Вернуться в корзину" },
  phoneToConfirm,
  isOpen,
  onClose,
}: OrderErrorProps & OpenDialogProps) {
  const [isBusy, setBusy] = useState(false);
  async function takeRest() {
    setBusy(true);
    await onTakeRest?.();
    onClose();
  }
  function confirm(phone: string) {
    storeAuthPhone(phone);
    openDialog("auth", {});
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <p role="alert">{message}</p>
      {short && short.length > 0 ? (
        <ul className="short">
          {short.map((each) => (
            <li key={each.id}>
              <b>{each.title}</b>
              <span>{each.available > 0 ? `осталось ${counted(each.available, ["штука", "штуки", "штук"])}` : "закончилась"}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="dialog__actions">
        {phoneToConfirm === undefined ? (
          <Link className="button button--line" to={way.href}>
            {way.name}
          </Link>
        ) : (
          <button className="button button--line" type="button" onClick={onClose}>
            Не сейчас
          </button>
        )}
        {phoneToConfirm !== undefined ? (
          <button className="button button--gold" type="button" data-autofocus onClick={() => confirm(phoneToConfirm)}>
            Подтвердить по SMS
          </button>
        ) : onTakeRest ? (
          <button className="button button--gold" type="button" data-autofocus disabled={isBusy} onClick={() => void takeRest()}>
            {isBusy ? "Обновляем…" : "Взять, что осталось"}
          </button>
        ) : (
          <button className="button button--gold" type="button" data-autofocus onClick={onClose}>
            Понятно
          </button>
        )}
      </div>
    </Dialog>
  );
}
