import { useState } from "react";
import { useSearchParams } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readPrivacyRequests } from "#contract/staff/customers/customers.ts";
import { day } from "#kit/format.ts";
import { moscow } from "#kit/moscow-time.ts";
import { useKeys } from "../shell/keys.ts";
import { when } from "../staff/words.ts";
import type { Column } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import { DateInput } from "../ui/form/date-input.tsx";
import { Field, Select, TextArea } from "../ui/form/field.tsx";
import { Notice, Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Panel, WithPanel } from "../ui/panel.tsx";
import { StaleDialog } from "../ui/form/stale-dialog.tsx";
import { showToast } from "../ui/toasts.tsx";
import { leavePanel } from "../ui/form/unsaved.ts";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { ViewTabs } from "../ui/table/view-tabs.tsx";

type PrivacyRequest = z.output<(typeof readPrivacyRequests)["answer"]>["items"][number];

const kindWords: Readonly<Record<PrivacyRequest["kind"], string>> = {
  access: "какие данные храним",
  correction: "исправить данные",
  erasure: "удалить данные",
  withdrawal: "отозвать согласие",
  other: "другое",
};

export function Component() {
  const [params] = useSearchParams();
  const pages = usePages();
  const state = params.get("view") === "done" ? "done" : "open";
  const { data, refusal, reload } = useRead(contract.readPrivacyRequests, { query: { state, cursor: pages.cursor } });
  const [opened, setOpened] = useState<PrivacyRequest | "new" | null>(null);
  const show = (request: PrivacyRequest | "new") => {
    if (request !== opened) void leavePanel(() => setOpened(request));
  };
  useKeys([{ code: "KeyN", label: "Внести обращение", run: () => show("new") }]);
  const columns: Column<PrivacyRequest>[] = [
    {
      key: "applicant",
      head: "Кто просит",
      isRowHead: true,
      isBounded: true,
      cell: (request) => (
        <button className="text-button" type="button" onClick={() => show(request)}>
          {request.applicant}
        </button>
      ),
    },
    { key: "kind", head: "О чём", cell: ({ kind }) => kindWords[kind] },
    { key: "received", head: "Поступило", cell: ({ receivedOn }) => <span className="number soft">{day(receivedOn)}</span> },
    {
      key: "due",
      head: state === "open" ? "Ответить до" : "Ответили",
      cell: ({ dueOn, isOverdue, doneAt }) =>
        isOverdue ? <Trouble>{day(dueOn)}, просрочено</Trouble> : <span className="number">{doneAt ? when(doneAt) : day(dueOn)}</span>,
    },
    { key: "by", head: "Внёс", isWideOnly: true, cell: ({ enteredBy }) => <span className="soft">{enteredBy}</span> },
  ];
  const changed = async () => {
    setOpened(null);
    await reload();
  };
  return (
    <WithPanel
      panel={
        opened === "new" ? (
          <AddPanel onClose={() => setOpened(null)} onAdded={changed} />
        ) : opened ? (
          <RequestPanel key={opened.id} request={opened} onClose={() => setOpened(null)} onChanged={changed} />
        ) : null
      }
    >
      <PageHead
        title="Персональные данные"
        facts="обращения по закону 152-ФЗ: ответ за десять рабочих дней"
        actions={
          <button className={opened === "new" ? "button" : "button button--gold"} type="button" onClick={() => show("new")}>
            Внести обращение <kbd>N</kbd>
          </button>
        }
      />
      <ViewTabs
        label="Обращения"
        views={[
          { id: "open", label: "Ждут ответа" },
          { id: "done", label: "Отвечены" },
        ]}
      />
      <DataTable
        caption={state === "open" ? "Обращения без ответа, срочные сверху" : "Отвеченные обращения"}
        columns={columns}
        rows={data?.items}
        keyOf={({ id }) => `${id}`}
        nameOf={({ applicant }) => applicant}
        onOpen={show}
        isTrouble={({ isOverdue }) => isOverdue}
        error={refusal?.message}
        onRetry={() => void reload()}
        empty={state === "open" ? "Обращений без ответа нет" : "Таких обращений нет"}
        paging={{ newer: pages.newer, older: pages.older(data?.next) }}
      />
    </WithPanel>
  );
}

function AddPanel({ onClose, onAdded }: { onClose: () => void; onAdded: () => Promise<void> }) {
  const { send, isBusy, refusal, fields } = useSend(contract.addPrivacyRequest);
  const [today] = useState(() => moscow(new Date()).date);
  const [kind, setKind] = useState<PrivacyRequest["kind"]>("access");
  const [applicant, setApplicant] = useState("");
  const [contact, setContact] = useState("");
  const [text, setText] = useState("");
  const [receivedOn, setReceivedOn] = useState<string | null>(today);
  const add = async () => {
    const answer = await send({ body: { kind, applicant, contact, text, receivedOn: receivedOn ?? "" } });
    if (!answer?.ok) return;
    showToast(`Внесено, ответить до ${day(answer.value.dueOn)}`);
    await onAdded();
  };
  return (
    <Panel
      title="Новое обращение"
      onClose={onClose}
      onSubmit={() => void add()}
      foot={
        <button className="button button--gold button--wide" type="submit" disabled={isBusy}>
          Внести <kbd>Ctrl Enter</kbd>
        </button>
      }
    >
      {refusal && Object.keys(fields).length === 0 ? (
        <Notice tone="warn">
          <p>{refusal.message}</p>
        </Notice>
      ) : null}
      <Select
        label="О чём"
        value={kind}
        error={fields["kind"]}
        options={Object.entries(kindWords)}
        onChange={(event) => setKind(event.target.value as PrivacyRequest["kind"])}
      />
      <Field label="Кто просит" value={applicant} error={fields["applicant"]} onChange={(event) => setApplicant(event.target.value)} />
      <Field label="Куда ответить" value={contact} error={fields["contact"]} onChange={(event) => setContact(event.target.value)} />
      <DateInput label="Поступило" value={receivedOn} max={today} error={fields["receivedOn"]} onChange={setReceivedOn} />
      <TextArea label="Что просит" rows={3} value={text} error={fields["text"]} onChange={(event) => setText(event.target.value)} />
      <p className="hint">Срок считаем со следующего рабочего дня: десять рабочих дней, статья 20 закона 152-ФЗ.</p>
    </Panel>
  );
}

function RequestPanel({ request, onClose, onChanged }: { request: PrivacyRequest; onClose: () => void; onChanged: () => Promise<void> }) {
  const { send, isBusy, refusal, fields } = useSend(contract.finishPrivacyRequest);
  const [outcome, setOutcome] = useState("");
  /** The request as a colleague has answered it meanwhile. */
  const [newer, setNewer] = useState<PrivacyRequest | null>(null);
  const isOpen = request.state === "open";
  const finish = async () => {
    const answer = await send({ params: { id: request.id }, body: { revision: request.revision, outcome } });
    if (answer?.ok) {
      showToast("Отмечено отвеченным");
      await onChanged();
    } else if (answer?.error?.code === "staff.stale") setNewer(answer.error.data.current);
  };
  const facts: [string, string | null][] = [
    ["О чём", kindWords[request.kind]],
    ["Куда ответить", request.contact],
    ["Поступило", day(request.receivedOn)],
    ["Ответить до", day(request.dueOn)],
    ["Внёс", request.enteredBy],
    ["Ответил", request.doneBy && `${request.doneBy}${request.doneAt ? `, ${when(request.doneAt)}` : ""}`],
    ["Что сделали", request.outcome],
  ];
  return (
    <Panel
      title={request.applicant}
      onClose={onClose}
      {...(isOpen ? { onSubmit: () => void finish() } : {})}
      foot={
        isOpen ? (
          <button className="button button--gold button--wide" type="submit" disabled={isBusy}>
            Ответили <kbd>Ctrl Enter</kbd>
          </button>
        ) : null
      }
    >
      <dl className="rows">
        {facts.flatMap(([name, value]) =>
          value
            ? [
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>,
              ]
            : [],
        )}
      </dl>
      {request.text ? <p className="review-text">{request.text}</p> : null}
      {isOpen ? (
        <TextArea
          label="Что сделали"
          rows={3}
          value={outcome}
          error={fields["outcome"] ?? (newer ? null : refusal?.message)}
          onChange={(event) => setOutcome(event.target.value)}
        />
      ) : null}
      <StaleDialog
        fields={newer && [{ label: "Что сделали", yours: outcome, current: newer.outcome }]}
        changedBy={newer?.doneBy ?? null}
        note="На обращение уже ответили. Ваш текст не записан: скопируйте его, если он ещё нужен."
        onTakeCurrent={() => void onChanged()}
        onClose={() => setNewer(null)}
      />
    </Panel>
  );
}
