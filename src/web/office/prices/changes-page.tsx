import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { WaitingApprovals } from "../staff/waiting-approvals.tsx";
import { actorText, when } from "../staff/words.ts";
import { confirm } from "../ui/form/confirm.tsx";
import type { Column } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Trouble } from "../ui/marks.tsx";
import { PageHead, Section } from "../ui/page-head.tsx";
import { showToast } from "../ui/toasts.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { coinCount, kindText, stateText, type PriceChangeAnswer } from "./words.ts";

/** All price changes: what waits for its time, then what was done. */
export function Component() {
  const paging = usePages();
  const list = useRead(contract.readPriceChanges, { query: paging.cursor ? { cursor: paging.cursor } : {} });
  const scheduled = useRead(contract.readPriceChanges, { query: { part: "scheduled" } });
  const cancel = useSend(contract.cancelPriceChange);
  const stop = async (change: PriceChangeAnswer) => {
    const isSure = await confirm({ title: "Отменить изменение?", text: <p>{kindText(change)}</p>, action: "Отменить изменение" });
    if (!isSure) return;
    const answer = await cancel.send({ params: { id: change.id } });
    if (answer?.ok) showToast("Изменение отменено: цены останутся");
    await Promise.all([list.reload(), scheduled.reload()]);
  };
  const waiting = scheduled.data?.items ?? [];
  return (
    <>
      <PageHead
        title="Изменения цен"
        actions={
          <Link className="button button--gold" to="/prices">
            Изменить цены
          </Link>
        }
      />
      <WaitingApprovals area="price" />
      {cancel.refusal ? (
        <p role="alert">
          <Trouble>{cancel.refusal.message}</Trouble>
        </p>
      ) : null}
      {waiting.length > 0 ? (
        <Section title="Ждут своего времени">
          <DataTable
            caption="Запланированные изменения"
            columns={[
              ...columns.filter(({ key }) => key !== "at" && key !== "state"),
              { key: "due", head: "Когда", cell: ({ dueAt }) => (dueAt ? when(dueAt) : "") },
              {
                key: "stop",
                head: "Действие",
                isHeadHidden: true,
                cell: (change) => (
                  <button className="button button--small" type="button" disabled={cancel.isBusy} onClick={() => void stop(change)}>
                    Отменить
                  </button>
                ),
              },
            ]}
            rows={waiting}
            keyOf={({ id }) => String(id)}
            nameOf={kindText}
            empty=""
          />
        </Section>
      ) : null}
      <Section title="Все изменения">
        <DataTable
          caption="Изменения цен"
          columns={columns}
          rows={list.data?.items}
          keyOf={({ id }) => String(id)}
          nameOf={kindText}
          pathOf={({ id }) => `/prices/changes/${id}`}
          isTrouble={({ state, stale }) => state === "refused" || stale > 0}
          error={list.refusal?.message ?? null}
          onRetry={() => void list.reload()}
          empty="Цены ещё не меняли"
          paging={{ newer: paging.newer, older: paging.older(list.data?.next) }}
        />
      </Section>
    </>
  );
}

const columns: readonly Column<PriceChangeAnswer>[] = [
  {
    key: "what",
    head: "Что",
    isRowHead: true,
    isCut: true,
    cell: (change) => (
      <>
        <Link to={`/prices/changes/${change.id}`}>{kindText(change)}</Link> <span className="muted">{change.label}</span>
      </>
    ),
  },
  { key: "coins", head: "Монет", isRight: true, cell: ({ state, changed, coins }) => (state === "applied" ? changed : coins) },
  {
    key: "state",
    head: "Состояние",
    cell: (change) =>
      change.refusal ? (
        <Trouble>{stateText(change)}</Trouble>
      ) : (
        <>
          {stateText(change)}
          {change.stale > 0 ? <span className="warn">, не тронуто: {coinCount(change.stale)}</span> : null}
        </>
      ),
  },
  { key: "at", head: "Когда", cell: ({ appliedAt, createdAt }) => when(appliedAt ?? createdAt) },
  { key: "who", head: "Кто", isWideOnly: true, cell: ({ createdBy }) => actorText(createdBy) },
];
