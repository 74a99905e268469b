import type { DeliveryName, DeliveryNote, OptionGroup } from "#shop/delivery/delivery.ts";
import type { OrderState } from "#shop/orders/order.ts";
import type { ClosedReason } from "#shop/rates/calendar.ts";
import type { ShownRateCode, Market } from "#shop/rates/rate.ts";

/** Texts for the contract's terms, in answers and on pages. */
export const orderStatusTexts: Record<OrderState, string> = {
  placed: "Принят, оплата при получении",
  awaiting_payment: "Ждёт оплаты",
  paid: "Оплачен",
  assembled: "Собран",
  cancellation_requested: "Отмена запрошена",
  shipped: "В пути",
  ready: "Готов к выдаче",
  delivered: "Получен",
  returning: "Возвращается в магазин",
  cancelled: "Отменён",
  returned: "Возвращён",
};

export const courseNames: Record<ShownRateCode, string> = {
  XAU_RUB: "Золото, ₽/г",
  XAU_USD: "Золото, $/унция",
  XAG_RUB: "Серебро, ₽/г",
  XAG_USD: "Серебро, $/унция",
  USD_RUB: "Доллар США, ₽",
};

const closedTexts: Record<ClosedReason, string> = {
  weekend: "По выходным торгов нет.",
  holiday: "Сегодня на бирже праздничный день.",
  night: "Торги идут днём.",
  halt: "Биржа приостановила торги.",
};
/** Why the exchange is closed; null while it is open. */
export const marketNote = ({ reason }: Pick<Market, "reason">): string | null => (reason === null ? null : closedTexts[reason]);

export const deliveryTexts: Record<DeliveryName, string> = {
  pickup_point: "Пункт выдачи СДЭК",
  locker: "Постамат СДЭК",
  free_pickup_point: "Пункт выдачи СДЭК",
  free_locker: "Постамат СДЭК",
  courier: "Курьер СДЭК",
  free_courier: "Курьер СДЭК",
  office: "Офис в Москве",
  special: "Спецсвязь",
};

/** Pages recognise free delivery by the first of these: the specification compares the name. */
export const deliveryGroupTexts: Record<OptionGroup["name"], string> = {
  free_carrier: "СДЭК, бесплатная доставка",
  carrier: "СДЭК",
  office: "Самовывоз из офиса",
  special: "Спецсвязь",
};

export const deliveryNoteTexts: Record<DeliveryNote, string> = { "": "", price_by_manager: "Стоимость уточнит менеджер" };
