import { counted, number, priceText } from "#kit/format.ts";
import { subtract, type Kopecks } from "#kit/money.ts";
import type { DeliveryType } from "#shop/delivery/delivery.ts";
import { paymentIds } from "#shop/method-ids.ts";
import type { PaymentLimits } from "../checkout-view.ts";

/** Payment methods within a sentence, by id. */
const names: Readonly<Record<number, string>> = {
  [paymentIds.card]: "банковская карта",
  [paymentIds.sbp]: "СБП",
  [paymentIds.invoice]: "счёт в банке",
  [paymentIds.on_collection]: "оплата в офисе",
};

/** Paid at once, with a receipt of the payment provider, which holds a limited number of lines. */
const online: readonly number[] = [paymentIds.card, paymentIds.sbp];

/** Labels of the buttons that order: payment on a page that opens, or later by invoice or at the office. */
export const orderVerb = (paymentId: number): string => (online.includes(paymentId) ? "Оплатить" : "Заказать");

type Line = { price: Kopecks | null; quantity: number };

/** What the limits of a payment method apply to: the order's sum, and the number of lines of its receipt. */
export type PaymentMeasures = { total: Kopecks; limits: PaymentLimits; receiptLines: number; receiptLinesMax: number };

/** Why this method cannot take the order: its sum, or the lines of its receipt. Null: it can. */
export function limitExceeded(id: number, { total, limits, receiptLines, receiptLinesMax }: PaymentMeasures): "sum" | "lines" | null {
  const limit = limits[id];
  if (limit != null && total > limit) return "sum";
  return online.includes(id) && receiptLines > receiptLinesMax ? "lines" : null;
}

/** Why some methods are not available for this order, who sets the limits, and what would make the card available again. */
export function limitsText({
  type,
  allowed,
  lines,
  ...order
}: PaymentMeasures & { type: DeliveryType; allowed: readonly number[]; lines: readonly Line[] }): string {
  if (type === "special") return "Спецсвязь оплачивается только по счёту: менеджер рассчитает перевозку и пришлёт реквизиты.";
  const { total, limits, receiptLines, receiptLinesMax } = order;
  const [card, sbp, office] = [limits[paymentIds.card] ?? null, limits[paymentIds.sbp] ?? null, limits[paymentIds.on_collection] ?? null];
  const reason = [
    card !== null && sbp !== null
      ? `Пределы ставит платёжная система на один платёж: картой до ${priceText(card)}, по СБП до ${priceText(sbp)}.`
      : "",
    allowed.includes(paymentIds.on_collection) && office !== null ? `В офисе принимаем до ${priceText(office)}.` : "",
  ]
    .filter(Boolean)
    .join(" ");
  const closed = (why: "sum" | "lines") => allowed.filter((id) => limitExceeded(id, order) === why);
  const [bySum, byLines] = [closed("sum"), closed("lines")];
  const way = allowed.includes(paymentIds.invoice) ? " Счёт в банке вмещает любой заказ." : "";
  if (byLines.length > 0) {
    const surplus = receiptLines - receiptLinesMax;
    const unavailable = [...bySum, ...byLines].map((id) => names[id]).join(", ");
    const tooMany =
      `В кассовый чек онлайн-оплаты помещается не больше ${counted(receiptLinesMax, positions)}, ` +
      `в вашем заказе ${number(receiptLines)}: для него не подходит ${unavailable}.`;
    return `${reason} ${tooMany}${way} Уберите из корзины ${counted(surplus, coinsAway)} или разделите покупку на два заказа.`;
  }
  if (bySum.length === 0) return reason;
  const help = bySum.includes(paymentIds.card) && card !== null ? easing(total, card, lines) : "";
  return `${reason} Ваш заказ больше, для него не подходит: ${bySum.map((id) => names[id]).join(", ")}.${way}${help}`;
}

/** A count of coins in the genitive, after «не больше» and «уберите». */
const positions = ["позиции", "позиций", "позиций"] as const;
const coinsAway = ["вид монет", "вида монет", "видов монет"] as const;

/** The smallest coin without which the order is below the limit. */
function easing(total: Kopecks, limit: Kopecks, lines: readonly Line[]): string {
  const enough = lines
    .flatMap((line) => (line.price !== null && subtract(total, line.price) <= limit ? [line.price] : []))
    .sort((a, b) => a - b);
  const pieces = lines.reduce((count, line) => count + line.quantity, 0);
  return enough[0] === undefined || pieces < 2 ? "" : ` Уберите из корзины одну монету за ${priceText(enough[0])}, и карта откроется.`;
}
