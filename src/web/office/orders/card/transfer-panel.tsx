import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import type { OrderCardView } from "#contract/staff/orders/orders.ts";
import { fromRoubles, toRoubles, type Kopecks } from "#kit/money.ts";
import { DateInput } from "../../ui/form/date-input.tsx";
import { Field } from "../../ui/form/field.tsx";
import { MoneyInput } from "../../ui/form/money-input.tsx";
import { useSend } from "../../ui/send/use-send.ts";
import { EditPanel } from "./edit-panels.tsx";

type TransferProps = {
  card: OrderCardView;
  onClose: () => void;
  onSaved: (text: string) => Promise<void>;
  onReload: () => Promise<void>;
};

/** Records a transfer for the order, by the payment order in the bank's statement. */
export function TransferPanel({ card, onClose, onSaved, onReload }: TransferProps) {
  const enter = useSend(contract.enterPayment);
  const missing = card.money ? card.money.total - card.money.paid : 0;
  const [amount, setAmount] = useState<Kopecks | null>(missing > 0 ? fromRoubles(missing) : null);
  const [number, setNumber] = useState("");
  const [date, setDate] = useState("");
  const [payerAccount, setPayerAccount] = useState("");
  const save = async (revision = card.revision) => {
    if (amount === null) return;
    const account = payerAccount.replaceAll(/\s/g, "");
    const body = { revision, amount: toRoubles(amount), number, date, ...(account ? { payerAccount: account } : {}) };
    const answer = await enter.send({ params: { id: card.id }, body });
    if (answer?.ok) await onSaved("Перевод внесён");
  };
  return (
    <EditPanel
      title="Внести перевод"
      action="Внести"
      refusal={enter.refusal}
      isBusy={enter.isBusy}
      isReady={amount !== null && number.trim() !== "" && date !== ""}
      compare={({ stateText }) => [{ label: "Состояние", yours: card.stateText, current: stateText }]}
      save={save}
      forget={enter.forget}
      onClose={onClose}
      onReload={onReload}
    >
      <MoneyInput label="Сумма" value={amount} error={enter.fields["amount"] ?? null} onChange={setAmount} />
      <Field
        label="Номер платёжного поручения"
        inputMode="numeric"
        autoComplete="off"
        value={number}
        error={enter.fields["number"] ?? null}
        onChange={(event) => setNumber(event.target.value)}
      />
      <DateInput label="Дата поручения" value={date} error={enter.fields["date"] ?? null} onChange={(day) => setDate(day ?? "")} />
      <Field
        label="Счёт плательщика"
        inputMode="numeric"
        autoComplete="off"
        hint="Если он есть в выписке: одно и то же поручение не внесётся дважды"
        value={payerAccount}
        error={enter.fields["payerAccount"] ?? null}
        onChange={(event) => setPayerAccount(event.target.value)}
      />
    </EditPanel>
  );
}
