import { useEffect, useState } from "react";
import { useLocation, useNavigate, useParams, useSearchParams } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readRequests } from "#contract/staff/customers/requests.ts";
import { setCounts } from "../shell/counts.ts";
import { useIsPressed } from "../shell/pressed.ts";
import { useStaff } from "../session.ts";
import { when } from "../staff/words.ts";
import type { Column } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { Notice, Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { WithPanel } from "../ui/panel.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { ViewTabs } from "../ui/table/view-tabs.tsx";
import { mayOpenContacts } from "./may-open.ts";
import { RequestPanel, type OpenContacts } from "./request-panel.tsx";
import { kindWords, stateWords } from "./words.ts";

type Row = z.output<(typeof readRequests)["answer"]>["items"][number];

const counted = (n: number): string => (n > 1000 ? "1 000+" : `${n}`);

export function Component() {
  const staff = useStaff();
  const [params] = useSearchParams();
  const { id } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const pages = usePages();
  const state = params.get("view") === "finished" ? "finished" : "open";
  const kind = params.get("kind") as Row["kind"] | null;
  const text = params.get("text") ?? undefined;
  const query = { state, kind: kind ?? undefined, assignee: params.get("assignee") ?? undefined, text, cursor: pages.cursor } as const;
  const { data, refusal, reload } = useRead(contract.readRequests, { query });
  const { data: colleagues = [] } = useRead(contract.readRequestColleagues);
  const call = useSend(contract.openRequestContacts, { stores: "nothing" });
  const [contacts, setContacts] = useState<(OpenContacts & { id: number }) | null>(null);
  const counts = data?.counts;
  useEffect(() => {
    if (counts) setCounts({ "/requests": { text: counted(counts.open), isTrouble: counts.overdue > 0 } });
  }, [counts]);

  const openedId = id === undefined ? null : Number(id);
  const openedRow = data?.items.find((row) => row.id === openedId);
  const isPressed = useIsPressed();
  const show = (row: Pick<Row, "id"> | null) => void navigate({ pathname: row ? `/requests/${row.id}` : "/requests", search });
  const openContacts = async (row: Pick<Row, "id">, take: boolean) => {
    const answer = await call.send({ params: { id: row.id }, body: { take } });
    if (!answer?.ok) return;
    setContacts({ id: row.id, phone: answer.value.phone, email: answer.value.email });
    void navigate({ pathname: `/requests/${row.id}`, search }, { replace: row.id === openedId });
    await reload();
  };
  const columns: Column<Row>[] = [
    {
      key: "name",
      head: "Кто",
      isRowHead: true,
      isBounded: true,
      cell: (row) => (
        <button className="text-button" type="button" onClick={() => show(row)}>
          {row.name || "Без имени"}
        </button>
      ),
    },
    { key: "kind", head: "Что", cell: ({ kind: of }) => kindWords[of] },
    { key: "phone", head: "Телефон", isWideOnly: true, cell: ({ maskedPhone }) => <span className="number soft">{maskedPhone}</span> },
    { key: "about", head: "О чём", isCut: true, cell: ({ about }) => <span className="soft">{about}</span> },
    {
      key: "due",
      head: state === "open" ? "Ответить до" : "Поступило",
      cell: (row) =>
        row.isOverdue ? (
          <Trouble>{when(row.dueAt)}, просрочено</Trouble>
        ) : (
          <span className="number">{when(state === "open" ? row.dueAt : row.createdAt)}</span>
        ),
    },
    {
      key: "assignee",
      head: "Отвечает",
      cell: ({ assigneeName, state: of }) =>
        assigneeName ?? <span className="muted">{of === "received" ? "свободно" : stateWords[of]}</span>,
    },
    {
      key: "act",
      head: "Действие",
      isHeadHidden: true,
      isRight: true,
      cell: (row) =>
        state === "open" && mayOpenContacts(row, staff) ? (
          <button className="button button--small" type="button" onClick={() => void openContacts(row, true)}>
            {row.kind === "callback" ? "Позвонить" : "Ответить"}
          </button>
        ) : null,
    },
  ];
  return (
    <WithPanel
      panel={
        openedId === null ? null : (
          <RequestPanel
            key={openedId}
            id={openedId}
            contacts={contacts?.id === openedId ? contacts : null}
            colleagues={colleagues}
            isCalling={isPressed && openedRow !== undefined && mayOpenContacts(openedRow, staff)}
            onOpenContacts={(take) => openContacts({ id: openedId }, take)}
            onClose={() => show(null)}
            onChanged={reload}
            onFinished={async () => {
              show(null);
              await reload();
            }}
          />
        )
      }
    >
      <PageHead
        title="Обращения"
        facts={
          counts && (
            <>
              открыто {counted(counts.open)}
              {counts.overdue > 0 ? (
                <>
                  , <Trouble>просрочено {counted(counts.overdue)}</Trouble>
                </>
              ) : null}
              {counts.mine > 0 ? `, за вами ${counted(counts.mine)}` : ""}
            </>
          )
        }
      />
      <ViewTabs
        label="Обращения"
        views={[
          { id: "open", label: "Открытые" },
          { id: "finished", label: "Отвеченные и закрытые" },
        ]}
      />
      {call.refusal ? (
        <Notice tone="warn">
          <p>{call.refusal.message}</p>
        </Notice>
      ) : null}
      <DataTable
        bar={
          <Filters
            label="Отбор обращений"
            find={{ name: "text", label: "Имя, телефон, текст" }}
            selects={[
              { name: "kind", label: "Что", options: [["", "всё"], ...Object.entries(kindWords)] },
              {
                name: "assignee",
                label: "Отвечает",
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
        caption={state === "open" ? "Открытые обращения, срочные сверху" : "Законченные обращения, новые сверху"}
        columns={columns}
        rows={data?.items}
        keyOf={({ id: each }) => `${each}`}
        nameOf={({ name, kind: of }) => `${kindWords[of]}: ${name}`}
        onOpen={show}
        isTrouble={({ isOverdue }) => isOverdue}
        error={refusal?.message}
        onRetry={() => void reload()}
        empty={state === "open" && text === undefined ? "Все ответы даны" : "Таких обращений нет"}
        rowKeys={[
          { code: "KeyM", label: "Взять и показать телефон", run: (row) => void (mayOpenContacts(row, staff) && openContacts(row, true)) },
        ]}
        paging={{ newer: pages.newer, older: pages.older(data?.next) }}
      />
    </WithPanel>
  );
}
