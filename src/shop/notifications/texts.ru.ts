import { day, dayAndTime, daySpan, deadline, nbsp, priceText } from "#kit/format.ts";
import type { Letter, LetterSection } from "./letter.ts";
import type { CancelReason, OrderMessage, OrderMessageKind, MessageOrder } from "./message.ts";

/** Texts of messages to buyers. SMS stay within 70 characters: a longer Cyrillic message is charged as two. */

/** The code is the only group of four digits in the text, so that programs can detect it. */
export const signInCodeText = (shopName: string, code: string): string => `${shopName}: код для входа ${code}. Никому его не сообщайте.`;

/** Names of delivery methods in quotes, orders, letters and receipts. */
export const deliveryTexts: Readonly<Record<string, string>> = {
  pickup_point: "Пункт выдачи СДЭК",
  free_pickup_point: "Пункт выдачи СДЭК",
  locker: "Постамат СДЭК",
  free_locker: "Постамат СДЭК",
  courier: "Курьер СДЭК",
  free_courier: "Курьер СДЭК",
  office: "Получение в офисе",
  special: "Спецсвязь",
};

/** Delivery as a line of the receipt. */
export const deliveryLineText = (name: string): string => `Доставка: ${name}`;

/** The shop as the sender of a letter: its site and contacts. */
export type Sender = { shopName: string; publicUrl: string; phone: string; email: string };

/** The SMS about an order: one sentence; the letter has the details. */
export function smsOf({ kind, order, amount, missing }: OrderMessage, { shopName }: Sender): string {
  const about = `${shopName}: заказ №${order.number}`;
  const texts: Record<OrderMessageKind, string> = {
    order_placed: order.collectUntil
      ? `${about} отложен до ${shortMoment(order.collectUntil)}`
      : `${about} принят, ${priceText(order.total)}. Подробности в письме`,
    order_paid: `${about} оплачен. Спасибо! Собираем его`,
    order_part_paid: `${about}: пришло ${priceText(amount ?? order.total)}, осталось ${priceText(missing ?? order.total)}`,
    money_surplus: `${about}: лишние ${priceText(amount ?? order.total)} вернём, см. письмо`,
    order_cancelled: `${about} отменён`,
    money_returned: `${about}: вернули ${priceText(amount ?? order.total)}`,
    surplus_returned: `${about}: лишние ${priceText(amount ?? order.total)} вернули, заказ в силе`,
    order_reminder: `${about} отложен${order.collectUntil ? ` до ${shortMoment(order.collectUntil)}` : ""}. Ждём вас`,
    order_shipped: order.delivery.trackingNumber ? `${about} в пути, СДЭК ${order.delivery.trackingNumber}` : `${about} передан в доставку`,
    order_ready: `${about} ждёт вас${order.dueOnCollection === null ? "" : `, ${priceText(order.dueOnCollection)}`}. Возьмите паспорт`,
    order_delivered: `${about} вручён. Спасибо за покупку!`,
    cancel_requested: `${about}: отмена запрошена, ждём СДЭК`,
    cancel_refused: `${about} уже в доставке, отменить не вышло`,
    order_returning: `${about} едет обратно к нам`,
    order_returned: `${about} вернулся в магазин`,
  };
  return texts[kind];
}

/**
 * The letter about an order, with the terms of return: in writing they limit returns to seven days, otherwise the law grants three months.
 */
export function letterOf(message: OrderMessage, sender: Sender): Letter {
  const { kind, order } = message;
  const opening = openings[kind](message);
  const isShopping = kind === "order_placed" || kind === "order_paid";
  const hasReturnTerms =
    isShopping || kind === "order_shipped" || kind === "order_ready" || kind === "order_delivered" || kind === "cancel_refused";
  const accountUrl = kind === "order_placed" && order.guestKey !== null ? accountLink(order.id, order.guestKey, sender.publicUrl) : null;
  const sections: LetterSection[] = [
    { kind: "text", text: "Здравствуйте!" },
    { kind: "text", text: opening.text },
    ...(isShopping ? [contentsOf(order)] : []),
    ...(kindsWithoutDelivery.has(kind) ? [] : [{ kind: "text" as const, text: deliveryOf(order) }]),
    { kind: "link", label: "Заказ на сайте", url: orderLink(order, sender.publicUrl), isMain: true },
    ...(accountUrl === null
      ? []
      : [{ kind: "link" as const, label: "Завести кабинет, чтобы видеть все заказы и не вводить адрес снова", url: accountUrl }]),
    ...(hasReturnTerms ? [{ kind: "small" as const, text: returnTerms(sender) }] : []),
    signatureOf(sender),
  ];
  return { subject: `${opening.subject} — ${sender.shopName}`, sections };
}

/** The signature of every letter to a customer: contacts and sender. */
export const signatureOf = ({ phone, email, shopName, publicUrl }: Sender): LetterSection => ({
  kind: "signature",
  text: `Вопросы: ${phone}, ${email}\n${shopName}, ${publicUrl}`,
});

/** Kinds of messages without the delivery details, because no parcel is expected. */
const kindsWithoutDelivery: ReadonlySet<OrderMessageKind> = new Set([
  "order_part_paid",
  "money_surplus",
  "order_cancelled",
  "cancel_requested",
  "money_returned",
  "surplus_returned",
  "order_delivered",
  "order_returning",
  "order_returned",
]);

const openings: Record<OrderMessageKind, (message: OrderMessage) => { subject: string; text: string }> = {
  order_placed: ({ order, attachment }) => ({
    subject: `Заказ №${order.number} принят`,
    text:
      `Мы приняли ваш заказ №${order.number} на ${priceText(order.total)}. Цены монет зафиксированы и не изменятся.` +
      (order.payUntil ? `\nОплатите его ${deadline(order.payUntil, day)} по московскому времени: до этого монеты отложены для вас.` : "") +
      (order.collectUntil
        ? `\nМонеты отложены для вас ${deadline(order.collectUntil, day)} по московскому времени. ` +
          "Оплатите их при получении картой или наличными." +
          " Если до этого времени вы не придёте, заказ отменится."
        : "") +
      (attachment
        ? "\nСчёт с реквизитами и кодом для приложения банка — во вложении, он же ждёт на странице заказа. " +
          "Укажите в назначении платежа номер заказа."
        : ""),
  }),
  order_paid: ({ order }) => ({
    subject: `Заказ №${order.number} оплачен`,
    text: `Оплата заказа №${order.number} получена: ${priceText(order.total)}. Чек придёт отдельным письмом. Мы начали собирать заказ.`,
  }),
  order_part_paid: ({ order, amount, missing }) => ({
    subject: `Заказ №${order.number}: пришла часть оплаты`,
    text:
      `На счёт поступило ${priceText(amount ?? order.total)} за заказ №${order.number}. ` +
      `Осталось оплатить ${priceText(missing ?? order.total)}.` +
      (order.payUntil ? `\nЖдём остаток ${deadline(order.payUntil, day)} по московскому времени: до этого монеты отложены для вас.` : "") +
      "\nСчёт на остаток — во вложении и на странице заказа. Если он не придёт вовремя, заказ отменится, и мы вернём поступившее.",
  }),
  money_surplus: ({ order, amount }) => ({
    subject: `Заказ №${order.number}: вернём ${priceText(amount ?? order.total)}`,
    text:
      `За заказ №${order.number} пришло больше, чем нужно: ${priceText(amount ?? order.total)} мы вернём переводом.` +
      " Ответьте на это письмо и назовите счёт, с которого платили, если он изменился.\nКогда отправим деньги, придёт ещё одно письмо.",
  }),
  order_cancelled: ({ order, reason }) => ({
    subject: `Заказ №${order.number} отменён`,
    text:
      `Заказ №${order.number} отменён${cancelReasons[reason ?? "on_request"]}.` +
      (reason === "not_collected_in_time"
        ? ""
        : " Если вы успели его оплатить, деньги вернутся тем же способом — об этом придёт отдельное письмо.") +
      `\nПовторить заказ можно на сайте по ценам на сегодня.`,
  }),
  money_returned: ({ order, amount, isByTransfer }) => ({
    subject: `Деньги за заказ №${order.number} возвращены`,
    text:
      `Мы вернули ${priceText(amount ?? order.total)} за заказ №${order.number} ` +
      `${isByTransfer ? "банковским переводом" : "тем же способом, которым он был оплачен"}.` +
      " Банк зачисляет деньги в срок до нескольких рабочих дней.",
  }),
  surplus_returned: ({ order, amount, isByTransfer }) => ({
    subject: `Заказ №${order.number}: лишние деньги возвращены`,
    text:
      `За заказ №${order.number} пришло больше, чем нужно. ` +
      `Мы вернули лишнее, ${priceText(amount ?? order.total)}, ` +
      `${isByTransfer ? "банковским переводом" : "тем же способом, которым вы платили"}.` +
      " Банк зачисляет деньги в срок до нескольких рабочих дней.\nСам заказ в силе, с ним ничего делать не нужно.",
  }),
  order_reminder: ({ order }) => ({
    subject: `Заказ №${order.number} ждёт вас${waitsUntil(order)}`,
    text:
      `Монеты заказа №${order.number} отложены для вас${waitsUntil(order)} по московскому времени.` +
      " Приходите с паспортом" +
      (order.dueOnCollection === null ? "." : `, к оплате ${priceText(order.dueOnCollection)} картой или наличными.`) +
      "\nНе успеваете? Ответьте на это письмо или позвоните: отложим дольше. Иначе заказ отменится, платить ничего не нужно.",
  }),
  order_shipped: ({ order }) => ({
    subject: `Заказ №${order.number} в пути`,
    text:
      `Заказ №${order.number} передан в доставку.` +
      (order.delivery.trackingNumber ? ` Номер отправления: ${order.delivery.trackingNumber}.` : "") +
      sealOf(order),
  }),
  order_ready: ({ order }) => ({
    subject: `Заказ №${order.number} ждёт вас`,
    text:
      `Заказ №${order.number} можно получить. Возьмите с собой паспорт: драгоценные металлы выдают только по документу.` +
      sealOf(order) +
      (order.dueOnCollection === null ? "" : `\nК оплате при получении: ${priceText(order.dueOnCollection)}, картой или наличными.`),
  }),
  order_delivered: ({ order }) => ({
    subject: `Заказ №${order.number} вручён`,
    text: `Заказ №${order.number} вручён. Спасибо за покупку!`,
  }),
  cancel_requested: ({ order }) => ({
    subject: `Заказ №${order.number}: отмена запрошена`,
    text:
      `Вы попросили отменить заказ №${order.number}. Посылка уже собрана, поэтому мы попросили СДЭК её не везти и ждём ответа. ` +
      (isUnpaid(order) ? "Напишем, когда он ответит." : "Когда он подтвердит, вернём деньги полностью тем же способом и напишем об этом."),
  }),
  cancel_refused: ({ order }) => ({
    subject: `Заказ №${order.number} отменить не удалось`,
    text:
      `СДЭК ответил, что посылку с заказом №${order.number} уже не остановить: она доедет до вас.` +
      " От заказа можно отказаться при получении или вернуть монеты после него.",
  }),
  order_returning: ({ order }) => ({
    subject: `Заказ №${order.number} возвращается к нам`,
    text:
      order.moneyOfReturn === "refunded_in_full"
        ? `Посылка с заказом №${order.number} успела уехать, но СДЭК согласился вернуть её, как вы просили.` +
          " Когда монеты будут у нас, вернём деньги полностью тем же способом."
        : `Заказ №${order.number} не вручён и едет обратно к нам.` +
          (isUnpaid(order) ? "" : " Когда монеты будут у нас, мы вернём деньги тем же способом, которым заказ был оплачен.") +
          " Если заказ вам ещё нужен, позвоните нам.",
  }),
  order_returned: ({ order }) => ({
    subject: `Заказ №${order.number} вернулся к нам`,
    text:
      `Монеты из заказа №${order.number} вернулись к нам.` +
      (isUnpaid(order) ? "" : " Возвращаем деньги тем же способом, которым заказ был оплачен: когда отправим их, придёт ещё одно письмо.") +
      (order.moneyOfReturn === "refunded_by_staff" ? " Если заказ вам ещё нужен, позвоните нам." : ""),
  }),
};

/** « до 25 ноября 2026, 18:00»; empty when the coins are not reserved for collection. */
const waitsUntil = ({ collectUntil }: MessageOrder): string => (collectUntil ? ` ${deadline(collectUntil, day)}` : "");

const cancelReasons: Record<CancelReason, string> = {
  not_paid_in_time: ": оплата не пришла вовремя",
  not_collected_in_time: ": за ним не пришли вовремя, монеты вернулись в продажу",
  by_buyer: " по вашей просьбе",
  by_shop: " магазином. Если вы об этом не просили, позвоните нам: разберёмся",
  on_request: "",
};

/** The seal number and the insured value, for the check at handover. */
function sealOf({ delivery: { sealNumber, insuredValue } }: MessageOrder): string {
  const seal =
    sealNumber &&
    `Номер пломбы на пакете: ${sealNumber}. Сверьте его до подписи; вскрытый пакет или другой номер отметьте в акте и напишите нам.`;
  const insurance = insuredValue && `Посылка застрахована на ${priceText(insuredValue)}.`;
  const lines = [seal, insurance].filter((line) => line !== null);
  return lines.length === 0 ? "" : `\n${lines.join("\n")}`;
}
const isUnpaid = ({ moneyOfReturn = "none" }: MessageOrder): boolean => moneyOfReturn === "none";

function contentsOf(order: MessageOrder): LetterSection {
  return {
    kind: "order",
    title: "Состав заказа:",
    rows: order.lines.map(({ title, quantity, sum }) => ({ title, quantity: `${quantity}${nbsp}шт.`, amount: priceText(sum) })),
    sums: [
      { label: "Доставка", amount: deliveryPriceOf(order) },
      { label: "Итого", amount: priceText(order.total) },
    ],
  };
}

function deliveryPriceOf({ delivery: { price } }: MessageOrder): string {
  if (price === null) return "стоимость уточнит менеджер";
  return price === 0 ? "бесплатно" : priceText(price);
}

function deliveryOf({ delivery, payUntil }: MessageOrder): string {
  const { arrival } = delivery;
  const expected = arrival && `Ожидаем доставку ${daySpan(arrival.first, arrival.last)}${payUntil ? ", если оплатить сегодня" : ""}.`;
  return [delivery.name, delivery.place, delivery.workTime && `Время работы: ${delivery.workTime}`, expected ?? ""]
    .filter((line) => line !== "")
    .join("\n");
}

const returnTerms = ({ publicUrl }: Sender): string =>
  "Возврат. Покупка на сайте — дистанционная: отказаться от заказа можно в любое время до получения и в течение семи дней после него" +
  " (статья 26.1 Закона «О защите прав потребителей»), если сохранены товарный вид монеты, капсула и документы." +
  " Деньги вернём не позднее десяти дней после вашего требования, за вычетом расходов на обратную доставку." +
  ` Если монета пришла с дефектом, обратная доставка за наш счёт. Как вернуть: ${publicUrl}/return`;

const orderLink = ({ id, guestKey }: MessageOrder, publicUrl: string): string =>
  guestKey === null ? `${publicUrl}/my/orders/${id}` : `${publicUrl}/order/${id}?key=${encodeURIComponent(guestKey)}`;

/** Link that opens the sign-in with the order's phone. */
const accountLink = (id: string, guestKey: string, publicUrl: string): string =>
  `${publicUrl}/cabinet/create?order=${id}&key=${encodeURIComponent(guestKey)}`;

/** `21 ноября, 14:05`: without the year, which has four digits and could be taken for a code in an SMS. */
const shortMoment = (at: Date): string => dayAndTime(at).replace(/ \d{4},/, ",");
