import { paymentIds } from "#shop/method-ids.ts";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { Price } from "../../../ui/price.tsx";
import type { CartPageLine } from "../../cart/cart-view.ts";
import { paymentNames } from "../../shared/order-texts.ts";
import type { PaymentLimits } from "../checkout-view.ts";
import { limitsText, limitExceeded } from "./payment-texts.ts";
import { Step } from "../step.tsx";
import type { Checkout } from "../checkout-store.ts";

const notes: Readonly<Record<number, string>> = {
  [paymentIds.card]: "Мир, Visa, Mastercard, сразу",
  [paymentIds.sbp]: "через приложение банка, сразу",
  [paymentIds.invoice]: "перевод по реквизитам, 1\u00A0банковский день",
  [paymentIds.on_collection]: "картой или наличными, после осмотра",
};
/** Logos of the payment systems. */
const marks: Readonly<Record<number, readonly IconName[]>> = {
  [paymentIds.card]: ["mir", "visa", "mastercard"],
  [paymentIds.sbp]: ["sbp"],
};
/** The sum of the longest line in the drawing, unless the order is larger. */
const drawnKopecks = 80_000_000;

/** Payment methods with their limits, compared to the sum of this order. */
export function PaymentStep({
  checkout,
  limits,
  receiptLinesMax,
  lines,
}: {
  checkout: Checkout;
  limits: PaymentLimits;
  receiptLinesMax: number;
  lines: CartPageLine[];
}) {
  const { dispatch } = checkout;
  const { draft } = checkout.state;
  const { total, allowed, receiptLines } = checkout.facts;
  const order = { total, limits, receiptLines, receiptLinesMax };
  const whole = Math.max(drawnKopecks, Math.round(total / 0.9));
  const share = (amount: number) => Math.round(Math.min(1, amount / whole) * 100);
  return (
    <Step number={3} title="Оплата" isOpen={draft.closed.contacts && draft.closed.delivery}>
      <fieldset>
        <legend className="visually-hidden">Способ оплаты</legend>
        <div className="limit__caption" aria-hidden="true">
          <span className={`percent-${Math.min(78, Math.max(22, share(total)))}`}>
            <b>
              ваш заказ, <Price amount={total} />
            </b>
          </span>
        </div>
        {allowed.map((id) => {
          const limit = limits[id] ?? null;
          const why = limitExceeded(id, order);
          const isNil = why !== null;
          return (
            <label key={id} className={`limit__row${isNil ? " is-unavailable" : ""}`}>
              <input
                className="radio"
                type="radio"
                name="payment"
                value={id}
                checked={draft.choice.paymentId === id}
                disabled={isNil}
                onChange={() => dispatch({ type: "payment.chosen", paymentId: id })}
              />
              <span>
                {paymentNames[id]}
                <small>{why === null ? notes[id] : why === "sum" ? "не вмещает этот заказ" : "чек не вмещает столько позиций"}</small>
                {marks[id] ? (
                  <span className="limit__marks">
                    {marks[id].map((mark) => (
                      <Icon key={mark} name={mark} className="mark" />
                    ))}
                  </span>
                ) : null}
              </span>
              <span
                className={`limit__bar${limit === null ? " limit__bar--unlimited" : ""} percent-${limit === null ? 100 : share(limit)}`}
              >
                <i />
                <em>
                  {limit === null ? (
                    "без предела"
                  ) : (
                    <>
                      до <Price amount={limit} />
                    </>
                  )}
                </em>
              </span>
              <i className={`limit__total percent-${share(total)}`} aria-hidden="true" />
            </label>
          );
        })}
      </fieldset>
      <p className="reason">{limitsText({ ...order, type: draft.choice.type, allowed, lines })}</p>
    </Step>
  );
}
