import { paymentIds } from "#shop/method-ids.ts";
import type { HistoryEntry } from "#shop/orders/order.ts";
import { isPaidOnCollection } from "#shop/payment/payment.ts";

/** On the error page, for an order that does not exist and for a wrong or expired key alike. */
export const missingOrder =
  "Такой страницы нет: ссылка на заказ скопирована не целиком или устарела. Откройте её из письма о заказе или напишите нам.";

/** An event of an order that is paid this way, as the buyer reads it. */
export const eventText = (event: HistoryEntry["event"], paymentMethodId: number): string =>
  event === "expire" && isPaidOnCollection(paymentMethodId) ? "Отменён: не получен вовремя" : eventTexts[event];

const eventTexts: Record<HistoryEntry["event"], string> = {
  place: "Оформлен, цена зафиксирована",
  pay_part: "Пришла часть оплаты",
  pay: "Оплата получена",
  assemble: "Собран: монеты проверены и опечатаны",
  unpack: "Распакован: соберём заново",
  ship: "Передан в доставку",
  make_ready: "Готов к выдаче в офисе",
  arrive: "Прибыл в пункт выдачи",
  deliver: "Выдан получателю",
  start_return: "Едет обратно в магазин",
  turn_back: "Вернулся в магазин",
  give_back: "Возвращён в магазин",
  give_back_part: "Часть монет возвращена в магазин",
  cancel: "Отменён",
  request_cancel: "Запрошена отмена",
  confirm_cancel: "СДЭК подтвердил отмену",
  refuse_cancel: "СДЭК не смог отменить доставку",
  expire: "Отменён: не оплачен вовремя",
  refund_part: "Возвращаем часть денег",
  refund: "Деньги возвращены",
  change_recipient: "Получатель изменён",
  change_point: "Пункт выдачи изменён",
  change_address: "Адрес изменён",
  drop_pieces: "Часть монет убрана, деньги возвращаем",
  add_coins: "Добавлены монеты отдельным заказом",
  resend_parcel: "Доставка оформлена заново",
};

/** Names of the payment methods by their contract id. */
export const paymentNames: Readonly<Record<number, string>> = {
  [paymentIds.card]: "Банковская карта",
  [paymentIds.sbp]: "СБП",
  [paymentIds.invoice]: "Счёт в банке",
  [paymentIds.on_collection]: "При получении в офисе",
};
/** Labels of the buttons that start a payment. */
export const payTexts: Readonly<Record<number, string>> = { [paymentIds.card]: "Оплатить картой", [paymentIds.sbp]: "Оплатить по СБП" };
export const paidBy: Readonly<Record<number, string>> = {
  [paymentIds.card]: "картой",
  [paymentIds.sbp]: "по СБП",
  [paymentIds.invoice]: "по счёту",
  [paymentIds.on_collection]: "при получении",
};
