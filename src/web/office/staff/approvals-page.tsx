import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readApprovals } from "#contract/staff/access/approvals.ts";
import { formOf } from "#shop/settings/forms.ts";
import { isSettingKey } from "../settings/values.ts";
import { BeforeAfter } from "../ui/table/before-after.tsx";
import { confirmAndSend } from "../ui/form/confirm.tsx";
import { DataTable, type Column } from "../ui/table/data-table.tsx";
import { Good, Notice, Trouble } from "../ui/marks.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Panel, WithPanel } from "../ui/panel.tsx";
import { showToast } from "../ui/toasts.tsx";
import { leavePanel } from "../ui/form/unsaved.ts";
import { usePages } from "../ui/send/use-pages.ts";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { ViewTabs } from "../ui/table/view-tabs.tsx";
import { actionName } from "./action-words.ts";
import { placeOf } from "./approval-place.ts";
import { factText } from "./fact-text.ts";
import { HandOverLink, type InvitationLink } from "./hand-over-link.tsx";
import { when } from "./words.ts";

type Approval = z.output<(typeof readApprovals)["answer"]>["items"][number];

const stateWords: Readonly<Record<Approval["state"], string>> = {
  waiting: "ждёт решения",
  approved: "сделано",
  refused: "отказано",
  expired: "срок истёк",
  failed: "не получилось",
};

/** What waits for a second person, and what was decided. */
export function Component() {
  const [params] = useSearchParams();
  const pages = usePages();
  const [openedId, setOpenedId] = useState<string | null>(params.get("open"));
  const state = params.get("view") === "decided" ? "decided" : "waiting";
  const { data, refusal, reload } = useRead(contract.readApprovals, { query: { state, cursor: pages.cursor } });
  const opened = data?.items.find(({ id }) => id === openedId);
  const show = (id: string) => {
    if (id !== openedId) void leavePanel(() => setOpenedId(id));
  };
  const columns: Column<Approval>[] = [
    {
      key: "action",
      head: "Что просят",
      isRowHead: true,
      cell: ({ id, action }) => (
        <button className="text-button" type="button" onClick={() => show(id)}>
          {actionName(action)}
        </button>
      ),
    },
    { key: "reason", head: "Почему нужен второй человек", isCut: true, cell: ({ reason }) => <span className="soft">{reason}</span> },
    { key: "by", head: "Просит", cell: ({ askedBy, isOwn }) => (isOwn ? "вы" : askedBy.name) },
    { key: "at", head: "Когда", cell: ({ askedAt }) => <span className="number soft">{when(askedAt)}</span> },
    {
      key: "state",
      head: state === "waiting" ? "Решить до" : "Решение",
      cell: (approval) =>
        state === "waiting" ? <span className="number">{when(approval.expiresAt)}</span> : <Outcome approval={approval} />,
    },
  ];
  return (
    <WithPanel
      panel={
        opened ? (
          <ApprovalPanel
            key={opened.id}
            approval={opened}
            onClose={() => setOpenedId(null)}
            onDecided={() => {
              setOpenedId(null);
              void reload();
            }}
          />
        ) : null
      }
    >
      <PageHead title="Согласования" facts="своё действие подтверждает другой сотрудник" />
      <ViewTabs
        label="Виды"
        views={[
          { id: "waiting", label: "Ждут" },
          { id: "decided", label: "Решённые" },
        ]}
      />
      <DataTable
        caption={state === "waiting" ? "Что ждёт решения" : "Решённые"}
        columns={columns}
        rows={data?.items}
        keyOf={({ id }) => id}
        nameOf={({ action }) => actionName(action)}
        onOpen={({ id }) => show(id)}
        isTrouble={(approval) => approval.state === "failed"}
        error={refusal?.message}
        onRetry={() => void reload()}
        empty={state === "waiting" ? "Никто ничего не ждёт" : "Решённых ещё нет"}
        paging={{ newer: pages.newer, older: pages.older(data?.next) }}
      />
    </WithPanel>
  );
}

function Outcome({ approval: { state, decidedBy } }: { approval: Approval }) {
  const words = `${stateWords[state]}${decidedBy ? `, ${decidedBy.name}` : ""}`;
  if (state === "approved") return <Good>{words}</Good>;
  return state === "failed" ? <Trouble>{words}</Trouble> : <span className="soft">{words}</span>;
}

function ApprovalPanel({ approval, onClose, onDecided }: { approval: Approval; onClose: () => void; onDecided: () => void }) {
  const agree = useSend(contract.approve);
  const turnDown = useSend(contract.refuse);
  const { id, action, reason, askedBy, askedAt, expiresAt, params, body, shown, state, note, isOwn, isConcerned, mayDecide } = approval;
  const place = placeOf(approval);
  const failure = agree.refusal ?? turnDown.refusal;
  const whyNot = isOwn
    ? "Своё действие подтверждает другой сотрудник."
    : isConcerned
      ? "О вашей учётной записи решает другой сотрудник."
      : "У вас нет этого права.";
  const approve = async () => {
    if (!mayDecide) return;
    const answer = await agree.send({ params: { id } });
    if (!answer?.ok) return;
    if (answer.value.state === "failed") showToast(`Не получилось: ${answer.value.note}`, { isTrouble: true });
    else showToast(`Сделано: ${actionName(action)}`);
    onDecided();
  };
  const refuse = async () => {
    const answer = await confirmAndSend(
      { title: "Отказать?", action: "Отказать", note: { label: "Почему, увидит тот, кто просил" } },
      (written) => turnDown.send({ params: { id }, body: { note: written } }),
    );
    if (!answer?.ok) return;
    showToast("Отказано");
    onDecided();
  };
  return (
    <Panel
      title={actionName(action)}
      onClose={onClose}
      {...(mayDecide ? { onSubmit: () => void approve() } : {})}
      foot={
        mayDecide ? (
          <div className="actions">
            <button className="button button--gold" type="submit" disabled={agree.isBusy || turnDown.isBusy}>
              Согласовать <kbd>Ctrl Enter</kbd>
            </button>
            <button className="button" type="button" disabled={agree.isBusy || turnDown.isBusy} onClick={() => void refuse()}>
              Отказать
            </button>
          </div>
        ) : (
          <p className="hint">
            {state === "waiting" ? whyNot : note}
            {state === "waiting" && isOwn ? (
              <>
                {" "}
                Если его нет, владелец подтверждает на сервере: <code>/opt/chekan/current/deploy/command desk staff approve {id}</code>
              </>
            ) : null}
          </p>
        )
      }
    >
      {failure ? (
        <Notice tone="warn">
          <p>{failure.message}</p>
        </Notice>
      ) : null}
      <dl className="rows">
        <div>
          <dt>Просит</dt>
          <dd>
            {askedBy.name}, {when(askedAt)}
          </dd>
        </div>
        <div>
          <dt>Почему спрашиваем</dt>
          <dd>{reason}</dd>
        </div>
        <div>
          <dt>Действует до</dt>
          <dd>{when(expiresAt)}</dd>
        </div>
        {state === "waiting" ? null : (
          <div>
            <dt>Решение</dt>
            <dd>
              <Outcome approval={approval} />
            </dd>
          </div>
        )}
      </dl>
      {shown ? (
        <BeforeAfter
          before={Object.keys(shown.before).length > 0 ? labelled(approval, shown.before) : null}
          after={labelled(approval, shown.after)}
          textOf={(name, value) => factText(action, name, value)}
        />
      ) : (
        <BeforeAfter
          before={null}
          after={{ ...asObject(params), ...asObject(body) }}
          textOf={(name, value) => factText(action, name, value)}
        />
      )}
      {isOwn && linkActions.includes(action) ? <OwnLink id={id} state={state} /> : null}
      {place ? (
        <p>
          <Link to={place.path}>{place.label}</Link>
        </p>
      ) : null}
    </Panel>
  );
}

/** Actions whose answer is a link; only the person who requested the approval may read it. */
const linkActions: readonly string[] = ["staff.invite", "staff.reset_factors"];

/** The link that an approved call made, for the person who requested it. */
function OwnLink({ id, state }: { id: string; state: Approval["state"] }) {
  const { data } = useRead(contract.readApproval, { params: { id } });
  if (state === "waiting") return <p className="hint">Когда согласуют, ссылка появится здесь, в «Решённых».</p>;
  const link = state === "approved" ? (data?.answer as InvitationLink | null | undefined) : null;
  return link ? <HandOverLink link={link} /> : null;
}

/** Fields of settings by the labels of their form. */
function labelled({ action, params }: Approval, values: Readonly<Record<string, unknown>>): object {
  const { key } = asObject(params) as { key?: string };
  if (!action.startsWith("settings.") || !isSettingKey(key)) return values;
  const { fields } = formOf(key);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [fields[name]?.label ?? name, value]));
}

const asObject = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});
