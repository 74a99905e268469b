import * as z from "zod";
import type { AlarmName } from "#shop/context.ts";
import type { Permission } from "#shop/staff/role.ts";
import { instant, roubles } from "../../wire.ts";
import { staffCall } from "../call.ts";

/**
 * One kind of work that waits: who sees it, and the screen that settles it. `rank`: 1 urgent, 2 today, 3 this week.
 */
type WaitingGroup = {
  title: string;
  /** `signed_in`: the count itself depends on what the caller may do. */
  permission: Permission | "signed_in";
  rank: 1 | 2 | 3;
  act: string;
  path: `/${string}`;
  /** The part of the day's work, as the first column names it. */
  area: string;
  /** What is counted; null: the title says it. */
  unit: Forms | null;
  /** What the line of the day calls its deadline. */
  deadline?: string;
};
type Forms = readonly [one: string, few: string, many: string];
const orders: Forms = ["заказ", "заказа", "заказов"];
const parcels: Forms = ["посылка", "посылки", "посылок"];
const refunds: Forms = ["возврат", "возврата", "возвратов"];
const deals: Forms = ["сделка", "сделки", "сделок"];
const alarms: Forms = ["тревога", "тревоги", "тревог"];

/** Everything that can wait for staff, the most urgent first. */
export const waitingGroups = {
  return_late: {
    title: "Посылки едут обратно слишком долго",
    act: "Найти",
    permission: "orders.move",
    path: "/orders?view=problem&problem=return_late",
    rank: 1,
    area: "Посылка",
    unit: parcels,
  },
  parcel_refused: {
    title: "Перевозчик отклонил посылки",
    act: "Отправить снова",
    permission: "orders.move",
    path: "/orders?view=problem&problem=parcel_refused",
    rank: 1,
    area: "Посылка",
    unit: parcels,
  },
  unsettled: {
    title: "Заказы вернулись, деньги не решены",
    act: "Решить",
    permission: "orders.refund",
    path: "/orders?view=problem&problem=unsettled",
    rank: 1,
    area: "Деньги",
    unit: orders,
  },
  refunds_stuck: {
    title: "Возвраты без ответа платёжной системы",
    act: "Проверить",
    permission: "money.read",
    path: "/payments?view=refunds",
    rank: 1,
    area: "Деньги",
    unit: refunds,
  },
  refunds_refused: {
    title: "Возвраты отклонены",
    act: "Решить",
    permission: "money.read",
    path: "/payments?view=refunds",
    rank: 1,
    area: "Деньги",
    unit: refunds,
  },
  receipts: {
    title: "Чеки не пробиты",
    act: "Открыть чеки",
    permission: "receipts",
    path: "/receipts",
    rank: 1,
    area: "Касса",
    unit: ["чек", "чека", "чеков"],
  },
  rates: {
    title: "Курсы металлов не принимаются",
    act: "Разобраться",
    permission: "settings",
    path: "/alarms?group=rates",
    rank: 1,
    area: "Курсы",
    unit: alarms,
  },
  payment_alarms: {
    title: "Платежи требуют проверки",
    act: "Проверить",
    permission: "money.read",
    path: "/alarms?group=payment_alarms",
    rank: 1,
    area: "Деньги",
    unit: ["платёж", "платежа", "платежей"],
  },
  order_alarms: {
    title: "Посылку не отдали: заказ остался как был",
    act: "Разобраться",
    permission: "orders.move",
    path: "/alarms?group=order_alarms",
    rank: 1,
    area: "Посылка",
    unit: orders,
  },
  delivery_alarms: {
    title: "Перевозчик: сбои посылок и этикеток",
    act: "Разобраться",
    permission: "orders.pack",
    path: "/alarms?group=delivery_alarms",
    rank: 1,
    area: "Посылка",
    unit: alarms,
  },
  ledger_alarms: {
    title: "Учёт не сходится",
    act: "Разобраться",
    permission: "settings",
    path: "/alarms?group=ledger_alarms",
    rank: 1,
    area: "Учёт",
    unit: alarms,
  },
  server_alarms: {
    title: "Сервер: место на диске и копии",
    act: "Разобраться",
    permission: "settings",
    path: "/alarms?group=server_alarms",
    rank: 1,
    area: "Сервер",
    unit: alarms,
  },
  sms_alarms: {
    title: "SMS: расход, счёт и подбор кодов",
    act: "Проверить",
    permission: "settings",
    path: "/alarms?group=sms_alarms",
    rank: 2,
    area: "Связь",
    unit: alarms,
  },
  mail_alarms: {
    title: "Письма и SMS не уходят",
    act: "Проверить",
    permission: "settings",
    path: "/alarms?group=mail_alarms",
    rank: 2,
    area: "Связь",
    unit: alarms,
  },
  settings_alarms: {
    title: "Настройки не прочитались",
    act: "Проверить",
    permission: "settings",
    path: "/alarms?group=settings_alarms",
    rank: 2,
    area: "Настройки",
    unit: alarms,
  },
  to_pack: {
    title: "Собрать заказы",
    act: "Собирать",
    permission: "orders.pack",
    path: "/packing",
    rank: 2,
    area: "Упаковка",
    unit: orders,
    deadline: "курьер",
  },
  unpaid: {
    title: "Скоро закончится бронь без оплаты",
    act: "Позвонить",
    permission: "orders.edit",
    path: "/orders?view=unpaid",
    rank: 2,
    area: "Заказы",
    unit: orders,
    deadline: "бронь",
  },
  unsealed: {
    title: "Нет номера пломбы",
    act: "Внести",
    permission: "orders.pack",
    path: "/orders?view=problem&problem=unsealed",
    rank: 2,
    area: "Упаковка",
    unit: orders,
  },
  cancellation: {
    title: "Отмену решает перевозчик",
    act: "Посмотреть",
    permission: "orders.move",
    path: "/orders?view=problem&problem=cancellation",
    rank: 2,
    area: "Посылка",
    unit: orders,
  },
  repacking: {
    title: "Посылку отзываем, чтобы собрать заново",
    act: "Посмотреть",
    permission: "orders.pack",
    path: "/orders?view=problem&problem=repacking",
    rank: 2,
    area: "Упаковка",
    unit: orders,
  },
  refunds_by_hand: {
    title: "Вернуть деньги вручную",
    act: "Вернуть",
    permission: "money.read",
    path: "/payments?view=refunds",
    rank: 2,
    area: "Деньги",
    unit: refunds,
  },
  entries_to_return: {
    title: "Вернуть деньги отправителю перевода",
    act: "Вернуть",
    permission: "money.read",
    path: "/payments?view=refunds",
    rank: 2,
    area: "Деньги",
    unit: ["перевод", "перевода", "переводов"],
  },
  statement: {
    title: "Строки выписки не разнесены",
    act: "Разнести",
    permission: "money.read",
    path: "/statement",
    rank: 2,
    area: "Выписка",
    unit: ["строка", "строки", "строк"],
  },
  approvals: {
    title: "Согласовать",
    act: "Посмотреть",
    permission: "signed_in",
    path: "/approvals",
    rank: 2,
    area: "Согласовать",
    unit: null,
    deadline: "согласовать",
  },
  approvals_unseen: {
    title: "Ваша просьба не выполнена",
    act: "Узнать почему",
    permission: "signed_in",
    path: "/approvals?view=decided",
    rank: 2,
    area: "Согласовать",
    unit: ["просьба", "просьбы", "просьб"],
  },
  requests: {
    title: "Обращения без ответа",
    act: "Ответить",
    permission: "requests",
    path: "/requests",
    rank: 2,
    area: "Обращения",
    unit: null,
    deadline: "обращение",
  },
  privacy: {
    title: "Ответить о персональных данных",
    act: "Открыть",
    permission: "customers.export",
    path: "/privacy",
    rank: 2,
    area: "Покупатели",
    unit: ["обращение", "обращения", "обращений"],
    deadline: "ответ о данных",
  },
  messages: {
    title: "Сообщения не дошли до покупателей",
    act: "Посмотреть",
    permission: "orders.edit",
    path: "/orders?problem=message_failed",
    rank: 2,
    area: "Связь",
    unit: orders,
  },
  reviews: {
    title: "Отзывы ждут проверки",
    act: "Читать",
    permission: "reviews",
    path: "/reviews",
    rank: 2,
    area: "Отзывы",
    unit: ["отзыв", "отзыва", "отзывов"],
  },
  open_metal: {
    title: "Открытый металл больше предела",
    act: "Закрыть",
    permission: "prices",
    path: "/metal",
    rank: 2,
    area: "Металл",
    unit: null,
  },
  stock_corrections: {
    title: "Исправления остатков не проведены",
    act: "Провести",
    permission: "stock.correct",
    path: "/stock/documents?kind=correction&state=draft",
    rank: 2,
    area: "Склад",
    unit: ["документ", "документа", "документов"],
  },
  buyback_expiring: {
    title: "Зафиксированные предложения выкупа заканчиваются",
    act: "Решить",
    permission: "buyback",
    path: "/buyback?view=expiring",
    rank: 2,
    area: "Выкуп",
    unit: deals,
    deadline: "предложение",
  },
  buyback_check: {
    title: "Проверить принятые монеты",
    act: "Проверить",
    permission: "buyback",
    path: "/buyback?view=received",
    rank: 2,
    area: "Выкуп",
    unit: deals,
  },
  buyback_pay: {
    title: "Выплатить за выкуп",
    act: "Выплатить",
    permission: "payout",
    path: "/buyback?view=checked",
    rank: 2,
    area: "Выкуп",
    unit: deals,
  },
  buyback_receipt: {
    title: "Чек расхода не записан",
    act: "Записать",
    permission: "receipts",
    path: "/buyback?view=receipt",
    rank: 2,
    area: "Касса",
    unit: deals,
  },
  buyback_shelve: {
    title: "Выкупленные монеты не на полке",
    act: "На полку",
    permission: "buyback",
    path: "/buyback?view=paid",
    rank: 2,
    area: "Выкуп",
    unit: deals,
  },
  low_stock: {
    title: "Монеты заканчиваются",
    act: "Посмотреть",
    permission: "stock.post",
    path: "/stock?part=low",
    rank: 3,
    area: "Склад",
    unit: ["монета", "монеты", "монет"],
  },
  returning: {
    title: "Посылки едут обратно",
    act: "Посмотреть",
    permission: "orders.move",
    path: "/orders?view=problem&problem=returning",
    rank: 3,
    area: "Посылка",
    unit: parcels,
  },
  differences: {
    title: "Расхождения с платёжной системой",
    act: "Сверить",
    permission: "money.read",
    path: "/payments?view=differences",
    rank: 3,
    area: "Деньги",
    unit: null,
  },
} as const satisfies Record<string, WaitingGroup>;
export type WaitingGroupId = keyof typeof waitingGroups;

/**
 * Where each alarm of docs/runbook.md is settled. Those of `storedAlarmGroups` wait until a person marks them as settled; what the others
 * are about is counted from the orders, refunds and receipts themselves.
 */
export const alarmGroups: Readonly<Record<AlarmName, WaitingGroupId>> = {
  "rates.refused": "rates",
  "rates.stale": "rates",
  "payment.mismatch": "payment_alarms",
  "payment.forged": "payment_alarms",
  "payment.second_money": "refunds_stuck",
  "payment.late_money": "refunds_stuck",
  "payment.refund_failed": "refunds_refused",
  "payment.refund_stuck": "refunds_stuck",
  "payment.receipt_failed": "receipts",
  "payment.refused": "payment_alarms",
  "payment.refund_by_hand": "refunds_by_hand",
  "payment.difference": "differences",
  "sms.budget_half": "sms_alarms",
  "sms.budget_most": "sms_alarms",
  "sms.budget_spent": "sms_alarms",
  "sms.low_use": "sms_alarms",
  "sms.balance_low": "sms_alarms",
  "delivery.failed": "delivery_alarms",
  "delivery.unanswered": "delivery_alarms",
  "delivery.refused": "parcel_refused",
  "delivery.recall_refused": "order_alarms",
  "delivery.return_late": "return_late",
  "delivery.labels_failed": "delivery_alarms",
  "order.return_unsettled": "unsettled",
  "order.pieces_kept": "order_alarms",
  "order.change_kept": "order_alarms",
  "mail.failed": "mail_alarms",
  "mail.suppressed": "mail_alarms",
  "mail.account_refused": "mail_alarms",
  "ledger.broken": "ledger_alarms",
  "settings.ignored": "settings_alarms",
  "disk.filling": "server_alarms",
  "backup.unproven": "server_alarms",
};

const storedAlarmGroups = [
  "rates",
  "payment_alarms",
  "order_alarms",
  "delivery_alarms",
  "ledger_alarms",
  "server_alarms",
  "sms_alarms",
  "mail_alarms",
  "settings_alarms",
] as const satisfies readonly WaitingGroupId[];
export type AlarmGroupId = (typeof storedAlarmGroups)[number];
export const isAlarmGroup = (id: WaitingGroupId): id is AlarmGroupId => storedAlarmGroups.some((each) => each === id);

/** The alarms that a person settles in a group; none for a group that is counted from what it is about. */
export const alarmsOf = (id: WaitingGroupId): AlarmName[] =>
  isAlarmGroup(id) ? (Object.keys(alarmGroups) as AlarmName[]).filter((name) => alarmGroups[name] === id) : [];

const groupIds = Object.keys(waitingGroups) as WaitingGroupId[];

export const readWaiting = staffCall({
  method: "GET",
  path: "/api/staff/waiting",
  summary: "What waits for the caller by kind, the most urgent first; counts stop at 1,001",
  permission: "signed_in",
  audit: null,
  answer: z.array(
    z.object({
      id: z.enum(groupIds),
      title: z.string(),
      act: z.string(),
      /** The screen of the group, or of its only record. */
      path: z.string(),
      rank: z.int(),
      area: z.string(),
      /** «3 заказа»; empty where the title says it. */
      facts: z.string(),
      count: z.int(),
      /** Since when the oldest of them waits; null: unknown. */
      since: instant.nullable(),
      /** Deadlines, the nearest first; those that have passed too. Empty: there is none. */
      due: z.array(z.object({ at: instant, what: z.string() })),
      /** The sum of money concerned, roubles; null: unknown. */
      sum: roubles.nullable(),
      /** Names of the assignees, empty without any; null: this kind of work has no assignees. */
      assignees: z.array(z.string()).nullable(),
    }),
  ),
  problems: [],
});

export const readDay = staffCall({
  method: "GET",
  path: "/api/staff/day",
  summary: "Today by the clock of the shop, when its office is open (null on days off), and the next visit of the courier (null: unknown)",
  permission: "signed_in",
  audit: null,
  answer: z.object({ today: z.iso.date(), open: z.object({ from: instant, till: instant }).nullable(), courier: instant.nullable() }),
  problems: [],
});
