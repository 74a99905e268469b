import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { useStaff } from "../session.ts";
import { confirmAndSend } from "../ui/form/confirm.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Section } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { dayText, sum, type ReturnView } from "./words.ts";

/** Transfers that belong to no order and go back to their sender, until staff has sent them. Absent while there are none. */
export function Returns({ onChange }: { onChange: () => Promise<void> }) {
  const mayEnter = useStaff().may("money.enter") !== null;
  const { data, refusal, reload } = useRead(contract.readEntriesToReturn);
  const sent = useSend(contract.confirmEntryReturned);
  const close = async ({ id, amount, payer, payerAccount }: ReturnView) => {
    const answer = await confirmAndSend(
      {
        title: "Деньги отправлены?",
        text: `${sum(amount)} ₽, ${[payer || "без имени", payerAccount && `счёт ${payerAccount}`].filter(Boolean).join(", ")}`,
        action: "Да, отправлены",
        note: { label: "Номер поручения, которым вернули" },
      },
      (number) =>
        sent.send({ params: { id }, body: { note: number === "" ? "Отправлено обратно" : `Отправлено обратно, поручение ${number}` } }),
    );
    if (!answer?.ok) return;
    showToast("Перевод возвращён");
    await Promise.all([reload(), onChange()]);
  };
  if (!refusal && !data?.items.length) return null;
  return (
    <Section title="Переводы без заказа: вернуть отправителю">
      <DataTable<ReturnView>
        caption="Переводы, которые возвращают отправителю, старые сверху"
        columns={[
          { key: "at", head: "Пришёл", cell: ({ date }) => <span className="number soft">{dayText(date)}</span> },
          {
            key: "number",
            head: "Поручение",
            isRowHead: true,
            cell: ({ number, statementId }) => (
              <Link className="number" to={`/statement/${statementId}`}>
                № {number}
              </Link>
            ),
          },
          { key: "amount", head: "Сумма, ₽", isRight: true, cell: ({ amount }) => <span className="number strong">{sum(amount)}</span> },
          { key: "note", head: "Почему", cell: ({ note }) => <span className="soft">{note}</span>, isWideOnly: true },
          {
            key: "payer",
            head: "Кому",
            isCut: true,
            cell: ({ payer, payerAccount }) => (
              <>
                {payer || "Без имени"} <span className="muted number">{payerAccount}</span>
              </>
            ),
          },
          {
            key: "act",
            head: "Действие",
            isHeadHidden: true,
            cell: (row) =>
              mayEnter ? (
                <button className="button button--small" type="button" disabled={sent.isBusy} onClick={() => void close(row)}>
                  Отправлено
                </button>
              ) : null,
          },
        ]}
        rows={data?.items}
        keyOf={({ id }) => String(id)}
        nameOf={({ number }) => number}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty="Возвращать нечего"
      />
      {data?.next ? <p className="soft">Показаны старшие: отметьте их, и откроются остальные.</p> : null}
    </Section>
  );
}
