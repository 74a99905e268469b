import type * as z from "zod";
import type * as contract from "#contract/staff/money.ts";
import { number } from "#kit/format.ts";

export type EntryView = z.output<(typeof contract.settleEntry)["answer"]>;
export type LeftEntry = z.output<(typeof contract.readStatement)["answer"]>["left"][number];
export type StatementView = z.output<(typeof contract.readStatement)["answer"]>["statement"];
export type SuggestionView = LeftEntry["suggestions"][number];
export type PaymentView = z.output<(typeof contract.readPayments)["answer"]>["items"][number];
export type ReceiptView = z.output<(typeof contract.readReceipts)["answer"]>["items"][number];
export type RefundView = z.output<(typeof contract.readRefunds)["answer"]>["items"][number];
export type ReturnView = z.output<(typeof contract.readEntriesToReturn)["answer"]>["items"][number];
export type TransferView = z.output<(typeof contract.readTransfers)["answer"]>["items"][number];
export type DifferenceView = z.output<(typeof contract.readDifferences)["answer"]>["items"][number];

/** A sum without the sign: kopecks only when there are any. */
export const sum = (roubles: number): string => number(roubles, Number.isInteger(roubles) ? 0 : 2);
/** The payments and the receipts of an order, by its number. */
export const paymentsOf = (orderNumber: string): string => `/payments?number=${encodeURIComponent(orderNumber)}`;
export const receiptsOf = (orderNumber: string): string => `/receipts?view=order&number=${encodeURIComponent(orderNumber)}`;

/** `20.11.2026`. */
export const dayText = (day: string): string => day.split("-").reverse().join(".");

export const reasonTexts: Readonly<Record<NonNullable<EntryView["reason"]>, string>> = {
  no_order_number: "номера заказа нет",
  no_such_order: "заказа с таким номером нет",
  several_orders: "названо несколько заказов",
  number_without_match: "номер есть, сумма и имя другие",
  not_arrived: "ещё не зачислено",
  entered_for_another_order: "внесено для другого заказа",
  entered_without_reference: "внесено без номера поручения",
  not_payable_by_transfer: "заказ оплачивают в офисе",
  failed: "сбой, разнесите вручную",
};

export const entryTexts: Readonly<Record<EntryView["state"], string>> = {
  counted: "разнесена сама",
  known: "внесена раньше",
  foreign: "не поступление",
  repeated: "была в другой выписке",
  left: "ждёт",
  settled: "разнесена вручную",
  not_ours: "не заказ",
  to_return: "вернуть отправителю",
};

export const suggestionTexts: Readonly<Record<SuggestionView["reasons"][number], string>> = {
  sum: "сумма",
  number: "номер",
  number_like: "похожий номер",
  name: "имя",
};

export const methodTexts: Readonly<Record<PaymentView["method"], string>> = {
  card: "карта",
  sbp: "СБП",
  invoice: "счёт",
  on_collection: "в офисе",
};

export const paymentTexts: Readonly<Record<PaymentView["state"], string>> = {
  new: "без ответа",
  pending: "ждёт покупателя",
  waiting_for_capture: "ждёт списания",
  succeeded: "оплачен",
  canceled: "не прошёл",
};

export const receiptKindTexts: Readonly<Record<ReceiptView["kind"], string>> = {
  payment: "приход",
  handover: "передача",
  refund: "возврат прихода",
};
export const receiptModeTexts: Readonly<Record<ReceiptView["mode"], string>> = {
  full_prepayment: "предоплата 100 %",
  partial_prepayment: "частичная предоплата",
  full_payment: "полный расчёт",
};
export const receiptStateTexts: Readonly<Record<ReceiptView["state"], string>> = {
  new: "ждёт",
  pending: "отправлен",
  succeeded: "пробит",
  canceled: "не пробит",
};

export const refundTexts: Readonly<Record<RefundView["why"], string>> = {
  by_hand: "отправить вручную",
  refused: "платёжная система отказала",
  stuck: "платёжная система не отвечает",
};

const causes: Readonly<Record<string, string>> = {
  cancelled: "заказ отменён",
  returned: "заказ вернулся",
  second_money: "оплачен дважды",
  late_money: "деньги пришли поздно",
  surplus: "заплачено больше",
};
export const causeText = (cause: string): string => causes[cause] ?? "решили сотрудники";

export const differenceTexts: Readonly<Record<string, string>> = {
  unknown_here: "платёж, которого у нас нет",
  unknown_there: "платёж, которого нет у них",
  state: "разное состояние",
  amount: "разная сумма",
  refunded: "разная сумма возвратов",
  refund_unknown_here: "возврат, которого у нас нет",
  refund_unknown_there: "возврат, которого нет у них",
  refund_state: "разное состояние возврата",
  refund_amount: "разная сумма возврата",
};

/** What to do about a difference, as the question says it. */
export const differenceActs: Readonly<Record<string, string>> = {
  unknown_here:
    "Деньги пришли мимо магазина. Найдите платёж в кабинете по его номеру: верните деньги там или внесите их в заказ переводом.",
  unknown_there: "Не отправляйте заказ, пока платёжная система не подтвердит деньги. Напишите в её поддержку с этим номером.",
  state: "Сравните платёж с кабинетом. Если денег там нет, не отправляйте заказ.",
  amount: "Сравните сумму с кабинетом. Разницу верните покупателю или попросите доплатить.",
  refunded: "Возврат сделали в кабинете или он не дошёл до покупателя. Сравните возвраты заказа с кабинетом.",
  refund_unknown_here: "Возврат сделали в кабинете, а не в магазине. Узнайте, кто и за что: вернуть ещё раз через магазин нельзя.",
  refund_unknown_there: "Покупатель мог не получить денег. Проверьте кабинет и отправьте возврат оттуда.",
  refund_state: "Проверьте в кабинете, ушли ли деньги покупателю. Если нет, отправьте возврат оттуда.",
  refund_amount: "Сравните сумму возврата с кабинетом. Недостающее отправьте оттуда.",
};

/** The states of payments and refunds as the comparison stores them. */
const sideStates: Readonly<Record<string, string>> = {
  new: "без ответа",
  pending: "в обработке",
  waiting_for_capture: "ждёт списания",
  succeeded: "прошёл",
  canceled: "отменён",
};

/** One side of a difference: its state in words and its kopecks in roubles; `succeeded 4512300` is «прошёл, 45 123 ₽». */
export const sideText = (text: string): string =>
  text === ""
    ? "нет"
    : text
        .split(" ")
        .map((part) => (/^\d+$/.test(part) ? `${sum(Number(part) / 100)}\u00A0₽` : (sideStates[part] ?? part)))
        .join(", ");

export const countText = (count: number): string => (count > 1_000 ? "1 000+" : String(count));

/** The days of a statement: «за 20.11.2026 – 22.11.2026». */
export function periodText({ from, till, importedAt }: Pick<StatementView, "from" | "till" | "importedAt">): string {
  const first = from ?? till ?? importedAt.slice(0, 10);
  return till && till !== first ? `за ${dayText(first)} – ${dayText(till)}` : `за ${dayText(first)}`;
}
