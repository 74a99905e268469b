import { Link, useParams } from "react-router";
import * as contract from "#contract/staff/calls.ts";
import { MissingScreen } from "../shell/states.tsx";
import { useStaff } from "../session.ts";
import { actorText, when } from "../staff/words.ts";
import { Notice } from "../ui/marks.tsx";
import { PageHead, Section } from "../ui/page-head.tsx";
import { useRead } from "../ui/send/use-read.ts";
import {
  causeText,
  dayText,
  methodTexts,
  paymentsOf,
  paymentTexts,
  receiptKindTexts,
  receiptsOf,
  receiptStateTexts,
  sum,
} from "./words.ts";

/** Events of the payment provider by the names of its API. */
const eventTexts: Readonly<Record<string, string>> = {
  "payment.succeeded": "об оплате",
  "payment.canceled": "об отмене платежа",
  "payment.waiting_for_capture": "о холде",
  "refund.succeeded": "о возврате",
};

const confirmed = (isConfirmed: boolean | null): string =>
  isConfirmed === null ? "ещё не проверено" : isConfirmed ? "подтверждено" : "поддельное";

/** One attempt to pay: its id at the provider, and what happened. */
export function Component() {
  const { id = "" } = useParams();
  return <Payment key={id} id={id} />;
}

function Payment({ id }: { id: string }) {
  const { may } = useStaff();
  const { data, refusal } = useRead(contract.readPayment, { params: { id } });
  if (refusal?.code === "staff.not_found") return <MissingScreen />;
  if (refusal)
    return (
      <Notice tone="warn">
        <p>{refusal.message}</p>
      </Notice>
    );
  if (!data) return <p role="status">Загружаем…</p>;
  const history = [
    { at: data.createdAt, text: ["создан", actorText(data.actor)].filter(Boolean).join(", ") },
    ...data.events.map((each) => ({
      at: each.receivedAt,
      text: `уведомление ${eventTexts[each.event] ?? each.event}: ${confirmed(each.isConfirmed)}`,
    })),
    ...(data.settledAt ? [{ at: data.settledAt, text: paymentTexts[data.state] }] : []),
    ...data.receipts.map((each) => ({ at: each.createdAt, text: `чек, ${receiptKindTexts[each.kind]}: ${receiptStateTexts[each.state]}` })),
    ...data.refunds.flatMap(({ amount, cause, createdAt, settledAt, transfer }) => [
      { at: createdAt, text: `возврат ${sum(amount)} ₽, ${causeText(cause)}` },
      ...(transfer && settledAt
        ? [
            {
              at: settledAt,
              text: `возврат ${sum(amount)} ₽ отправлен переводом, поручение № ${transfer.number} от ${dayText(transfer.date)}`,
            },
          ]
        : []),
    ]),
  ].toSorted((a, b) => a.at.localeCompare(b.at));
  return (
    <>
      <PageHead title={`Платёж по заказу ${data.order.number}`} facts={`${methodTexts[data.method]}, ${paymentTexts[data.state]}`} />
      <dl className="rows">
        <div className="total">
          <dt>Сумма</dt>
          <dd className="number">{sum(data.amount)} ₽</dd>
        </div>
        <div>
          <dt>Возвращено</dt>
          <dd className="number">{sum(data.refunded)} ₽</dd>
        </div>
        <div>
          <dt>Заказ</dt>
          <dd>
            <Link to={`/orders/${data.order.id}`}>{data.order.number}</Link>, попытка {data.attempt}:{" "}
            <Link to={paymentsOf(data.order.number)}>все платежи</Link>
            {may("receipts") ? (
              <>
                , <Link to={receiptsOf(data.order.number)}>чеки</Link>
              </>
            ) : null}
          </dd>
        </div>
        <div>
          <dt>Номер у платёжной системы</dt>
          <dd>{data.providerId ?? (data.transfer ? `поручение № ${data.transfer.number} от ${dayText(data.transfer.date)}` : "нет")}</dd>
        </div>
        {data.cancellationReason ? (
          <div>
            <dt>Почему не прошёл</dt>
            <dd>{data.cancellationReason}</dd>
          </div>
        ) : null}
      </dl>
      <Section title="Что было">
        <table className="table table--tight">
          <caption className="visually-hidden">История платежа</caption>
          <tbody>
            {history.map(({ at, text }) => (
              <tr key={`${at} ${text}`}>
                <td className="number soft nowrap">{when(at)}</td>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
    </>
  );
}
