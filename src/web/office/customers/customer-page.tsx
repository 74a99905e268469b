import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type * as z from "zod";
import * as contract from "#contract/staff/calls.ts";
import type { readCustomer } from "#contract/staff/customers/customers.ts";
import { orderStatusTexts } from "#contract/texts.ru.ts";
import { day, roubles, trimmed } from "#kit/format.ts";
import { fromRoubles } from "#kit/money.ts";
import { callStaff, saveFile } from "../client.ts";
import { MissingScreen } from "../shell/states.tsx";
import { useStaff } from "../session.ts";
import { when } from "../staff/words.ts";
import { confirm, confirmAndSend } from "../ui/form/confirm.tsx";
import { TextArea } from "../ui/form/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/marks.tsx";
import { PageHead, Section } from "../ui/page-head.tsx";
import { takeLostFocus } from "../ui/take-focus.ts";
import { showToast } from "../ui/toasts.tsx";
import { useRead } from "../ui/send/use-read.ts";
import { useSend } from "../ui/send/use-send.ts";

type Card = z.output<(typeof readCustomer)["answer"]>;
type Contacts = { phone: string; email: string; address: string };

const purposeWords: Readonly<Record<string, string>> = {
  registration: "кабинет",
  order: "заказ",
  inquiry: "заявка",
  review: "отзыв",
  newsletter: "рассылка",
};
const ruleWords: Readonly<Record<string, string>> = {
  below: "дешевле",
  above: "дороже",
  in_stock: "появится в продаже",
  market_open: "откроется биржа",
};

export function Component() {
  const { id = "" } = useParams();
  return <Customer key={id} id={id} />;
}

function Customer({ id }: { id: string }) {
  const staff = useStaff();
  const navigate = useNavigate();
  const { data, refusal, reload } = useRead(contract.readCustomer, { params: { id } });
  const open = useSend(contract.openCustomer);
  const endSessions = useSend(contract.endCustomerSessions);
  const exporting = useSend(contract.exportCustomer);
  const erasing = useSend(contract.eraseCustomer);
  const [contacts, setContacts] = useState<Contacts | null>(null);
  if (refusal?.code === "staff.not_found") return <MissingScreen />;

  const show = async () => {
    const answer = await open.send({ params: { id } });
    if (answer?.ok) setContacts(answer.value);
  };
  const end = async () => {
    const question = {
      title: "Закончить все сеансы покупателя?",
      text: "На всех его устройствах придётся войти заново: по коду из SMS.",
      action: "Закончить",
    };
    if (!(await confirm(question))) return;
    const answer = await endSessions.send({ params: { id } });
    if (!answer?.ok) return;
    showToast(`Закончено сеансов: ${answer.value.ended}`);
    await reload();
  };
  const save = async () => {
    const answer = await exporting.send({ params: { id } });
    if (!answer?.ok) return;
    saveFile(answer.value);
    showToast("Файл с данными сохранён");
  };
  const erase = async () => {
    const question = {
      title: "Удалить кабинет?",
      text:
        "Имя, телефон, почта, адреса, корзина и подписки удалятся без возврата. " +
        "Заказы останутся без имени по окончании срока хранения.",
      action: "Удалить кабинет",
      note: { label: "Основание: обращение и его дата", isRequired: true },
    };
    const erased = await confirmAndSend(question, (reason) => erasing.send({ params: { id }, body: { reason } }));
    if (!erased?.ok) return;
    showToast("Кабинет удалён");
    void navigate("/customers");
  };
  const problem = refusal ?? [open, endSessions, exporting, erasing].map((each) => each.refusal).find(Boolean);
  return (
    <>
      <PageHead
        title={data?.name || "Покупатель"}
        facts={data && `в кабинете с ${day(new Date(data.registeredAt))}${data.city ? `, ${data.city}` : ""}`}
        actions={
          staff.may("customers.export") ? (
            <>
              <button className="button" type="button" disabled={exporting.isBusy} onClick={() => void save()}>
                Выгрузить данные
              </button>
              <button className="button" type="button" disabled={erasing.isBusy} onClick={() => void erase()}>
                Удалить кабинет
              </button>
            </>
          ) : null
        }
      />
      {problem ? (
        <Notice tone="warn">
          <p>{problem.message}</p>
        </Notice>
      ) : null}
      {data ? (
        <>
          <ContactLine card={data} contacts={contacts} mayOpen={staff.may("customers.open") !== null} onShow={() => void show()} />
          {data.orders ? <Orders id={id} first={data.orders} /> : null}
          <Section title="Согласия" aside={<span className="muted">{data.consents.length}</span>}>
            <dl className="rows">
              {data.consents.map(({ purpose, textVersion, textUrl, at, withdrawnAt }) => (
                <div key={`${purpose}:${at}`}>
                  <dt>
                    {purposeWords[purpose] ?? purpose},{" "}
                    {textUrl ? (
                      <a href={textUrl} target="_blank" rel="noreferrer">
                        текст {textVersion}
                      </a>
                    ) : (
                      `текст ${textVersion}`
                    )}
                  </dt>
                  <dd className="number">
                    {when(at)}
                    {withdrawnAt ? `, отозвано ${when(withdrawnAt)}` : ""}
                  </dd>
                </div>
              ))}
            </dl>
            {data.consents.length === 0 ? <p className="hint">Согласий нет</p> : null}
          </Section>
          <Section
            title="Вход и подписки"
            aside={
              staff.may("customers.open") && data.sessions > 0 ? (
                <button className="text-button" type="button" onClick={() => void end()}>
                  Закончить все сеансы
                </button>
              ) : null
            }
          >
            <dl className="rows">
              <div>
                <dt>Устройств с входом</dt>
                <dd className="number">
                  {data.sessions}
                  {data.lastSeenAt ? `, был ${when(data.lastSeenAt)}` : ""}
                </dd>
              </div>
              <div>
                <dt>Рассылка</dt>
                <dd>{data.newsletter ? `подписан ${when(data.newsletter.since)}, текст ${data.newsletter.textVersion}` : "не подписан"}</dd>
              </div>
              {data.alerts.map(({ subject, rule, value, createdAt }) => (
                <div key={`${subject}:${createdAt}`}>
                  <dt>Уведомление: {subject}</dt>
                  <dd className="number">
                    {ruleWords[rule] ?? rule} {value === null ? "" : trimmed(value, 2)}
                  </dd>
                </div>
              ))}
            </dl>
          </Section>
          <Notes id={id} notes={data.notes} mayWrite={staff.may("customers.open") !== null} onAdded={reload} />
        </>
      ) : null}
    </>
  );
}

function ContactLine({ card, contacts, mayOpen, onShow }: { card: Card; contacts: Contacts | null; mayOpen: boolean; onShow: () => void }) {
  if (contacts)
    return (
      <div className="actions">
        <a className="button" href={`tel:${contacts.phone}`} ref={takeLostFocus}>
          <Icon name="phone" size="small" /> {contacts.phone}
        </a>
        {contacts.email ? (
          <a className="button" href={`mailto:${contacts.email}`}>
            {contacts.email}
          </a>
        ) : null}
        {contacts.address ? <span className="soft">{contacts.address}</span> : null}
      </div>
    );
  return (
    <div className="actions">
      <span className="number">{[card.maskedPhone, card.maskedEmail].filter(Boolean).join(", ")}</span>
      {mayOpen ? (
        <button className="button button--small" type="button" onClick={onShow}>
          <Icon name="eye" size="small" /> Показать
        </button>
      ) : null}
      <p className="hint">{mayOpen ? "Просмотр запишем в журнал: кто, чьи контакты и когда." : "Контакты этой роли не видны."}</p>
    </div>
  );
}

function Orders({ id, first }: { id: string; first: NonNullable<Card["orders"]> }) {
  const [older, setOlder] = useState<NonNullable<Card["orders"]> | null>(null);
  const orders = [...first.items, ...(older?.items ?? [])];
  const next = older ? older.next : first.next;
  const more = async () => {
    if (next === null) return;
    const answer = await callStaff(contract.readCustomerOrders, { params: { id }, query: { cursor: next } });
    if (answer.ok) setOlder({ items: [...(older?.items ?? []), ...answer.value.items], next: answer.value.next });
    else showToast(answer.error.message, { isTrouble: true });
  };
  const hasSums = orders.some(({ total }) => total !== undefined);
  return (
    <Section title="Заказы" aside={<span className="muted">{next === null ? orders.length : `${orders.length}+`}</span>}>
      {orders.length === 0 ? <p className="hint">Заказов нет</p> : null}
      {orders.length > 0 ? (
        <div className="table-scroll" role="region" aria-label="Заказы покупателя" tabIndex={0}>
          <table className="table">
            <caption className="visually-hidden">Заказы покупателя, новые сверху</caption>
            <thead>
              <tr>
                <th scope="col">Заказ</th>
                <th scope="col">Состояние</th>
                <th scope="col" className="align-right">
                  Штук
                </th>
                {hasSums ? (
                  <th scope="col" className="align-right">
                    Сумма, ₽
                  </th>
                ) : null}
                <th scope="col">Сделан</th>
              </tr>
            </thead>
            <tbody>
              {orders.map(({ id, number, state, pieces, total, createdAt }) => (
                <tr key={id}>
                  <th scope="row">
                    <Link to={`/orders/${id}`}>{number}</Link>
                  </th>
                  <td>{orderStatusTexts[state]}</td>
                  <td className="align-right number">{pieces}</td>
                  {hasSums ? <td className="align-right number">{total === undefined ? "" : roubles(fromRoubles(total))}</td> : null}
                  <td className="number soft">{when(createdAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {next === null ? null : (
        <p>
          <button className="button button--small" type="button" onClick={() => void more()}>
            Показать ещё
          </button>
        </p>
      )}
    </Section>
  );
}

function Notes({ id, notes, mayWrite, onAdded }: { id: string; notes: Card["notes"]; mayWrite: boolean; onAdded: () => Promise<void> }) {
  const { send, isBusy, fields, refusal } = useSend(contract.addCustomerNote, { stores: "nothing" });
  const [text, setText] = useState("");
  const add = async () => {
    const answer = await send({ params: { id }, body: { text } });
    if (!answer?.ok) return;
    // What was typed while the note was on its way stays.
    setText((now) => (now === text ? "" : now));
    await onAdded();
  };
  return (
    <Section title="Между нами">
      <ul className="talk">
        {notes.map((note) => (
          <li key={note.id}>
            <p className="byline">
              {note.author} <time dateTime={note.at}>{when(note.at)}</time>
            </p>
            <p>{note.text}</p>
          </li>
        ))}
      </ul>
      {mayWrite ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <TextArea
            label="Новая заметка"
            rows={2}
            maxLength={2000}
            value={text}
            error={fields["text"] ?? refusal?.message}
            onChange={(event) => setText(event.target.value)}
          />
          <div className="actions actions--after">
            <button className="button" type="submit" disabled={isBusy || text.trim() === ""}>
              Добавить заметку
            </button>
          </div>
        </form>
      ) : null}
    </Section>
  );
}
