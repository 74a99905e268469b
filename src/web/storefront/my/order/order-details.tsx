import { Link } from "react-router";
import { coinForms, clock, counted, day, dayOfYear, grams, nbsp } from "#kit/format.ts";
import { add, zero } from "#kit/money.ts";
import { deliveryById } from "#shop/delivery/delivery.ts";
import { maskedPhone, phoneDigits } from "../../../ui/fields/phone.ts";
import { Price } from "../../../ui/price.tsx";
import { PromoRow, SummaryRow } from "../../shared/order-summary.tsx";
import { splitTitle } from "../../shared/coin-title.ts";
import { eventText, paidBy, paymentNames } from "../../shared/order-texts.ts";
import { OrderActions } from "./order-actions.tsx";
import { ParcelTracking } from "./progress/parcel-tracking.tsx";
import { OrderInvoice } from "./documents/order-invoice.tsx";
import { OrderDocuments } from "./documents/order-documents.tsx";
import type { OrderPageView } from "./order-view.ts";
import "./documents/order-documents.css";

const metalWords = { gold: "золота", silver: "серебра" } as const;

/** One order, the same in the account and behind a guest's link: progress, coins, total and possible actions. */
export function OrderDetails({ order, withPay = true }: { order: OrderPageView; withPay?: boolean }) {
  // Who comes to pay finds the button before coins and documents, on a phone too.
  const isToPay = withPay && order.pay?.canStart === true;
  const bill = <OrderBill order={order} withPay={withPay} />;
  return (
    <>
      <PrintedHead order={order} />
      <ol className="order-progress" aria-label="Состояние заказа">
        {order.path.map(({ name, state, at }) => (
          <li
            key={name}
            className={state === "done" ? "is-done" : state === "now" ? "is-current" : undefined}
            aria-current={state === "now" ? "step" : undefined}
          >
            <b>{name}</b>
            {at ? (
              <span className="digits">
                {dayOfYear(at)}, {clock(at)}
              </span>
            ) : null}
          </li>
        ))}
      </ol>
      <div className={isToPay ? "sections sections--bill-first" : "sections"}>
        {isToPay ? bill : null}
        <div>
          {order.invoice?.toPay ? <OrderInvoice href={order.invoice.href} toPay={order.invoice.toPay} /> : null}
          <section>
            <h2>Монеты</h2>
            <ul className="lines">
              {order.lines.map((line) => {
                const { name, issue } = splitTitle(line.title);
                return (
                  <li key={line.id}>
                    <img className={`small-coin coin--${line.metal}`} src={line.image} width="56" height="56" alt="" loading="lazy" />
                    <span>
                      <b>
                        <Link to={`/products/${line.slug}`}>{name}</Link>
                      </b>
                      <small>
                        {[issue, line.pureMassMg !== null ? `${grams(line.pureMassMg)}${nbsp}${metalWords[line.metal]}` : null]
                          .filter(Boolean)
                          .join(", ")}
                      </small>
                    </span>
                    <small className="lines__quantity">
                      {line.quantity}
                      {nbsp}×{nbsp}
                      <Price amount={line.price} />
                      {line.gone.map((text) => (
                        <span key={text}>
                          <br />
                          {text}
                        </span>
                      ))}
                    </small>
                    <strong>
                      <Price amount={line.sum} />
                    </strong>
                  </li>
                );
              })}
            </ul>
          </section>
          <section>
            <h2>Что уже было</h2>
            <ol className="tracking">
              {order.events.map(({ event, at }) => (
                <li key={`${event}${at.toISOString()}`}>
                  <time dateTime={at.toISOString()} className="digits">
                    {dayOfYear(at)}, {clock(at)}
                  </time>
                  <span>{eventText(event, order.payment.methodId)}</span>
                </li>
              ))}
            </ol>
          </section>
          {order.parcel ? <ParcelTracking parcel={order.parcel} /> : null}
          <OrderDocuments order={order} />
        </div>
        {isToPay ? null : bill}
      </div>
    </>
  );
}

/** The sum, where the order goes, and what can be done with it. */
function OrderBill({ order, withPay }: { order: OrderPageView; withPay: boolean }) {
  return (
    <aside className="bill" aria-label="Сумма и действия">
      <div className="lock">
        <h2 className="lock__head">{moneyText(order)}</h2>
      </div>
      <dl className="totals">
        <SummaryRow name={counted(order.count, coinForms)}>
          <Price amount={add(order.goods, order.promo?.discount ?? zero)} />
        </SummaryRow>
        <PromoRow promo={order.promo} />
        <SummaryRow name={order.delivery.name}>
          {order.delivery.isPriceOpen ? (
            isCarriageAgreed(order.state) ? (
              "по договорённости"
            ) : (
              "назовёт менеджер"
            )
          ) : order.delivery.price === 0 ? (
            "бесплатно"
          ) : (
            <Price amount={order.delivery.price} />
          )}
        </SummaryRow>
        {order.state === "awaiting_payment" && order.paid > 0 ? (
          <SummaryRow name="Поступило">
            <Price amount={order.paid} />
          </SummaryRow>
        ) : null}
        {order.refunded > 0 ? (
          <SummaryRow name="Возвращено">
            <Price amount={order.refunded} />
          </SummaryRow>
        ) : null}
        {order.goingBack > 0 ? (
          <SummaryRow name="Возвращаем">
            <Price amount={order.goingBack} />
          </SummaryRow>
        ) : null}
        <div className="total">
          <dt>Итого</dt>
          <dd>
            <Price amount={order.total} />
          </dd>
        </div>
      </dl>
      <dl className="totals">
        {order.delivery.point ? (
          <SummaryRow name="Где забрать">
            {cityOnce(order.delivery.city, order.delivery.point.address)}
            <br />
            {order.delivery.point.workTime}
          </SummaryRow>
        ) : (
          <SummaryRow name="Куда">{order.delivery.address || order.delivery.city}</SummaryRow>
        )}
        {order.delivery.courierNote ? <SummaryRow name="Комментарий курьеру">{order.delivery.courierNote}</SummaryRow> : null}
        {order.linked.map(({ number, href }) => (
          <SummaryRow key={number} name="Вместе с заказом">
            <Link to={href}>{number}</Link>
          </SummaryRow>
        ))}
        {order.delivery.arrival ? (
          <SummaryRow name="Ожидаем">
            {order.delivery.arrival}
            {order.state === "awaiting_payment" ? ", если оплатить сегодня" : null}
          </SummaryRow>
        ) : null}
        {order.delivery.insuredValue ? (
          <SummaryRow name="Страховка">
            на полную цену, <Price amount={order.delivery.insuredValue} />
          </SummaryRow>
        ) : null}
        {order.delivery.sealNumber ? (
          <SummaryRow name="Пломба">
            № <span className="digits">{order.delivery.sealNumber}</span>, сверьте при получении
          </SummaryRow>
        ) : null}
        {order.recipient.name ? (
          <SummaryRow name="Получатель">
            {order.recipient.name}
            {deliveryById(order.delivery.id)?.pointType === "POSTAMAT" ? null : ", паспорт"}
          </SummaryRow>
        ) : null}
        {order.recipient.phone ? (
          <div>
            <dt>Телефон</dt>
            <dd className="digits">{maskedPhone(phoneDigits(order.recipient.phone))}</dd>
          </div>
        ) : null}
        {order.recipient.email ? <SummaryRow name="Почта">{order.recipient.email}</SummaryRow> : null}
      </dl>
      {order.delivery.isPriceOpen && !isCarriageAgreed(order.state) ? (
        <p className="bill__note">Менеджер позвонит, назовёт стоимость перевозки, согласует адрес и время.</p>
      ) : null}
      <OrderActions order={order} withPay={withPay} />
    </aside>
  );
}

/** In print only: which order it is, who sells it, and how it is paid. */
function PrintedHead({ order: { number, createdAt, paper, payment, recipient } }: { order: OrderPageView }) {
  const facts = [
    ...paper.requisites,
    ...(recipient.name ? [{ name: "Покупатель", value: recipient.name }] : []),
    {
      name: "Оплата",
      value: `${paymentNames[payment.methodId] ?? ""}${payment.paidAt ? `, оплачен ${momentText(payment.paidAt)}` : ", не оплачен"}`,
    },
    ...paper.vat.map(({ name, value }) => ({ name, value: value ?? "" })),
  ];
  return (
    <section className="printed-order">
      <h2>
        Заказ № {number} от {momentText(createdAt)}
      </h2>
      <p>Продавец: {paper.seller}</p>
      <dl>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** After shipping, or once the order is closed, a manager has no reason to call. */
const isCarriageAgreed = (state: OrderPageView["state"]): boolean =>
  state !== "placed" && state !== "awaiting_payment" && state !== "paid" && state !== "assembled";

/** The carrier's addresses omit the city; the office's begins with it. */
const cityOnce = (city: string, address: string): string => (address.startsWith(city) ? address : `${city}, ${address}`);

/** The state of the payment, in one line. */
export function moneyText({ payment, state, paid, refunded, goingBack, pay }: OrderPageView): string {
  if (paid > 0 && refunded >= paid) return "Деньги возвращены";
  if (state === "cancellation_requested") return paid > 0 ? "Ждём ответа СДЭК, потом вернём деньги" : "Ждём ответа СДЭК";
  if ((state === "returning" || state === "returned") && refunded === 0)
    return paid === 0 ? "Заказ не оплачен" : state === "returned" ? "Возвращён, деньги вернём" : "Деньги вернём, когда монеты будут у нас";
  if (state === "cancelled") {
    // Money that came after the cancellation is not the order's: `paid` stays zero.
    if (payment.status === "refunded") return "Отменён, деньги возвращены";
    return paid > 0 || goingBack > 0 ? "Отменён, деньги возвращаем" : "Отменён, деньги не списаны";
  }
  if (state === "awaiting_payment" && paid > 0) return "Оплачен частично, ждём остаток";
  if (payment.status === "succeeded" && refunded > 0) return "Оплачено, часть денег возвращена";
  if (payment.status === "succeeded") return `Оплачено ${paidBy[payment.methodId] ?? ""}`.trim();
  if (state === "placed") return "Оплата при получении";
  // The provider ends an attempt whose time is over: the buyer may never have tried to pay.
  if (payment.status === "canceled") return pay?.isLate ? "Время оплаты вышло" : "Платёж не прошёл";
  return "Ждёт оплаты";
}

/** «20 ноября 2026 в 14:34» */
export const momentText = (at: Date): string => `${day(at)} в${nbsp}${clock(at)}`;
