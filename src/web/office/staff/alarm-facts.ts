import { messageTexts } from "#contract/staff/orders/order-texts.ru.ts";
import type { ShipmentState } from "#shop/delivery/shipment.ts";
import { stateLabels } from "../orders/words.ts";
import { when } from "./words.ts";

const parcelStates: Readonly<Record<ShipmentState, string>> = {
  new: "ещё не отправлена в СДЭК",
  accepted: "регистрируется в СДЭК",
  registered: "зарегистрирована в СДЭК",
  in_transit: "в пути",
  at_point: "в пункте выдачи",
  delivered: "вручена",
  not_delivered: "едет обратно",
  invalid: "отклонена СДЭК",
  called_off: "отозвана",
};

/** Reasons that are stored as they are. */
const reasons: Readonly<Record<string, string>> = {
  "the carrier refused the recall": "СДЭК не отдал посылку",
  "the carrier has not decided about the recall": "СДЭК не ответил на отзыв посылки",
  "the parcel of a cancelled order goes on": "посылка отменённого заказа едет дальше",
  "the parcel of a cancelled order had left and comes back": "посылка отменённого заказа успела уехать и возвращается",
  "the carrier no longer has the file": "СДЭК потерял файл этикеток",
  "the carrier did not finish the file": "СДЭК не успел сделать файл этикеток",
  "order.refund_too_much": "возврат больше, чем осталось от оплаты",
  // Rates
  not_a_price: "это не цена",
  from_the_future: "время курса ещё не наступило",
  older_than_last: "курс старше принятого",
  jump: "слишком большой скачок",
  far_from_usual: "слишком далеко от обычного уровня",
  // Limits of messages
  "mailbox hour": "слишком много писем на один ящик за час",
  "mailbox day": "слишком много писем на один ящик за день",
  "phone day": "слишком много SMS на один номер за день",
  "address hour": "слишком много сообщений о заказах с одного адреса за час",
  "budget day": "закончилась доля SMS для заказов за день",
  "budget minute": "закончилась доля SMS для заказов за минуту",
  "codes shop": "закончились SMS магазина",
};

/** Reasons with something of their own in them. */
const reasonForms: readonly (readonly [form: RegExp, text: (part: string) => string])[] = [
  [/^the order is (\w+)$/, (state) => `состояние заказа: ${wordOf(stateLabels, state)}`],
  [/^the parcel is (\w+)$/, (state) => `посылка ${wordOf(parcelStates, state)}`],
  [/^(\S+) was taken back$/, (code) => `СДЭК отозвал состояние ${code}`],
  [/^(\S+) after the parcel was not delivered$/, (code) => `СДЭК прислал ${code} после того, как посылку не вручили`],
  [/^the answer to an earlier registration came late: (\S+)$/, (id) => `СДЭК поздно ответил на прежнюю регистрацию, её номер там ${id}`],
  [/^cdek: status (\d+)/, (status) => `СДЭК ответил ошибкой ${status}`],
  [/^sms: refused with (\d+)$/, (code) => `оператор SMS ответил кодом ${code}`],
  [/^mail: (\w+ \d+)$/, (code) => `почтовый сервер ответил ${code}`],
  // Codes of the carrier
  [/^(\w+(?:, \w+)*)$/, (codes) => `СДЭК ответил: ${codes}`],
];

/** A stored reason in Russian; what has no words here is for the person at the server. */
function reasonText(reason: string): string {
  const known = reasons[reason];
  if (known !== undefined || reason === "" || /[а-яё]/i.test(reason)) return known ?? reason;
  for (const [form, text] of reasonForms) {
    const part = form.exec(reason)?.[1];
    if (part !== undefined) return text(part);
  }
  return `для администратора сервера: ${reason}`;
}

const statuses = { pending: "ждёт", waiting_for_capture: "деньги заблокированы", succeeded: "прошёл", canceled: "отменён" };
/** Codes of the other fields, by the field. */
const codes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  difference: {
    id: "номер платежа",
    order: "номер заказа",
    attempt: "попытка оплаты",
    amount: "сумма",
    currency: "валюта",
    account: "магазин в платёжной системе",
    state: "состояние платежа",
    refund: "возврат",
    hold: "деньги заблокированы, а не списаны",
    test: "платёж проверочный, денег по нему нет",
    unknown_there: "платёжная система не знает этого платежа",
  },
  claimed: statuses,
  answer: statuses,
  source: {
    exchange: "биржа",
    bank: "Банк России",
    dollar: "Банк России, доллар",
    official: "Банк России, учётные цены",
  },
  code: { XAU_RUB: "золото", XAG_RUB: "серебро", USD_RUB: "доллар" },
  channel: { sms: "SMS", email: "письмо" },
  kind: {
    ...messageTexts,
    new_device: "Вход с нового устройства",
    account_deleted: "Кабинет удалён",
    alert_to_confirm: "Подтверждение оповещения",
    alert_crossed: "Оповещение",
    inquiry_for_desk: "Обращение с сайта, письмо магазину",
    inquiry_received: "Обращение принято",
  },
  window: { "codes:shop:day": "сутки", "codes:shop:minute": "минута" },
  disk: { data: "файлы магазина", database: "база данных" },
};
const wordOf = (words: Readonly<Record<string, string>>, value: string): string =>
  Object.hasOwn(words, value) ? (words[value] ?? value) : value;

/** The value of an alarm's field as people read it. `orderNumber`: of the order that the alarm names; null: unknown. */
export function alarmFact(field: string, value: string | number, orderNumber: number | null): string {
  if (field === "orderId" && orderNumber !== null) return `${orderNumber}`;
  if (typeof value === "number") return `${value}`;
  if (field === "reason") return reasonText(value);
  if (field === "provedAt") return value === "" ? "не было" : when(value);
  return wordOf(codes[field] ?? {}, value);
}
