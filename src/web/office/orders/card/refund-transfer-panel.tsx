import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { priceText } from "#kit/format.ts";
import { fromRoubles } from "#kit/money.ts";
import { DateInput } from "../../ui/form/date-input.tsx";
import { Check, Field } from "../../ui/form/field.tsx";
import { Notice } from "../../ui/marks.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useSend } from "../../ui/send/use-send.ts";
import { refusalText } from "../refusal-text.ts";

/** A refund that the provider refused for good; `owed`: what is still to be made of it, in roubles. */
export type RefusedRefund = { id: string; orderId: string; orderNumber: string; owed: number };

/** Records the bank transfer by which staff has paid a refund that the provider refused. */
export function RefundTransferPanel({
  refund: { id, orderId, orderNumber, owed },
  onClose,
  onSaved,
}: {
  refund: RefusedRefund;
  onClose: () => void;
  onSaved: (text: string) => Promise<void>;
}) {
  const { send, isBusy, refusal, fields } = useSend(contract.payRefundByTransfer);
  const [number, setNumber] = useState("");
  const [date, setDate] = useState("");
  const [isForSeveral, setForSeveral] = useState(false);
  const submit = async () => {
    const answer = await send({ params: { id: orderId, refundId: id }, body: { amount: owed, number, date, isForSeveral } });
    if (answer?.ok) await onSaved("Возврат закрыт");
    else if (answer && answer.error === null) onClose();
  };
  const isReady = number.trim() !== "" && date !== "";
  return (
    <Panel
      title="Вернули переводом"
      onClose={onClose}
      onSubmit={() => {
        if (isReady) void submit();
      }}
      foot={
        <button className="button button--gold button--wide" type="submit" disabled={isBusy || !isReady}>
          Записать {priceText(fromRoubles(owed))} <kbd>Ctrl Enter</kbd>
        </button>
      }
    >
      <p>
        Банк отказался вернуть {priceText(fromRoubles(owed))} по заказу {orderNumber} тем способом, которым заказ оплатили. Переведите эту
        сумму покупателю из банк-клиента на счёт, который он назовёт, и внесите платёжное поручение.
      </p>
      <Field
        label="Номер платёжного поручения"
        inputMode="numeric"
        autoComplete="off"
        value={number}
        error={fields["number"] ?? null}
        onChange={(event) => setNumber(event.target.value)}
      />
      <DateInput label="Дата поручения" value={date} error={fields["date"] ?? null} onChange={(day) => setDate(day ?? "")} />
      {refusal && Object.keys(fields).length === 0 ? (
        <Notice tone="warn">
          <p>{refusalText(refusal)}</p>
        </Notice>
      ) : null}
      {refusal?.code === "refund.transfer_entered" ? (
        <Check checked={isForSeveral} onChange={(event) => setForSeveral(event.target.checked)}>
          Одним переводом вернули деньги по нескольким возвратам
        </Check>
      ) : null}
      <p className="hint">
        Чек возврата пробьёт касса в офисе: он появится в разделе «Чеки». Через платёжную систему эти деньги уже не вернутся.
      </p>
    </Panel>
  );
}
