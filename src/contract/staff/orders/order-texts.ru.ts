import { paymentIds } from "#shop/method-ids.ts";
import type { HistoryEvent } from "#shop/orders/order.ts";
import type { ListProblem } from "#shop/orders/staff/order-list.ts";
import { isPaidOnCollection } from "#shop/payment/payment.ts";

/** What is wrong with an order, as staff reads it. */
export const problemTexts: Record<ListProblem, string> = {
  unsealed: "нет номера пломбы",
  cancellation: "отмену решает перевозчик",
  repacking: "посылку отзываем, собрать заново",
  returning: "едет обратно",
  return_late: "едет обратно слишком долго",
  unsettled: "вернулся, деньги не решены",
  parcel_refused: "перевозчик отклонил посылку",
  message_failed: "сообщение не дошло до покупателя",
};

/** What happened to an order, as staff reads it. */
export const staffEventTexts: Record<HistoryEvent, string> = {
  place: "Оформлен",
  pay_part: "Пришла часть оплаты",
  pay: "Оплачен",
  assemble: "Собран",
  unpack: "Распакован, чтобы собрать заново",
  ship: "Передан в доставку",
  make_ready: "Готов к выдаче в офисе",
  arrive: "Прибыл в пункт выдачи",
  deliver: "Выдан",
  start_return: "Едет обратно",
  turn_back: "Вернулся к нам",
  give_back: "Возвращён покупателем",
  give_back_part: "Часть монет возвращена покупателем",
  cancel: "Отменён",
  request_cancel: "Отмена запрошена у перевозчика",
  confirm_cancel: "Отмена подтверждена",
  refuse_cancel: "Перевозчик отказал в отмене",
  expire: "Отменён: не оплачен вовремя",
  refund_part: "Возврат части денег",
  refund: "Возврат денег",
  change_recipient: "Получатель изменён",
  change_point: "Пункт выдачи изменён",
  change_address: "Адрес изменён",
  drop_pieces: "Монеты убраны из заказа, возврат денег",
  add_coins: "Добавлены монеты отдельным заказом",
  resend_parcel: "Посылка отправлена перевозчику снова",
};

/** The text of an event of an order that is paid this way. */
export const staffEventText = (event: HistoryEvent, paymentMethodId: number): string =>
  event === "expire" && isPaidOnCollection(paymentMethodId) ? "Отменён: не получен вовремя" : staffEventTexts[event];

/** Ways to pay, short as in lists. */
export const paymentTexts: Readonly<Record<number, string>> = {
  [paymentIds.card]: "карта",
  [paymentIds.sbp]: "СБП",
  [paymentIds.invoice]: "счёт",
  [paymentIds.on_collection]: "при получении",
};

/** Messages to the buyer, by their kinds. */
export const messageTexts: Readonly<Record<string, string>> = {
  order_placed: "Заказ оформлен",
  order_part_paid: "Пришла часть оплаты",
  order_paid: "Оплата получена",
  money_surplus: "Пришло больше, чем нужно",
  order_cancelled: "Заказ отменён",
  cancel_requested: "Отмена запрошена",
  cancel_refused: "Отменить не удалось",
  money_returned: "Деньги возвращены",
  surplus_returned: "Лишнее возвращено",
  order_reminder: "Напоминание о брони",
  order_shipped: "Заказ в пути",
  order_ready: "Заказ готов к выдаче",
  order_delivered: "Заказ выдан",
  order_returning: "Посылка едет обратно",
  order_returned: "Заказ вернулся",
};
