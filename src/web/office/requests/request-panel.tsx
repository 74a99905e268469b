import { useEffect, useId, useRef, useState } from "react";
import { Link } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { roubles } from "#kit/format.ts";
import { fromRoubles } from "#kit/money.ts";
import { fromMoscow, isoMoscow } from "#kit/moscow-time.ts";
import { useStaff } from "../session.ts";
import { useKeys } from "../shell/keys.ts";
import { when } from "../staff/words.ts";
import { Field, Select, TextArea } from "../ui/form/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice, Trouble } from "../ui/marks.tsx";
import { Panel } from "../ui/panel.tsx";
import { takeLostFocus } from "../ui/take-focus.ts";
import { StaleDialog } from "../ui/form/stale-dialog.tsx";
import { forgetTyped } from "../ui/form/unsaved.ts";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";
import { mayMakeDeal, mayOpenContacts, whoOpensText } from "./may-open.ts";
import { conditionWords, kindWords, stateWords, type RequestCard } from "./words.ts";

export type OpenContacts = { phone: string; email: string };
type Colleague = { login: string; name: string };
type Finish = "answer" | "close";
/** The request as a colleague has stored it meanwhile. */
type Newer = Pick<RequestCard, "state" | "assigneeName" | "outcome">;

const isUnfinished = ({ state }: Pick<RequestCard, "state">): boolean => state === "received" || state === "in_work";

/** One request beside the list: contacts, contents, assignee and due time, notes, outcome. */
export function RequestPanel({
  id,
  contacts,
  colleagues,
  isCalling,
  onOpenContacts,
  onClose,
  onChanged,
  onFinished,
}: {
  id: number;
  contacts: OpenContacts | null;
  colleagues: readonly Colleague[];
  /** Opened by «Позвонить»: shows the contacts at once. */
  isCalling: boolean;
  onOpenContacts: (take: boolean) => Promise<void>;
  onClose: () => void;
  onChanged: () => Promise<void>;
  onFinished: () => Promise<void>;
}) {
  const { data: request, refusal, reload } = useRead(contract.readRequest, { params: { id } });
  const move = useSend(contract.moveRequest, { stores: "screen" });
  const reopening = useSend(contract.moveRequest);
  const note = useNote(id, reload);
  const finishForm = useId();
  const [outcome, setOutcome] = useState("");
  const [stale, setStale] = useState<{ event: Finish; newer: Newer; revision: number } | null>(null);
  const isOpen = request !== undefined && isUnfinished(request);
  const [isShowing, setShowing] = useState(false);
  const staff = useStaff();
  const isBusy = move.isBusy || note.isBusy || reopening.isBusy || isShowing;

  const finish = async (event: Finish, revision: number | undefined) => {
    if (revision === undefined) return;
    // A note that was typed and not added yet is stored with the request.
    if (!(await note.add())) return;
    const answer = await move.send({ params: { id }, body: { revision, event, outcome } });
    if (answer?.ok) {
      showToast(event === "answer" ? "Отвечено" : "Закрыто");
      await onFinished();
    } else if (answer?.error?.code === "staff.stale")
      setStale({ event, revision: answer.error.data.revision, newer: answer.error.data.current });
  };
  const reopen = async (revision: number) => {
    const answer = await reopening.send({ params: { id }, body: { revision, event: "reopen" } });
    if (!answer?.ok) return;
    showToast("Снова в работе");
    await Promise.all([reload(), onChanged()]);
  };
  /** Shows the contacts; `take` also assigns the request, which changes its revision, so other changes wait until it is read again. */
  const show = async (take: boolean) => {
    setShowing(true);
    await onOpenContacts(take);
    await reload();
    setShowing(false);
  };
  const hasCalled = useRef(false);
  useEffect(() => {
    if (!isCalling || !isOpen || hasCalled.current) return;
    hasCalled.current = true;
    void show(true);
  });
  useKeys(
    [
      {
        code: "KeyA",
        label: "Отметить отвеченным",
        run: () => document.querySelector<HTMLFormElement>(`form[id="${finishForm}"]`)?.requestSubmit(),
      },
    ],
    isOpen,
  );
  const failure = [move, reopening].find((each) => each.refusal && Object.keys(each.fields).length === 0)?.refusal;
  return (
    <Panel
      title={request ? request.name || "Без имени" : "Обращение"}
      onClose={onClose}
      mainForm={finishForm}
      foot={
        isOpen ? (
          <div className="actions">
            <button className="button button--gold" type="submit" form={finishForm} disabled={isBusy}>
              {request.kind === "callback" ? "Дозвонились" : "Ответили"} <kbd>A</kbd>
            </button>
            <button
              className="button"
              type="button"
              form={finishForm}
              disabled={isBusy}
              onClick={() => void finish("close", request.revision)}
            >
              Закрыть без ответа
            </button>
          </div>
        ) : request ? (
          <button className="button" type="button" disabled={isBusy} onClick={() => void reopen(request.revision)}>
            Вернуть в работу
          </button>
        ) : null
      }
    >
      {refusal || (failure && !stale) ? (
        <Notice tone="warn">
          <p>{refusal?.message ?? failure?.message}</p>
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
          {request.kind === "buyback" && mayMakeDeal(request, staff) ? (
            <div className="actions actions--after">
              <Link className="button" to={`/buyback/new?request=${request.id}`}>
                Сделка
              </Link>
            </div>
          ) : null}
          {isOpen ? <Work request={request} colleagues={colleagues} onChanged={() => Promise.all([reload(), onChanged()])} /> : null}
          {isOpen ? (
            <form
              id={finishForm}
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                void finish("answer", request.revision);
              }}
            >
              <TextArea
                label="Чем закончилось"
                rows={2}
                maxLength={500}
                value={outcome}
                error={move.fields["outcome"]}
                onChange={(event) => setOutcome(event.target.value)}
              />
            </form>
          ) : null}
          <Notes request={request} note={note} />
        </>
      ) : null}
      <StaleDialog
        fields={
          stale && [
            { label: "Состояние", yours: stale.event === "answer" ? "отвечено" : "закрыто", current: stateWords[stale.newer.state] },
            { label: "Отвечает", yours: "вы", current: stale.newer.assigneeName ?? "никто" },
            { label: "Итог", yours: outcome || "пусто", current: stale.newer.outcome || "пусто" },
          ]
        }
        {...(stale && isUnfinished(stale.newer)
          ? {
              onKeepYours: () => {
                setStale(null);
                void finish(stale.event, stale.revision);
              },
            }
          : { note: "Обращение уже закончено. Ваш итог не записан: скопируйте его, если он ещё нужен." })}
        onTakeCurrent={() => {
          setStale(null);
          move.forget();
          void Promise.all([reload(), onChanged()]);
        }}
        onClose={() => setStale(null)}
      />
    </Panel>
  );
}

/** The other fields of the form. */
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
  const staff = useStaff();
  if (contacts)
    return (
      <div className="actions">
        <a className="button" href={`tel:${contacts.phone}`} ref={takeLostFocus}>
          <Icon name="phone" size="small" /> {phoneText(contacts.phone)}
        </a>
        {contacts.email ? (
          <a className="button" href={`mailto:${contacts.email}`}>
            {contacts.email}
          </a>
        ) : null}
      </div>
    );
  const masked = [request.maskedPhone, request.maskedEmail].filter(Boolean).join(", ");
  if (!mayOpenContacts(request, staff))
    return (
      <div className="actions">
        <span className="number">{masked}</span>
        <p className="hint">{whoOpensText(request)}</p>
      </div>
    );
  return (
    <div className="actions">
      <span className="number">{masked}</span>
      <button className="button button--small" type="button" onClick={() => onShow(request.state === "received")}>
        <Icon name="eye" size="small" /> Показать
      </button>
      <p className="hint">Просмотр запишем в журнал: кто, чей телефон и когда.</p>
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
/** Choices that are not stored yet; null: unchanged. */
type Typed = { assignee: string | null; due: string | null };
const nothingTyped: Typed = { assignee: null, due: null };

/** Assignee and due time. A choice is saved at once; a refused one stays, with the reason beside it. */
function Work({
  request,
  colleagues,
  onChanged,
}: {
  request: RequestCard;
  colleagues: readonly Colleague[];
  onChanged: () => Promise<unknown>;
}) {
  const { send, refusal, fields, forget } = useSend(contract.editRequest);
  const [typed, setTyped] = useState<Typed>(nothingTyped);
  /** What was sent last; `isOnWay` until the request has been read again. */
  const [sent, setSent] = useState<Patch & { isOnWay: boolean }>({ isOnWay: false });
  const [stale, setStale] = useState<{ patch: Patch; current: Pick<RequestCard, "assigneeName" | "dueAt">; revision: number } | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const stored = { assignee: request.assignee ?? "", due: isoMoscow(new Date(request.dueAt)).slice(0, 16) };
  const assignee = typed.assignee ?? stored.assignee;
  const due = typed.due ?? stored.due;

  const unsaved = (): Patch => {
    const at = fromMoscow(due.slice(0, 10), due.slice(11));
    return {
      ...(assignee === stored.assignee ? {} : { assignee: assignee || null }),
      ...(due === stored.due || Number.isNaN(at.getTime()) ? {} : { dueAt: isoMoscow(at) }),
    };
  };
  const save = async (patch: Patch, revision = request.revision) => {
    setStale(null);
    if (Object.keys(patch).length === 0) return;
    setSent({ ...patch, isOnWay: true });
    const answer = await send({ params: { id: request.id }, body: { revision, ...patch } });
    if (!answer) return; // the previous change is still being sent
    if (answer.ok) {
      showToast("Сохранено");
      await onChanged();
      setTyped((now) => ({
        assignee: patch.assignee === undefined ? now.assignee : null,
        due: patch.dueAt === undefined ? now.due : null,
      }));
    } else if (answer.error?.code === "staff.stale") setStale({ patch, ...answer.error.data });
    setSent({ ...patch, isOnWay: false });
  };
  const problem = stale ? null : refusal?.message;
  // A request may still have a colleague who has left the shop or lost the permission.
  const isGone = stored.assignee !== "" && colleagues.every(({ login }) => login !== stored.assignee);
  const choices = [
    ["", "никто"],
    ...colleagues.map(({ login, name }) => [login, name] as const),
    ...(isGone ? [[stored.assignee, request.assigneeName ?? stored.assignee] as const] : []),
  ] as const;
  const nameOf = (login: string): string => choices.find(([value]) => value === login)?.[1] ?? login;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save(unsaved());
      }}
    >
      <Select
        label="Отвечает"
        value={assignee}
        error={fields["assignee"] ?? (sent.assignee === undefined ? null : problem)}
        options={choices}
        onChange={({ target: { value } }) => {
          setTyped({ ...typed, assignee: value });
          void save(value === stored.assignee ? {} : { assignee: value || null });
        }}
      />
      <Field
        label="Ответить до, по Москве"
        type="datetime-local"
        value={due}
        error={fields["dueAt"] ?? (sent.dueAt === undefined || sent.assignee !== undefined ? null : problem)}
        onChange={(event) => setTyped({ ...typed, due: event.target.value })}
        onBlur={() => {
          const { dueAt } = unsaved();
          if (dueAt !== undefined && !(sent.isOnWay && sent.dueAt === dueAt)) void save({ dueAt });
        }}
      />
      {!stale && !sent.isOnWay && Object.keys(unsaved()).length > 0 ? (
        <div className="actions actions--after">
          <button className="button" type="submit">
            Сохранить
          </button>
        </div>
      ) : null}
      <StaleDialog
        fields={
          stale && [
            { label: "Отвечает", yours: nameOf(assignee), current: stale.current.assigneeName ?? "никто" },
            ...(stale.patch.dueAt === undefined
              ? []
              : [{ label: "Ответить до", yours: when(stale.patch.dueAt), current: when(stale.current.dueAt) }]),
          ]
        }
        onKeepYours={() => stale && void save(stale.patch, stale.revision)}
        onTakeCurrent={() => {
          setStale(null);
          setTyped(nothingTyped);
          forget();
          if (form.current) forgetTyped(form.current);
          void onChanged();
        }}
        onClose={() => setStale(null)}
      />
    </form>
  );
}

/** A note that is being typed. */
function useNote(id: number, onAdded: () => Promise<void>) {
  const { send, isBusy, fields, refusal } = useSend(contract.addRequestNote, { stores: "nothing" });
  const [text, setText] = useState("");
  /** Adds what is typed; false when it could not be added. */
  const add = async (): Promise<boolean> => {
    if (text.trim() === "") return true;
    const answer = await send({ params: { id }, body: { text } });
    if (!answer?.ok) return false;
    setText((now) => (now === text ? "" : now));
    await onAdded();
    return true;
  };
  return { text, setText, add, isBusy, error: fields["text"] ?? refusal?.message };
}

function Notes({ request, note: { text, setText, add, isBusy, error } }: { request: RequestCard; note: ReturnType<typeof useNote> }) {
  return (
    <>
      <ul className="talk" aria-label="Между нами">
        {request.notes.map(({ id, at, author, text: said }) => (
          <li key={id}>
            <p className="byline">
              {author} <time dateTime={at}>{when(at)}</time>
            </p>
            <p>{said}</p>
          </li>
        ))}
      </ul>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextArea
          label="Между нами"
          rows={2}
          maxLength={2000}
          value={text}
          error={error}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="actions actions--after">
          <button className="button" type="submit" disabled={isBusy || text.trim() === ""}>
            Добавить заметку
          </button>
        </div>
      </form>
    </>
  );
}
