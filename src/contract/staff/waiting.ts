import * as z from "zod";
import type { AlarmName } from "#shop/context.ts";
import type { Permission } from "#shop/staff/role.ts";
import { instant } from "../wire.ts";
import { staffCall } from "./call.ts";

/**
 * One kind of work that waits: who sees it, and the screen that settles it. `rank`: 1 urgent, 2 today, 3 this week. Without `act`: it is
 * settled outside of the back office, by the runbook.
 */
type WaitingGroup = { title: string; permission: Permission; rank: 1 | 2 | 3 } & (
  | { act: string; path: `/${string}` }
  | { act: null; path: null }
);

/** Everything that can wait for staff, the most urgent first. */
export const waitingGroups = {
  return_late: {
    title: "Посылки едут обратно слишком долго",
    act: "Найти",
    permission: "orders.move",
    path: "/orders?view=problem&problem=return_late",
    rank: 1,
  },
  parcel_refused: {
    title: "Перевозчик отклонил посылки",
    act: "Отправить снова",
    permission: "orders.move",
    path: "/orders?view=problem&problem=parcel_refused",
    rank: 1,
  },
  unsettled: {
    title: "Заказы вернулись, деньги не решены",
    act: "Решить",
    permission: "orders.refund",
    path: "/orders?view=problem&problem=unsettled",
    rank: 1,
  },
  refunds_stuck: {
    title: "Возвраты без ответа платёжной системы",
    act: "Проверить",
    permission: "money.read",
    path: "/payments?view=refunds",
    rank: 1,
  },
  refunds_refused: { title: "Возвраты отклонены", act: "Решить", permission: "money.read", path: "/payments?view=refunds", rank: 1 },
  receipts: { title: "Чеки не пробиты", act: "Открыть чеки", permission: "receipts", path: "/receipts", rank: 1 },
  rates: { title: "Курсы металлов не обновляются: скажите администратору сервера", act: null, permission: "prices", path: null, rank: 1 },
  to_pack: { title: "Собрать заказы", act: "Собирать", permission: "orders.pack", path: "/packing", rank: 2 },
  unpaid: { title: "Скоро закончится бронь без оплаты", act: "Позвонить", permission: "orders.edit", path: "/orders?view=unpaid", rank: 2 },
  unsealed: {
    title: "Нет номера пломбы",
    act: "Внести",
    permission: "orders.pack",
    path: "/orders?view=problem&problem=unsealed",
    rank: 2,
  },
  cancellation: {
    title: "Отмену решает перевозчик",
    act: "Посмотреть",
    permission: "orders.move",
    path: "/orders?view=problem&problem=cancellation",
    rank: 2,
  },
  repacking: {
    title: "Посылку отзываем, чтобы собрать заново",
    act: "Посмотреть",
    permission: "orders.pack",
    path: "/orders?view=problem&problem=repacking",
    rank: 2,
  },
  refunds_by_hand: { title: "Вернуть деньги вручную", act: "Вернуть", permission: "money.read", path: "/payments?view=refunds", rank: 2 },
  statement: { title: "Строки выписки не разнесены", act: "Разнести", permission: "money.read", path: "/statement", rank: 2 },
  approvals: { title: "Согласовать", act: "Посмотреть", permission: "orders.read", path: "/approvals", rank: 2 },
  requests: { title: "Обращения без ответа", act: "Ответить", permission: "requests", path: "/requests", rank: 2 },
  messages: { title: "Сообщения не дошли до покупателей", act: "Посмотреть", permission: "orders.edit", path: "/orders?view=all", rank: 2 },
  returning: {
    title: "Посылки едут обратно",
    act: "Посмотреть",
    permission: "orders.move",
    path: "/orders?view=problem&problem=returning",
    rank: 3,
  },
  differences: {
    title: "Расхождения с платёжной системой",
    act: "Сверить",
    permission: "money.read",
    path: "/payments?view=differences",
    rank: 3,
  },
  reviews: { title: "Отзывы ждут проверки", act: "Читать", permission: "reviews", path: "/reviews", rank: 3 },
} as const satisfies Record<string, WaitingGroup>;
export type WaitingGroupId = keyof typeof waitingGroups;

/**
 * Where each alarm of docs/runbook.md is settled. Null: an alarm of the machines, settled by the runbook itself and not in the back office.
 */
export const alarmGroups: Record<AlarmName, WaitingGroupId | null> = {
  "rates.refused": "rates",
  "rates.stale": "rates",
  "payment.mismatch": "differences",
  "payment.forged": "differences",
  "payment.second_money": "refunds_stuck",
  "payment.late_money": "refunds_stuck",
  "payment.refund_failed": "refunds_refused",
  "payment.refund_stuck": "refunds_stuck",
  "payment.receipt_failed": "receipts",
  "payment.refused": null,
  "payment.refund_by_hand": "refunds_by_hand",
  "payment.difference": "differences",
  "sms.budget_half": null,
  "sms.budget_most": null,
  "sms.budget_spent": null,
  "sms.low_use": null,
  "delivery.failed": "parcel_refused",
  "delivery.recall_refused": "cancellation",
  "delivery.return_late": "return_late",
  "delivery.labels_failed": "to_pack",
  "order.return_unsettled": "unsettled",
  "order.pieces_kept": "repacking",
  "order.change_kept": "repacking",
  "mail.failed": "messages",
  "ledger.broken": null,
  "settings.ignored": null,
};

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
      act: z.string().nullable(),
      path: z.string().nullable(),
      rank: z.int(),
      count: z.int(),
      /** The oldest of them; null: unknown. */
      since: instant.nullable(),
    }),
  ),
  problems: [],
});
