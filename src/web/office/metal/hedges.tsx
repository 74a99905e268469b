import * as contract from "#contract/staff/calls.ts";
import type * as z from "zod";
import type { addHedge } from "#contract/staff/prices/metal.ts";
import { trimmed } from "#kit/format.ts";
import { dayText, sum } from "../money/words.ts";
import { useStaff } from "../session.ts";
import { confirm } from "../ui/form/confirm.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import { showToast } from "../ui/toasts.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";

type Hedge = z.output<(typeof addHedge)["answer"]>;
const metalTexts = { gold: "золото", silver: "серебро" } as const;
const sideTexts = { sell: "продано вперёд", buy: "куплено вперёд" } as const;

/** Hedges, newest first. A reversed one stays and counts no longer. */
export function Hedges({ onChanged }: { onChanged: () => Promise<void> }) {
  const mayChange = useStaff().may("prices") !== null;
  const { cursor, newer, older } = usePages();
  const { data, refusal, reload } = useRead(contract.readHedges, { query: cursor === undefined ? {} : { cursor } });
  const reverse = useSend(contract.reverseHedge);
  const takeBack = async ({ id, counterparty }: Hedge) => {
    const answer = await confirm({
      title: `Отменить хедж ${id}, ${counterparty}?`,
      text: "Он останется в списке и больше не закрывает граммы.",
      action: "Отменить хедж",
      note: { label: "Причина", isRequired: true },
    });
    if (!answer) return;
    const sent = await reverse.send({ params: { id }, body: { reason: answer.note } });
    if (!sent?.ok) return;
    showToast("Хедж отменён");
    await reload();
    await onChanged();
  };
  return (
    <DataTable<Hedge>
      caption="Хеджи, новые сверху"
      isTight
      columns={[
        { key: "date", head: "Сделка", cell: ({ agreedOn }) => <span className="number soft">{dayText(agreedOn)}</span> },
        {
          key: "who",
          head: "С кем",
          isRowHead: true,
          isCut: true,
          cell: ({ counterparty, note }) => `${counterparty}${note ? `, ${note}` : ""}`,
        },
        { key: "what", head: "Что", cell: ({ metal, side }) => `${metalTexts[metal]}, ${sideTexts[side]}` },
        {
          key: "mass",
          head: "Граммы",
          isRight: true,
          cell: ({ massMg }) => <span className="number strong">{trimmed(massMg / 1_000, 3)}</span>,
        },
        { key: "price", head: "За грамм, ₽", isRight: true, cell: ({ price }) => <span className="number">{sum(price)}</span> },
        {
          key: "state",
          head: "Состояние",
          cell: (hedge) =>
            hedge.reversedAt ? (
              <span className="muted">отменён: {hedge.reversalReason}</span>
            ) : mayChange ? (
              <button className="button button--small" type="button" disabled={reverse.isBusy} onClick={() => void takeBack(hedge)}>
                Отменить
              </button>
            ) : (
              "действует"
            ),
        },
      ]}
      rows={data?.items}
      keyOf={({ id }) => String(id)}
      nameOf={({ id }) => `хедж ${id}`}
      error={refusal?.message ?? reverse.refusal?.message ?? null}
      onRetry={() => void reload()}
      empty="Хеджей ещё не было"
      paging={{ newer, older: older(data?.next) }}
    />
  );
}
