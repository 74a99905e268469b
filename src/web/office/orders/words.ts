import type { OrderState } from "#shop/orders/order.ts";
import type { Act } from "#shop/orders/staff/acts.ts";
import type { ListView } from "#shop/orders/staff/order-list.ts";
import { actorText } from "../staff/words.ts";
import type { WayTone } from "../ui/way.tsx";

export const viewLabels: Record<ListView, string> = {
  all: "Все",
  to_pack: "К упаковке",
  unpaid: "Не оплачены",
  problem: "С проблемой",
  today: "Сегодня",
  mine: "Мои",
};

export const stateLabels: Record<OrderState, string> = {
  placed: "принят",
  awaiting_payment: "ждёт оплаты",
  paid: "оплачен",
  assembled: "собран",
  cancellation_requested: "отмена запрошена",
  shipped: "в пути",
  ready: "ждёт получателя",
  delivered: "выдан",
  returning: "едет обратно",
  cancelled: "отменён",
  returned: "вернулся",
};

/** How far along its path a state is, of four parts, and how it looks in a row. */
export const stateWays: Record<OrderState, { part: number; tone?: WayTone; end?: "waits" | "back" | "cross" }> = {
  placed: { part: 0, tone: "waits", end: "waits" },
  awaiting_payment: { part: 0, tone: "waits", end: "waits" },
  paid: { part: 0.25 },
  assembled: { part: 0.5 },
  cancellation_requested: { part: 0.5, tone: "trouble", end: "waits" },
  shipped: { part: 0.75 },
  ready: { part: 0.75, end: "waits" },
  delivered: { part: 1, tone: "done" },
  returning: { part: 0.5, tone: "trouble", end: "back" },
  cancelled: { part: 0, tone: "off", end: "cross" },
  returned: { part: 0, tone: "off", end: "back" },
};

export const actLabels: Record<Act, string> = {
  assemble: "Собрать",
  seal: "Номер пломбы",
  ship: "Передать в доставку",
  make_ready: "Готов к выдаче",
  arrive: "Прибыл в пункт",
  deliver: "Выдать",
  turn_back: "Вернулся к нам",
  give_back: "Покупатель вернул",
  cancel: "Отменить заказ",
  confirm_cancel: "Подтвердить отмену",
  pay: "Внести перевод",
  refund: "Вернуть деньги",
  drop_pieces: "Убрать монеты",
  settle_refund: "Возврат отправлен",
  resend_parcel: "Отправить посылку снова",
  change_recipient: "Получатель",
  change_point: "Пункт выдачи",
  change_address: "Адрес",
  add_coins: "Добавить монеты",
  assign: "Взять себе",
  comment: "Заметка",
};

/** Acts that open a panel on the card, the most frequent first; the others happen at once. The palette and `?act=` open these. */
export const panelActs = [
  "refund",
  "change_recipient",
  "change_point",
  "change_address",
  "assemble",
  "seal",
  "resend_parcel",
  "drop_pieces",
  "add_coins",
  "pay",
  "give_back",
] as const satisfies readonly Act[];

/** Who looks after an order, by name. */
export const assigneeText = ({
  assignee,
  people,
}: {
  assignee: string | null;
  people: readonly { login: string; name: string }[];
}): string => (assignee === null ? "никто" : actorText(`staff:${assignee}`, people));

/** «Пермь, пункт», «Москва, офис»: a city and a way of delivery in one cell. */
export function placeText(city: string, delivery: string): string {
  const way = ["Пункт", "Офис", "Курьер"].find((each) => delivery.startsWith(each));
  return `${city}, ${way?.toLowerCase() ?? delivery}`;
}
