import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { formOf } from "#shop/settings/forms.ts";
import { isSettingKey } from "../settings/values.ts";
import { BeforeAfter } from "../ui/table/before-after.tsx";
import { usePoll } from "../shell/activity.ts";
import { refreshWaiting } from "../shell/live-waiting.ts";
import { confirm, confirmAndSend } from "../ui/form/confirm.tsx";
import type { Column } from "../ui/table/column.ts";
import { DataTable } from "../ui/table/data-table.tsx";
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
import { outcomeText, stateWords, summaryOf, whoDecides, type Approval } from "./approval-words.ts";
import { factText } from "./fact-text.ts";
import { HandOverLink, type InvitationLink } from "./hand-over-link.tsx";
import { when } from "./words.ts";

const pollMs = 15_000;

/** What waits for a second person, and what was decided. */
export function Component() {
  const [params] = useSearchParams();
  const pages = usePages();
  const [openedId, setOpenedId] = useState<string | null>(params.get("open"));
  const state = params.get("view") === "decided" ? "decided" : "waiting";
  const { data, refusal, reload } = useRead(contract.readApprovals, { query: { state, cursor: pages.cursor } });
  // New requests and decisions of others appear without a reload.
  usePoll(() => void reload(), pollMs);
  const opened = data?.items.find(({ id }) => id === openedId);
  const close = () => setOpenedId(null);
  const decided = () => {
    setOpenedId(null);
    void reload();
    void refreshWaiting();
  };
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
    { key: "about", head: "О чём", isCut: true, cell: (approval) => <span className="soft">{summaryOf(approval)}</span> },
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
          <ApprovalPanel key={opened.id} approval={opened} onClose={close} onDecided={decided} onLate={() => void reload()} />
        ) : openedId !== null && data ? (
          <OtherApproval key={openedId} id={openedId} onClose={close} onDecided={decided} />
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

/** A request that is not in the list: a link leads to it, or a colleague decided while it was open. */
function OtherApproval({ id, onClose, onDecided }: { id: string; onClose: () => void; onDecided: () => void }) {
  const { data, refusal, reload } = useRead(contract.readApproval, { params: { id } });
  if (data) return <ApprovalPanel approval={data} onClose={onClose} onDecided={onDecided} onLate={() => void reload()} />;
  if (!refusal) return null;
  return (
    <Panel title="Согласование" onClose={onClose}>
      <Notice tone="warn">
        <p>{refusal.message}</p>
      </Notice>
    </Panel>
  );
}

/** Refusals after which the panel must show what was decided. */
const lateCodes: readonly string[] = ["approval.decided", "approval.expired"];

/** `onDecided`: the viewer is done with it. `onLate`: a colleague decided first. */
function ApprovalPanel({
  approval,
  onClose,
  onDecided,
  onLate,
}: {
  approval: Approval;
  onClose: () => void;
  onDecided: () => void;
  onLate: () => void;
}) {
  const agree = useSend(contract.approve);
  const turnDown = useSend(contract.refuse);
  const withdraw = useSend(contract.withdraw);
  const seen = useSend(contract.noteSeen);
  const { id, action, reason, askedBy, askedAt, expiresAt, params, body, shown, state, note, isOwn, isConcerned, mayDecide } = approval;
  const { orderNumber, deciders, isUnseen } = approval;
  const place = placeOf(approval);
  const failure = agree.refusal ?? turnDown.refusal ?? withdraw.refusal ?? seen.refusal;
  const isBusy = agree.isBusy || turnDown.isBusy || withdraw.isBusy || seen.isBusy;
  /** When a colleague decided first, the panel shows what was decided. */
  const heed = <A extends { ok: boolean; error?: { code: string; message: string } | null } | null>(answer: A): A => {
    if (answer?.error && lateCodes.includes(answer.error.code)) {
      showToast(answer.error.message, { isTrouble: true });
      onLate();
    }
    return answer;
  };
  const whyNot = `${isConcerned ? "О вашей учётной записи решает другой сотрудник" : "У вас нет этого права"}: ${whoDecides(deciders)}.`;
  const approve = async () => {
    if (!mayDecide) return;
    const answer = heed(await agree.send({ params: { id } }));
    if (!answer?.ok) return;
    if (answer.value.state === "failed") showToast(`Не получилось: ${answer.value.note}`, { isTrouble: true });
    else showToast(`Сделано: ${actionName(action)}`);
    onDecided();
  };
  const refuse = async () => {
    const answer = await confirmAndSend(
      { title: "Отказать?", action: "Отказать", note: { label: "Почему, увидит тот, кто просил" } },
      async (written) => heed(await turnDown.send({ params: { id }, body: { note: written } })),
    );
    if (!answer?.ok) return;
    showToast("Отказано");
    onDecided();
  };
  const takeBack = async () => {
    if (!(await confirm({ title: "Отозвать просьбу?", text: "Решать её больше никто не сможет.", action: "Отозвать" }))) return;
    const answer = heed(await withdraw.send({ params: { id } }));
    if (!answer?.ok) return;
    showToast("Просьба отозвана");
    onDecided();
  };
  const noted = async () => {
    const answer = await seen.send({ params: { id } });
    if (answer?.ok) onDecided();
  };
  return (
    <Panel
      title={actionName(action)}
      onClose={onClose}
      {...(mayDecide ? { onSubmit: () => void approve() } : {})}
      foot={
        mayDecide ? (
          <div className="actions">
            <button className="button button--gold" type="submit" disabled={isBusy}>
              Согласовать <kbd>Ctrl Enter</kbd>
            </button>
            <button className="button" type="button" disabled={isBusy} onClick={() => void refuse()}>
              Отказать
            </button>
          </div>
        ) : isOwn && state === "waiting" ? (
          <>
            <p className="hint">
              Своё действие подтверждает другой сотрудник: {whoDecides(deciders)}.
              {deciders.length === 0 ? (
                <>
                  {" "}
                  Команда: <code>/opt/chekan/current/deploy/command desk staff approve {id}</code>
                </>
              ) : null}
            </p>
            <div className="actions">
              <button className="button" type="button" disabled={isBusy} onClick={() => void takeBack()}>
                Отозвать
              </button>
            </div>
          </>
        ) : isUnseen ? (
          <div className="actions">
            <button className="button button--gold" type="button" disabled={isBusy} onClick={() => void noted()}>
              Понятно
            </button>
          </div>
        ) : state === "waiting" ? (
          <p className="hint">{whyNot}</p>
        ) : undefined
      }
    >
      {failure ? (
        <Notice tone="warn">
          <p>{failure.message}</p>
        </Notice>
      ) : null}
      <dl className="rows">
        {orderNumber === null ? null : (
          <div>
            <dt>Заказ</dt>
            <dd>{orderNumber}</dd>
          </div>
        )}
        <div>
          <dt>Просит</dt>
          <dd>
            {askedBy.name}, {when(askedAt)}
          </dd>
        </div>
        <div>
          <dt>Зачем второй человек</dt>
          <dd>{reason}</dd>
        </div>
        {state === "waiting" ? (
          <div>
            <dt>Решить до</dt>
            <dd>{when(expiresAt)}</dd>
          </div>
        ) : (
          <div>
            <dt>Решение</dt>
            <dd>{note === "" ? <Outcome approval={approval} /> : outcomeText(approval)}</dd>
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
