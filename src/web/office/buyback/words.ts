import type * as z from "zod";
import type * as contract from "#contract/staff/buyback/buyback.ts";
import { priceText } from "#kit/format.ts";
import { fromRoubles } from "#kit/money.ts";
import type { DealPart, DealState, HistoryKind, IdentityKind } from "#shop/buyback/deal.ts";
import { conditionWords } from "../requests/words.ts";
import type { WayTone } from "../ui/way.tsx";

export type DealCard = z.output<(typeof contract.readDeal)["answer"]>;
export type DealRow = z.output<(typeof contract.readDeals)["answer"]>["items"][number];
export type DealForm = z.output<(typeof contract.readDealForm)["answer"]>;
export type DealCoin = z.output<(typeof contract.findDealCoins)["answer"]>[number];
export type DealAct = DealCard["acts"][number];
/** What was offered of one coin; the price is whole roubles. */
export type OfferedPart = NonNullable<DealCard["lines"][number]["offered"]>;
/** What was offered or found of one coin; the price is whole roubles. */
export type LinePart = Omit<OfferedPart, "isTyped">;

/** A sum in roubles with the sign. */
export const money = (sum: number): string => priceText(fromRoubles(sum));

export const partLabels: Readonly<Record<DealPart, string>> = {
  open: "Все открытые",
  offered: "Предложения",
  locked: "Ждём монеты",
  expiring: "Срок выходит",
  received: "Проверить",
  checked: "Выплатить",
  paid: "На склад",
  receipt: "Без чека",
  finished: "Законченные",
};

export const stateLabels: Readonly<Record<DealState, string>> = {
  offered: "предложение",
  locked: "цены зафиксированы",
  received: "монеты у нас",
  checked: "проверено",
  paid: "оплачено",
  shelved: "на складе",
  returned: "монеты возвращены",
  cancelled: "отменена",
};

/** How far along its path a state is, and how it looks in a row. */
export const stateWays: Readonly<Record<DealState, { part: number; tone?: WayTone; end?: "waits" | "back" | "cross" }>> = {
  offered: { part: 0, tone: "waits", end: "waits" },
  locked: { part: 0.25, tone: "waits", end: "waits" },
  received: { part: 0.5 },
  checked: { part: 0.5, end: "waits" },
  paid: { part: 0.75 },
  shelved: { part: 1, tone: "done" },
  returned: { part: 0, tone: "off", end: "back" },
  cancelled: { part: 0, tone: "off", end: "cross" },
};

export const actLabels: Readonly<Record<DealAct, string>> = {
  lock: "Зафиксировать цены",
  renew: "Продлить по ценам дня",
  receive: "Монеты пришли",
  check: "Проверить и переоценить",
  pay: "Выплатить",
  shelve: "На склад",
  return: "Вернуть монеты",
  cancel: "Отменить",
  edit: "Изменить",
  identity: "Документ продавца",
  receipt: "Чек расхода",
};

/** Acts that correct what was done. */
export const againLabels: Readonly<Partial<Record<DealAct, string>>> = { check: "Перепроверить", receipt: "Исправить чек" };

/** What is said after an act without a panel. */
export const doneLabels: Readonly<Partial<Record<DealAct, string>>> = {
  receive: "Монеты у нас",
  shelve: "Монеты на складе",
  return: "Монеты отданы продавцу",
  cancel: "Сделка отменена",
};

export const historyLabels: Readonly<Record<HistoryKind, string>> = {
  create: "Предложение сделано",
  edit: "Предложение изменено",
  lock: "Цены зафиксированы",
  renew: "Цены зафиксированы заново",
  receive: "Монеты пришли",
  check: "Монеты проверены",
  pay: "Выплачено",
  shelve: "Монеты на складе",
  return: "Монеты возвращены",
  cancel: "Отменена",
  assign: "Кто ведёт",
  identity: "Документ продавца записан",
  identity_erased: "Документ, счёт, контакты и заметки удалены по сроку",
  receipt: "Чек расхода записан",
};

export const identityLabels: Readonly<Record<IdentityKind, string>> = {
  passport: "паспорт РФ",
  foreign_passport: "иностранный паспорт",
  residence_permit: "вид на жительство",
  other: "другой документ",
};

/** `2 × 85 000 ₽, хорошее`. */
export const partText = ({ quantity, condition, unitPrice }: LinePart): string =>
  `${quantity} × ${money(unitPrice)}, ${conditionWords[condition]}`;
