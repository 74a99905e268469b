import { Link, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { useStaff } from "../session.ts";
import { when } from "../staff/words.ts";
import { confirmAndSend } from "../ui/confirm.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { Filters } from "../ui/filters.tsx";
import { showToast } from "../ui/toasts.tsx";
import { usePages } from "../ui/use-pages.ts";
import { useRead } from "../ui/use-read.ts";
import { useSend } from "../ui/use-send.ts";
import { differenceTexts, sideText, type DifferenceView } from "./words.ts";

/** Differences with the provider's ledger; each is settled with a note. */
export function Differences({ onChange }: { onChange: () => Promise<void> }) {
  const mayEnter = useStaff().may("money.enter") !== null;
  const [params] = useSearchParams();
  const part = params.get("part") === "settled" ? ("settled" as const) : ("open" as const);
  const { cursor, newer, older } = usePages();
  const { data, refusal, reload } = useRead(contract.readDifferences, { query: { part, ...(cursor === undefined ? {} : { cursor }) } });
  const settle = useSend(contract.settleDifference);
  const close = async ({ id }: DifferenceView) => {
    const answer = await confirmAndSend(
      { title: "Что выяснили?", action: "Разобрано", note: { label: "Заметка для журнала", isRequired: true } },
      (note) => settle.send({ params: { id }, body: { note } }),
    );
    if (answer?.ok) showToast("Расхождение разобрано");
    await Promise.all([reload(), onChange()]);
  };
  return (
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
          cell: ({ orderId }) => (orderId ? <Link to={`/orders/${orderId}`}>открыть</Link> : <span className="muted">неизвестен</span>),
        },
        { key: "id", head: "Номер у них", isCut: true, cell: ({ providerId }) => <span className="muted">{providerId}</span> },
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
      empty="Расхождений нет"
      paging={{ newer, older: older(data?.next) }}
    />
  );
}
