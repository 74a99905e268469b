import { useState } from "react";
import { useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { toRoubles, type Kopecks } from "#kit/money.ts";
import { useStaff } from "../session.ts";
import { refusalText } from "../orders/refusal-text.ts";
import { actorText, when } from "../staff/words.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Field } from "../ui/form/field.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { Notice } from "../ui/marks.tsx";
import { MoneyInput } from "../ui/form/money-input.tsx";
import { Panel, WithPanel } from "../ui/panel.tsx";
import { showToast } from "../ui/toasts.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { OrderChoice, type ChosenOrder } from "./order-choice.tsx";
import { OrderLinks } from "./order-links.tsx";
import { dayText, sum, type TransferView } from "./words.ts";

/** Bank transfers that were recorded, and a panel to enter one by hand. */
export function Transfers() {
  const mayEnter = useStaff().may("money.enter") !== null;
  const [params] = useSearchParams();
  const number = params.get("number");
  const { cursor, newer, older } = usePages();
  const query = { ...(number ? { number } : {}), ...(cursor === undefined ? {} : { cursor }) };
  const { data, refusal, reload } = useRead(contract.readTransfers, { query });
  const [isEntering, setEntering] = useState(false);
  return (
    <WithPanel panel={isEntering ? <EnterPanel onClose={() => setEntering(false)} onEntered={reload} /> : null}>
      {mayEnter ? (
        <p className="after-notice">
          <button className="button" type="button" onClick={() => setEntering(true)}>
            Внести перевод
          </button>
        </p>
      ) : null}
      <DataTable<TransferView>
        caption="Переводы, новые сверху"
        bar={<Filters label="Отбор переводов" find={{ name: "number", label: "Номер поручения" }} />}
        columns={[
          { key: "at", head: "Внесён", cell: ({ enteredAt }) => <span className="number soft">{when(enteredAt)}</span> },
          {
            key: "number",
            head: "Поручение",
            isRowHead: true,
            cell: (row) => (
              <span className="number">
                № {row.number} от {dayText(row.date)}
              </span>
            ),
          },
          {
            key: "order",
            head: "Заказ",
            cell: ({ order }) => <OrderLinks order={order} />,
          },
          { key: "amount", head: "Сумма, ₽", isRight: true, cell: ({ amount }) => <span className="number strong">{sum(amount)}</span> },
          {
            key: "account",
            head: "Счёт плательщика",
            cell: ({ payerAccount }) => <span className="number muted">{payerAccount ?? "неизвестен"}</span>,
          },
          { key: "by", head: "Внёс", cell: ({ enteredBy }) => <span className="soft">{actorText(enteredBy)}</span> },
        ]}
        rows={data?.items}
        keyOf={({ id }) => String(id)}
        nameOf={(row) => row.number}
        pathOf={({ order }) => `/orders/${order.id}`}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Переводов нет"
        paging={{ newer, older: older(data?.next) }}
      />
    </WithPanel>
  );
}

function EnterPanel({ onClose, onEntered }: { onClose: () => void; onEntered: () => Promise<void> }) {
  const [order, setOrder] = useState<ChosenOrder | null>(null);
  const [number, setNumber] = useState("");
  const [date, setDate] = useState("");
  const [payerAccount, setAccount] = useState("");
  const [amount, setAmount] = useState<Kopecks | null>(null);
  const { send, isBusy, refusal, fields } = useSend(contract.enterTransfer);
  const submit = async () => {
    if (!order) return;
    const body = {
      orderId: order.id,
      number,
      date,
      payerAccount: payerAccount.replaceAll(/\s/g, ""),
      amount: toRoubles(amount ?? (0 as Kopecks)),
    };
    const answer = await send({ body });
    if (!answer?.ok) return;
    showToast(`Перевод внесён в заказ ${answer.value.order.number}`);
    onClose();
    await onEntered();
  };
  return (
    <Panel
      title="Внести перевод"
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <button className="button button--gold button--wide" type="submit" disabled={!order || isBusy}>
          Внести <kbd>Ctrl Enter</kbd>
        </button>
      }
    >
      <OrderChoice chosen={order} onChoose={setOrder} />
      <Field label="Номер поручения" value={number} error={fields["number"] ?? null} onChange={(event) => setNumber(event.target.value)} />
      <Field
        label="Дата поручения"
        value={date}
        error={fields["date"] ?? null}
        hint="20.11.2026"
        onChange={(event) => setDate(event.target.value)}
      />
      <Field
        label="Счёт плательщика"
        inputMode="numeric"
        value={payerAccount}
        error={fields["payerAccount"] ?? null}
        hint="20 цифр, можно не указывать"
        onChange={(event) => setAccount(event.target.value)}
      />
      <MoneyInput label="Сумма" value={amount} error={fields["amount"] ?? null} onChange={setAmount} />
      {refusal && Object.keys(fields).length === 0 ? (
        <Notice tone="warn">
          <p>{refusalText(refusal)}</p>
        </Notice>
      ) : null}
    </Panel>
  );
}
