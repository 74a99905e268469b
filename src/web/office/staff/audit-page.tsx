import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readAudit, readAuditPeople } from "#contract/staff/access/audit.ts";
import { fromMoscow, isoMoscow } from "#kit/moscow-time.ts";
import { days } from "#kit/time.ts";
import { saveFile } from "../client.ts";
import { useStaff } from "../session.ts";
import { BeforeAfter } from "../ui/table/before-after.tsx";
import type { Column } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { Filters } from "../ui/table/filters.tsx";
import { Notice } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Panel, WithPanel } from "../ui/panel.tsx";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { actionGroups, actionName, subjectText } from "./action-words.ts";
import { factText } from "./fact-text.ts";
import { actorText, when } from "./words.ts";

type People = readonly z.output<(typeof readAuditPeople)["answer"]>[number][];
type Entry = z.output<(typeof readAudit)["answer"]>["items"][number];

/** The name of a member of staff, also of one who left; others as `actorText` names them. */
const actorName = (actor: string, people: People): string => people.find((each) => each.actor === actor)?.name ?? actorText(actor);

/** What an entry is about; a member of staff by name. */
function aboutText({ subject, orderNumber }: Entry, people: People): string {
  const person = people.find(({ actor }) => actor === subject);
  return person ? `сотрудник ${person.name}` : subjectText(subject, orderNumber);
}

export function Component() {
  const [params] = useSearchParams();
  const pages = usePages();
  const [opened, setOpened] = useState<Entry | null>(null);
  const filters = filtersOf(params);
  const { data, refusal, reload } = useRead(contract.readAudit, { query: { ...filters, cursor: pages.cursor } });
  const { data: people = [] } = useRead(contract.readAuditPeople);
  const { send, isBusy, refusal: exportRefusal } = useSend(contract.exportAudit);
  const save = async () => {
    const answer = await send({ body: filters });
    if (answer?.ok) saveFile(answer.value);
  };
  const columns: Column<Entry>[] = [
    { key: "at", head: "Когда", cell: ({ at }) => <span className="number soft">{when(at)}</span> },
    { key: "actor", head: "Кто", cell: ({ actor }) => actorName(actor, people) },
    {
      key: "action",
      head: "Что",
      isRowHead: true,
      cell: (entry) => (
        <button className="text-button" type="button" onClick={() => setOpened(entry)}>
          {actionName(entry.action)}
        </button>
      ),
    },
    {
      key: "subject",
      head: "О чём",
      isCut: true,
      cell: (entry) => <span className="soft">{aboutText(entry, people)}</span>,
    },
    { key: "address", head: "Откуда", isWideOnly: true, cell: ({ address }) => <span className="muted">{address ?? "сервер"}</span> },
  ];
  return (
    <WithPanel panel={opened ? <EntryPanel entry={opened} people={people} onClose={() => setOpened(null)} /> : null}>
      <PageHead
        title="Журнал"
        facts="кто, что и когда сделал; записи не меняются и не удаляются"
        actions={
          <button className="button" type="button" disabled={isBusy} onClick={() => void save()}>
            Выгрузить CSV
          </button>
        }
      />
      {exportRefusal ? (
        <Notice tone="warn">
          <p>{exportRefusal.message}</p>
        </Notice>
      ) : null}
      <DataTable
        bar={
          <Filters
            label="Отбор записей"
            find={{ name: "subject", label: "О чём: номер заказа" }}
            days={[
              { name: "from", label: "С" },
              { name: "till", label: "По" },
            ]}
            selects={[
              { name: "actor", label: "Кто", options: [["", "все"], ...people.map(({ actor, name }) => [actor, name] as const)] },
              { name: "action", label: "Что", options: actionGroups },
            ]}
          />
        }
        caption="Записи журнала, новые сверху"
        columns={columns}
        rows={data?.items}
        keyOf={({ id }) => `${id}`}
        nameOf={({ action }) => actionName(action)}
        onOpen={setOpened}
        error={refusal?.message}
        onRetry={() => void reload()}
        empty="Таких записей нет"
        paging={{ newer: pages.newer, older: pages.older(data?.next) }}
        chooserKey="audit"
      />
    </WithPanel>
  );
}

/** Days of the address are Moscow's, both included. */
function filtersOf(params: URLSearchParams) {
  const [from, till] = [params.get("from"), params.get("till")];
  return {
    actor: params.get("actor") ?? undefined,
    subject: params.get("subject") ?? undefined,
    action: params.get("action") ?? undefined,
    from: from ? isoMoscow(fromMoscow(from)) : undefined,
    till: till ? isoMoscow(new Date(fromMoscow(till).getTime() + days(1))) : undefined,
  };
}

function EntryPanel({ entry, people, onClose }: { entry: Entry; people: People; onClose: () => void }) {
  const { may } = useStaff();
  return (
    <Panel title={actionName(entry.action)} onClose={onClose}>
      <dl className="rows">
        <div>
          <dt>Когда</dt>
          <dd>{when(entry.at)}</dd>
        </div>
        <div>
          <dt>Кто</dt>
          <dd>{[...new Set([actorName(entry.actor, people), actorText(entry.actor)])].join(", ")}</dd>
        </div>
        <div>
          <dt>О чём</dt>
          <dd>
            {entry.orderNumber === null || !may("orders.read") ? (
              [...new Set([aboutText(entry, people), subjectText(entry.subject, entry.orderNumber)])].join(", ")
            ) : (
              <Link to={`/orders/${entry.subject.slice("order:".length)}`}>{subjectText(entry.subject, entry.orderNumber)}</Link>
            )}
          </dd>
        </div>
        <div>
          <dt>Откуда</dt>
          <dd>{entry.address ?? "командная строка сервера"}</dd>
        </div>
        {entry.approvalId ? (
          <div>
            <dt>Согласование</dt>
            <dd>{entry.approvalId}</dd>
          </div>
        ) : null}
      </dl>
      <BeforeAfter before={entry.before} after={entry.after} textOf={(name, value) => factText(entry.action, name, value)} />
      {entry.userAgent ? <p className="hint">{entry.userAgent}</p> : null}
    </Panel>
  );
}
