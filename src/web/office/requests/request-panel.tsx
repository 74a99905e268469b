import { useState } from "react";
import * as contract from "#contract/staff/calls.ts";
import { roubles } from "#kit/format.ts";
import { fromRoubles } from "#kit/money.ts";
import { fromMoscow, isoMoscow } from "#kit/moscow-time.ts";
import { useKeys } from "../shell/keys.ts";
import { when } from "../staff/words.ts";
import { Field, Select, TextArea } from "../ui/form/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice, Trouble } from "../ui/marks.tsx";
import { Panel } from "../ui/panel.tsx";
import { StaleDialog } from "../ui/form/stale-dialog.tsx";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { conditionWords, kindWords, stateWords, type RequestCard } from "./words.ts";

export type OpenContacts = { phone: string; email: string };
type Colleague = { login: string; name: string };
type Finish = "answer" | "close";

/** One request beside the list: contacts, what was asked, who answers until when, notes, and what came of it. */
export function RequestPanel({
  id,
  contacts,
  colleagues,
  onOpenContacts,
  onClose,
  onChanged,
  onFinished,
}: {
  id: number;
  contacts: OpenContacts | null;
  colleagues: readonly Colleague[];
  onOpenContacts: (take: boolean) => Promise<void>;
  onClose: () => void;
  onChanged: () => Promise<void>;
  onFinished: () => Promise<void>;
}) {
  const { data: request, refusal, reload } = useRead(contract.readRequest, { params: { id } });
  const move = useSend(contract.moveRequest);
  const [outcome, setOutcome] = useState("");
  const [stale, setStale] = useState<{ event: Finish; state: RequestCard["state"]; assignee: string | null; revision: number } | null>(
    null,
  );
  const isOpen = request?.state === "received" || request?.state === "in_work";

  const finish = async (event: Finish | "reopen", revision: number | undefined) => {
    if (revision === undefined) return;
    const answer = await move.send({ params: { id }, body: { revision, event, outcome } });
    if (answer?.ok) {
      showToast(event === "answer" ? "Отвечено" : event === "close" ? "Закрыто" : "Снова в работе");
      if (event === "reopen") await Promise.all([reload(), onChanged()]);
      else await onFinished();
    } else if (answer?.error?.code === "staff.stale" && event !== "reopen")
      setStale({ event, revision: answer.error.data.revision, ...pick(answer.error.data.current) });
  };
  const show = async (take: boolean) => {
    await onOpenContacts(take);
    await reload();
  };
  useKeys([{ code: "KeyA", label: "Отметить отвеченным", run: () => void finish("answer", request?.revision) }], isOpen);
  const nameOf = (login: string | null) => colleagues.find((each) => each.login === login)?.name ?? login ?? "никто";
  return (
    <Panel
      title={request ? request.name || "Без имени" : "Обращение"}
      onClose={onClose}
      onSubmit={() => void (isOpen && finish("answer", request.revision))}
      foot={
        isOpen ? (
          <div className="actions">
            <button className="button button--gold" type="submit" disabled={move.isBusy}>
              {request.kind === "callback" ? "Дозвонились" : "Ответили"} <kbd>A</kbd>
            </button>
            <button className="button" type="button" disabled={move.isBusy} onClick={() => void finish("close", request.revision)}>
              Закрыть без ответа
            </button>
          </div>
        ) : request ? (
          <button className="button" type="button" disabled={move.isBusy} onClick={() => void finish("reopen", request.revision)}>
            Вернуть в работу
          </button>
        ) : null
      }
    >
      {refusal || (move.refusal && Object.keys(move.fields).length === 0 && !stale) ? (
        <Notice tone="warn">
          <p>{refusal?.message ?? move.refusal?.message}</p>
        </Notice>
      ) : null}
      {request ? (
        <>
          <Contacts request={request} contacts={contacts} onShow={(take) => void show(take)} />
          <dl className="rows">
            <div>
              <dt>Что</dt>
              <dd>
                {kindWords[request.kind]}, {stateWords[request.state]}
              </dd>
            </div>
            {facts(request).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {request.isSuspect ? <Trouble>форму мог отправить робот</Trouble> : null}
          {request.text ? <p className="review-text">{request.text}</p> : null}
          {request.coins ? <Coins request={request} /> : null}
          {isOpen ? (
            <Work
              key={request.revision}
              request={request}
              colleagues={colleagues}
              nameOf={nameOf}
              onChanged={() => Promise.all([reload(), onChanged()])}
            />
          ) : null}
          {isOpen ? (
            <TextArea
              label="Чем закончилось"
              rows={2}
              maxLength={500}
              value={outcome}
              error={move.fields["outcome"]}
              onChange={(event) => setOutcome(event.target.value)}
            />
          ) : null}
          <Notes request={request} nameOf={nameOf} onAdded={reload} />
        </>
      ) : null}
      <StaleDialog
        fields={
          stale && [
            { label: "Состояние", yours: stale.event === "answer" ? "отвечено" : "закрыто", current: stateWords[stale.state] },
            { label: "Отвечает", yours: "вы", current: nameOf(stale.assignee) },
          ]
        }
        onKeepYours={() => {
          const saved = stale;
          setStale(null);
          if (saved) void finish(saved.event, saved.revision);
        }}
        onTakeCurrent={() => {
          setStale(null);
          void Promise.all([reload(), onChanged()]);
        }}
        onClose={() => setStale(null)}
      />
    </Panel>
  );
}

const pick = ({ state, assignee }: Pick<RequestCard, "state" | "assignee">) => ({ state, assignee });

/** What the form says besides contacts and text. */
function facts(request: RequestCard): [string, string][] {
  const { convenientTime, company, city, condition, createdAt, answeredAt, outcome } = request;
  const all: [string, string | null | undefined][] = [
    ["Удобное время", convenientTime],
    ["Компания", company],
    ["Город", city],
    ["Состояние монет", condition && conditionWords[condition]],
    ["Поступило", when(createdAt)],
    ["Закончено", answeredAt && when(answeredAt)],
    ["Итог", outcome],
  ];
  return all.flatMap(([name, value]) => (value ? [[name, value]] : []));
}

function Contacts({ request, contacts, onShow }: { request: RequestCard; contacts: OpenContacts | null; onShow: (take: boolean) => void }) {
  if (contacts)
    return (
      <div className="actions">
        <a className="button" href={`tel:${contacts.phone}`}>
          <Icon name="phone" size="small" /> {phoneText(contacts.phone)}
        </a>
        {contacts.email ? (
          <a className="button" href={`mailto:${contacts.email}`}>
            {contacts.email}
          </a>
        ) : null}
      </div>
    );
  return (
    <div className="actions">
      <span className="number">{[request.maskedPhone, request.maskedEmail].filter(Boolean).join(", ")}</span>
      <button className="button button--small" type="button" onClick={() => onShow(request.state === "received")}>
        <Icon name="eye" size="small" /> Показать
      </button>
      <p className="hint">Показ запишем в журнал: кто, чей телефон и когда.</p>
    </div>
  );
}

/** `+79161234567` → `+7 916 123-45-67`. */
const phoneText = (phone: string): string => phone.replace(/^(\+7)(\d{3})(\d{3})(\d\d)(\d\d)$/, "$1 $2 $3-$4-$5");

function Coins({ request: { coins = [], estimate } }: { request: RequestCard }) {
  const sum = (amount: number | null) => (amount === null ? "после осмотра" : roubles(fromRoubles(amount)));
  return (
    <>
      <table className="table table--tight">
        <caption className="visually-hidden">Монеты на выкуп</caption>
        <thead>
          <tr>
            <th scope="col">Монета</th>
            <th scope="col" className="align-right">
              Штук
            </th>
            <th scope="col" className="align-right">
              Сумма, ₽
            </th>
          </tr>
        </thead>
        <tbody>
          {coins.map(({ title, count, sum: total }, index) => (
            <tr key={`${index}:${title}`}>
              <th scope="row">{title}</th>
              <td className="align-right number">{count}</td>
              <td className="align-right number">{sum(total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="hint">
        {estimate
          ? `Оценка в день заявки: ${sum(estimate.least)}–${sum(estimate.most)} ₽` +
            (estimate.isWhole ? "" : ", без монет, которые надо осмотреть")
          : "Без осмотра цену назвать нельзя"}
      </p>
    </>
  );
}

type Patch = { assignee?: string | null; dueAt?: string };
/** Who answers, and until when. Saved as soon as it is chosen. */
function Work({
  request,
  colleagues,
  nameOf,
  onChanged,
}: {
  request: RequestCard;
  colleagues: readonly Colleague[];
  nameOf: (login: string | null) => string;
  onChanged: () => Promise<unknown>;
}) {
  const { send, refusal, fields } = useSend(contract.editRequest);
  const stored = isoMoscow(new Date(request.dueAt)).slice(0, 16);
  const [due, setDue] = useState(stored);
  const [stale, setStale] = useState<{ patch: Patch; current: Pick<RequestCard, "assignee" | "dueAt">; revision: number } | null>(null);
  const save = async (patch: Patch, revision = request.revision) => {
    setStale(null);
    const answer = await send({ params: { id: request.id }, body: { revision, ...patch } });
    if (answer?.ok) {
      showToast("Сохранено");
      await onChanged();
    } else if (answer?.error?.code === "staff.stale") setStale({ patch, ...answer.error.data });
  };
  const saveDue = () => {
    const at = fromMoscow(due.slice(0, 10), due.slice(11));
    if (due !== stored && !Number.isNaN(at.getTime())) void save({ dueAt: isoMoscow(at) });
  };
  return (
    <>
      <Select
        label="Отвечает"
        value={request.assignee ?? ""}
        error={fields["assignee"]}
        options={[["", "никто"], ...colleagues.map(({ login, name }) => [login, name] as const)]}
        onChange={(event) => void save({ assignee: event.target.value || null })}
      />
      <Field
        label="Ответить до, по Москве"
        type="datetime-local"
        value={due}
        error={fields["dueAt"] ?? (stale ? null : refusal?.message)}
        onChange={(event) => setDue(event.target.value)}
        onBlur={saveDue}
      />
      <StaleDialog
        fields={
          stale &&
          (stale.patch.dueAt === undefined
            ? [{ label: "Отвечает", yours: nameOf(stale.patch.assignee ?? null), current: nameOf(stale.current.assignee) }]
            : [
                { label: "Отвечает", yours: nameOf(request.assignee), current: nameOf(stale.current.assignee) },
                { label: "Ответить до", yours: when(stale.patch.dueAt), current: when(stale.current.dueAt) },
              ])
        }
        onKeepYours={() => stale && void save(stale.patch, stale.revision)}
        onTakeCurrent={() => void onChanged()}
        onClose={() => setStale(null)}
      />
    </>
  );
}

function Notes({
  request,
  nameOf,
  onAdded,
}: {
  request: RequestCard;
  nameOf: (login: string | null) => string;
  onAdded: () => Promise<void>;
}) {
  const { send, isBusy, fields, refusal } = useSend(contract.addRequestNote);
  const [text, setText] = useState("");
  const add = async () => {
    const answer = await send({ params: { id: request.id }, body: { text } });
    if (!answer?.ok) return;
    setText("");
    await onAdded();
  };
  return (
    <>
      <ul className="talk" aria-label="Между нами">
        {request.notes.map(({ id, at, author, text: said }) => (
          <li key={id}>
            <p className="byline">
              {nameOf(author)} <time dateTime={at}>{when(at)}</time>
            </p>
            <p>{said}</p>
          </li>
        ))}
      </ul>
      <TextArea
        label="Между нами"
        rows={2}
        maxLength={2000}
        value={text}
        error={fields["text"] ?? refusal?.message}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="actions actions--after">
        <button className="button" type="button" disabled={isBusy || text.trim() === ""} onClick={() => void add()}>
          Добавить заметку
        </button>
      </div>
    </>
  );
}
