import { subtract, type Kopecks } from "#kit/money.ts";
import { priceText } from "../../ui/format.ts";
import { Price } from "../../ui/price.tsx";
import type { CartPageLine } from "../cart/cart-view.ts";
import { paymentNames } from "../order-words.ts";
import type { PaymentLimits } from "./checkout-view.ts";
import { Step } from "./step.tsx";
import type { Checkout } from "./use-checkout.ts";

const notes: Readonly<Record<number, string>> = {
  4: "Мир, Visa, Mastercard, сразу", 5: "через приложение банка, сразу", 6: "перевод по реквизитам, 1 день", 7: "картой или наличными, после осмотра",
};
/** The longest line of the drawing stands for this sum, unless the order is larger. */
const drawnKopecks = 80_000_000;

/** Ways to pay, each with the most it can take, measured against this order. */
export function PaymentStep({ checkout, limits, lines }: { checkout: Checkout; limits: PaymentLimits; lines: CartPageLine[] }) {
  const { draft, change, total, allowed, isOver } = checkout;
  const whole = Math.max(drawnKopecks, Math.round(total / 0.9));
  const share = (amount: number) => Math.round(Math.min(1, amount / whole) * 100);
  return (
    <Step number={3} title="Оплата" isOpen={draft.closed.contacts && draft.closed.delivery}>
      <fieldset className="lim">
        <legend className="vh">Способ оплаты</legend>
        <div className="lim__k" aria-hidden="true"><span className={`m-${Math.min(78, Math.max(22, share(total)))}`}><b>ваш заказ, <Price amount={total} /></b></span></div>
        {allowed.map((id) => {
          const limit = limits[id] ?? null;
          const isNil = isOver(id);
          return (
            <label key={id} className={`lim__r${isNil ? " is-nil" : ""}`}>
              <input className="rad" type="radio" name="payment" value={id} checked={draft.choice.paymentId === id} disabled={isNil} onChange={() => change({ choice: { ...draft.choice, paymentId: id } })} />
              <span>{paymentNames[id]}<small>{isNil ? "не вмещает этот заказ" : notes[id]}</small></span>
              <span className={`lim__bar${limit === null ? " lim__bar--inf" : ""} m-${limit === null ? 100 : share(limit)}`}>
                <i /><em>{limit === null ? "без предела" : <>до <Price amount={limit} /></>}</em>
              </span>
              <i className={`lim__o m-${share(total)}`} aria-hidden="true" />
            </label>
          );
        })}
      </fieldset>
      <p className="why">{whyText(draft.choice.type, total, limits, allowed, lines)}</p>
    </Step>
  );
}

/** Why some ways are closed, and what would open them. */
function whyText(type: Checkout["draft"]["choice"]["type"], total: Kopecks, limits: PaymentLimits, allowed: readonly number[], lines: CartPageLine[]): string {
  if (type === "specialcontact") return "Спецсвязь оплачивается только по счёту: менеджер рассчитает перевозку и пришлёт реквизиты.";
  const [card, sbp] = [limits[4] ?? null, limits[5] ?? null];
  const closed = allowed.filter((id) => { const limit = limits[id]; return limit != null && total > limit; });
  const reason = card !== null && sbp !== null ? `Пределы ставит платёжная система на один платёж: картой до ${priceText(card)}, по СБП до ${priceText(sbp)}.` : "";
  if (closed.length === 0) return reason;
  const names = closed.map((id) => (paymentNames[id] ?? "").toLowerCase().replace("сбп", "СБП"));
  const help = closed.includes(4) && card !== null ? easing(total, card, lines) : null;
  return `${reason} Ваш заказ больше, поэтому ${closed.length > 1 ? "недоступны" : "недоступна"}: ${names.join(", ")}.${help ? ` ${help}` : ""}`;
}

/** The smallest coin whose absence brings the order under the limit. */
function easing(total: Kopecks, limit: Kopecks, lines: CartPageLine[]): string | null {
  const enough = lines.flatMap((line) => (line.price !== null && subtract(total, line.price) <= limit ? [line.price] : [])).sort((a, b) => a - b);
  return enough[0] === undefined || lines.reduce((count, line) => count + line.quantity, 0) < 2 ? null : `Уберите из корзины одну монету за ${priceText(enough[0])}, и карта откроется.`;
}
