import { subtract, type Kopecks } from "#kit/money.ts";
import type { DeliveryType } from "#shop/delivery/delivery.ts";
import { priceText } from "../../ui/format.ts";
import type { PaymentLimits } from "./checkout-view.ts";

/** Ways to pay within a sentence, by their numbers on the wire. */
const names: Readonly<Record<number, string>> = { 4: "банковская карта", 5: "СБП", 6: "счёт в банке", 7: "оплата в офисе" };

type Line = { price: Kopecks | null; quantity: number };

/** Why some ways to pay are closed for this sum, who sets the limits, and what would open the card again. */
export function limitsText({ type, total, limits, allowed, lines }: { type: DeliveryType; total: Kopecks; limits: PaymentLimits; allowed: readonly number[]; lines: readonly Line[] }): string {
  if (type === "specialcontact") return "Спецсвязь оплачивается только по счёту: менеджер рассчитает перевозку и пришлёт реквизиты.";
  const [card, sbp, office] = [limits[4] ?? null, limits[5] ?? null, limits[7] ?? null];
  const reason = [
    card !== null && sbp !== null ? `Пределы ставит платёжная система на один платёж: картой до ${priceText(card)}, по СБП до ${priceText(sbp)}.` : "",
    allowed.includes(7) && office !== null ? `В офисе принимаем до ${priceText(office)}.` : "",
  ].filter(Boolean).join(" ");
  const closed = allowed.filter((id) => { const limit = limits[id]; return limit != null && total > limit; });
  if (closed.length === 0) return reason;
  const way = allowed.includes(6) ? " Счёт в банке вмещает любую сумму." : "";
  const help = closed.includes(4) && card !== null ? easing(total, card, lines) : "";
  return `${reason} Ваш заказ больше, для него не подходит: ${closed.map((id) => names[id]).join(", ")}.${way}${help}`;
}

/** The smallest coin whose absence brings the order under the limit. */
function easing(total: Kopecks, limit: Kopecks, lines: readonly Line[]): string {
  const enough = lines.flatMap((line) => (line.price !== null && subtract(total, line.price) <= limit ? [line.price] : [])).sort((a, b) => a - b);
  const pieces = lines.reduce((count, line) => count + line.quantity, 0);
  return enough[0] === undefined || pieces < 2 ? "" : ` Уберите из корзины одну монету за ${priceText(enough[0])}, и карта откроется.`;
}
