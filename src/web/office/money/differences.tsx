import { Link, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { counted } from "#kit/format.ts";
import { useStaff } from "../session.ts";
import { when } from "../staff/words.ts";
import { confirmAndSend } from "../ui/form/confirm.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { Notice } from "../ui/marks.tsx";
import { showToast } from "../ui/toasts.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { differenceActs, differenceTexts, sideText, type DifferenceView } from "./words.ts";

/** Differences with the provider's ledger; each is settled with a note. */
export function Differences({ onChange }: { onChange: () => Promise<void> }) {
  const mayEnter = useStaff().may("money.enter") !== null;
  const [params] = useSearchParams();
  const part = params.get("part") === "settled" ? ("settled" as const) : ("open" as const);
  const { cursor, newer, older } = usePages();
  const { data, refusal, reload } = useRead(contract.readDifferences, { query: { part, ...(cursor === undefined ? {} : { cursor }) } });
  const settle = useSend(contract.settleDifference);
  const compare = useSend(contract.compareWithProvider);
  const compareNow = async () => {
    const answer = await compare.send({});
    if (!answer?.ok) return;
    const { found } = answer.value;
    showToast(
      found === 0 ? "Сверено: нового нет" : `Сверено: ${counted(found, ["новое расхождение", "новых расхождения", "новых расхождений"])}`,
    );
    await Promise.all([reload(), onChange()]);
  };
  const close = async ({ id, kind, ours, theirs }: DifferenceView) => {
    const answer = await confirmAndSend(
      {
        title: "Что выяснили?",
        text: (
          <>
            <p>
              У нас: {sideText(ours)}. У них: {sideText(theirs)}.
            </p>
            {differenceActs[kind] ? <p>{differenceActs[kind]}</p> : null}
          </>
        ),
        action: "Разобрано",
        note: { label: "Что выяснили и сделали", isRequired: true },
      },
      (note) => settle.send({ params: { id }, body: { note } }),
    );
    if (answer?.ok) showToast("Расхождение разобрано");
    await Promise.all([reload(), onChange()]);
  };
  return (
    <>
      {compare.refusal ? (
        <Notice tone="warn">
          <p>{compare.refusal.message}</p>
        </Notice>
      ) : null}
      <DataTable<DifferenceView>
        caption="Расхождения с платёжной системой, новые сверху"
        bar={
          <Filters
            label="Отбор расхождений"
            selects={[
              {
                name: "part",
                label: "Показать",
                options: [
                  ["", "ждут"],
                  ["settled", "разобраны"],
                ],
              },
            ]}
            end={
              mayEnter ? (
                <button className="button" type="button" disabled={compare.isBusy} onClick={() => void compareNow()}>
                  {compare.isBusy ? "Сверяем…" : "Сверить сейчас"}
                </button>
              ) : null
            }
          />
        }
        columns={[
          { key: "at", head: "Найдено", cell: ({ foundAt }) => <span className="number soft">{when(foundAt)}</span> },
          { key: "what", head: "Что не так", isRowHead: true, cell: ({ kind }) => differenceTexts[kind] ?? kind },
          { key: "ours", head: "У нас", cell: ({ ours }) => <span className="number">{sideText(ours)}</span> },
          { key: "theirs", head: "У них", cell: ({ theirs }) => <span className="number">{sideText(theirs)}</span> },
          {
            key: "order",
            head: "Заказ",
            cell: ({ orderId, orderNumber }) =>
              orderNumber === null ? (
                <span className="muted">неизвестен</span>
              ) : (
                <Link className="number" to={`/orders/${orderId}`}>
                  {orderNumber}
                </Link>
              ),
          },
          {
            key: "id",
            head: "Номер у них",
            isCut: true,
            cell: ({ providerId, paymentId, orderNumber }) =>
              paymentId === null || orderNumber === null ? (
                <span className="soft">{providerId}</span>
              ) : (
                <Link to={`/payments/${paymentId}`}>{providerId}</Link>
              ),
          },
          {
            key: "act",
            head: "Итог",
            isCut: part === "settled",
            cell: (row) =>
              row.settledAt ? (
                <span className="soft">
                  {row.note} <span className="muted">{row.settledBy}</span>
                </span>
              ) : mayEnter ? (
                <button className="button button--small" type="button" disabled={settle.isBusy} onClick={() => void close(row)}>
                  Разобрать
                </button>
              ) : null,
          },
        ]}
        rows={data?.items}
        keyOf={({ id }) => String(id)}
        nameOf={({ providerId }) => providerId}
        isTrouble={({ settledAt }) => settledAt === null}
        error={refusal?.message ?? null}
        onRetry={() => void reload()}
        empty={
          part === "settled"
            ? "Разобранных расхождений нет"
            : "Расхождений нет. Магазин сверяется каждое утро, «Сверить сейчас» проверит и сегодняшние платежи."
        }
        paging={{ newer, older: older(data?.next) }}
      />
    </>
  );
}
