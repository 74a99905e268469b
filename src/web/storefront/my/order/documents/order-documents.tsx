import { dayOfYear } from "#kit/format.ts";
import { paymentIds } from "#shop/method-ids.ts";
import { Price } from "../../../../ui/price.tsx";
import type { OrderPageView } from "../order-view.ts";

type Receipt = OrderPageView["receipts"][number];

const names = { payment: "Чек оплаты", handover: "Чек выдачи", refund: "Чек возврата" } as const;

/** Paid by invoice or at the office: staff enters that money. */
const isByHand = (methodId: number): boolean => methodId === paymentIds.invoice || methodId === paymentIds.on_collection;

/** Invoice and receipts of an order, and the button that prints it. */
export function OrderDocuments({ order: { number, state, paid, invoice, receipts, payment } }: { order: OrderPageView }) {
  return (
    <section className="documents" aria-labelledby="documents-h">
      <h2 id="documents-h">Документы</h2>
      {invoice || receipts.length > 0 ? (
        <ul>
          {invoice ? (
            <li>
              <b>
                <a href={invoice.href} target="_blank" rel="noopener">
                  Счёт на оплату № {number} (PDF)
                </a>
              </b>
              <small>реквизиты, состав, НДС</small>
            </li>
          ) : null}
          {receipts.map((paper) => (
            <li key={paper.id}>
              <b>
                {paper.isPart ? "Чек части оплаты" : names[paper.kind]}, <Price amount={paper.amount} />
              </b>
              <small>
                {dayOfYear(paper.at)}. {stateText(paper)}
              </small>
              {paper.fiscal ? (
                <small className="digits">
                  ФН {paper.fiscal.storage}, ФД {paper.fiscal.document}, ФП {paper.fiscal.attribute}
                </small>
              ) : null}
            </li>
          ))}
        </ul>
      ) : (
        <p className="muted">
          {paid === 0 && (state === "cancelled" || state === "returned")
            ? "Заказ закрыт без оплаты, чеков по нему нет."
            : isByHand(payment.methodId)
              ? "Чек напечатает касса офиса после оплаты, он появится здесь."
              : "Чек придёт на почту сразу после оплаты и появится здесь."}
        </p>
      )}
      <p className="documents__actions">
        <button className="button button--line button--small script-only" type="button" onClick={() => window.print()}>
          Распечатать заказ
        </button>
      </p>
    </section>
  );
}

function stateText({ state, registrar }: Receipt): string {
  if (state === "done") return registrar === "office" ? "Выдан кассой офиса" : "Отправлен на почту";
  if (state === "late") return "Касса не ответила, чек пришлём отдельно";
  return registrar === "office" ? "Печатает касса офиса" : "Регистрируется, придёт на почту";
}
