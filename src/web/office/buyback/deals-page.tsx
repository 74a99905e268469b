import { useEffect } from "react";
import { Link, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { dealParts } from "#shop/buyback/deal.ts";
import { countText, sum } from "../money/words.ts";
import { useStaff } from "../session.ts";
import { setCounts } from "../shell/counts.ts";
import { when } from "../staff/words.ts";
import { Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import type { Column } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { ViewTabs } from "../ui/table/view-tabs.tsx";
import { Way } from "../ui/way.tsx";
import { partLabels, stateLabels, stateWays, type DealRow } from "./words.ts";

export function Component() {
  return <Deals />;
}

/** Deals by what waits. */
function Deals() {
  const staff = useStaff();
  const [params] = useSearchParams();
  const pages = usePages();
  const part = dealParts.find((each) => each === params.get("view")) ?? "open";
  const text = params.get("text") ?? undefined;
  const query = { part, text, assignee: params.get("assignee") ?? undefined, cursor: pages.cursor };
  const { data, refusal, reload } = useRead(contract.readDeals, { query });
  const { data: colleagues = [] } = useRead(contract.readDealColleagues);
  const counts = data?.counts;
  useEffect(() => {
    if (counts) setCounts({ "/buyback": { text: countText(counts.open), isTrouble: counts.expiring > 0 } });
  }, [counts]);
  const columns: Column<DealRow>[] = [
    { key: "number", head: "Сделка", isRowHead: true, cell: ({ id }) => <Link to={`/buyback/${id}`}>Выкуп № {id}</Link> },
    { key: "state", head: "Состояние", cell: ({ state }) => <Way {...stateWays[state]} word={stateLabels[state]} /> },
    { key: "name", head: "Продавец", isCut: true, cell: ({ name }) => name },
    { key: "phone", head: "Телефон", isWideOnly: true, cell: ({ maskedPhone }) => <span className="number soft">{maskedPhone}</span> },
    { key: "pieces", head: "Монет", isRight: true, cell: ({ pieces }) => <span className="number">{pieces}</span> },
    { key: "sum", head: "Сумма, ₽", isRight: true, cell: (row) => <span className="number strong">{sum(row.sum)}</span> },
    { key: "what", head: "Важно", cell: (row) => <Remark row={row} /> },
    {
      key: "assignee",
      head: "Ведёт",
      isWideOnly: true,
      cell: ({ assigneeName }) => assigneeName ?? <span className="muted">никто</span>,
    },
    { key: "changed", head: "Изменена", isWideOnly: true, cell: ({ changedAt }) => <span className="number soft">{when(changedAt)}</span> },
  ];
  return (
    <>
      <PageHead
        title="Выкуп"
        actions={
          staff.may("buyback") ? (
            <Link className="button button--gold" to="/buyback/new">
              Новая сделка
            </Link>
          ) : null
        }
      />
      <ViewTabs
        label="Сделки"
        views={dealParts.map((id) => ({
          id,
          label: partLabels[id],
          ...(counts && id !== "finished"
            ? { count: { text: countText(counts[id]), isTrouble: id === "expiring" && counts[id] > 0 } }
            : {}),
        }))}
      />
      <DataTable
        bar={
          <Filters
            label="Отбор сделок"
            find={{ name: "text", label: "Номер, телефон, имя" }}
            selects={[
              {
                name: "assignee",
                label: "Ведёт",
                options: [
                  ["", "все"],
                  [staff.login, "я"],
                  ["nobody", "никто"],
                  ...colleagues.filter(({ login }) => login !== staff.login).map(({ login, name }) => [login, name] as const),
                ],
              },
            ]}
          />
        }
        caption={`${partLabels[part]}, новые сверху`}
        columns={columns}
        rows={data?.items}
        keyOf={({ id }) => `${id}`}
        nameOf={({ id, name }) => `Выкуп № ${id}, ${name}`}
        pathOf={({ id }) => `/buyback/${id}`}
        isTrouble={({ isExpired }) => isExpired}
        error={refusal?.message}
        onRetry={() => void reload()}
        empty={text === undefined ? "Здесь пусто" : "Таких сделок нет"}
        paging={{ newer: pages.newer, older: pages.older(data?.next) }}
      />
    </>
  );
}

/** What of a deal needs attention: the time of its offer, mandatory control, the receipt that is missing. */
function Remark({ row: { state, isExpired, lockedUntil, isFlagged, needsReceipt } }: { row: DealRow }) {
  if (isExpired) return <Trouble>срок цен вышел</Trouble>;
  if (state === "locked" && lockedUntil !== null) return <span className="number">цены до {when(lockedUntil)}</span>;
  if (needsReceipt) return <Trouble>нет чека</Trouble>;
  return isFlagged ? <Trouble>контроль 115-ФЗ</Trouble> : null;
}
