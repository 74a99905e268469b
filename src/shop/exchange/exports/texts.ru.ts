import { deliveryIds, paymentIds } from "#shop/method-ids.ts";
import type { OrderState } from "#shop/orders/order.ts";
import type { ImportKind } from "../imports/import.ts";

export const tableNames: Readonly<Record<ImportKind, string>> = { coins: "Монеты", prices: "Цены", stock: "Остатки" };

/** States of orders in tables and in the accounting system. */
export const orderStateNames: Readonly<Record<OrderState, string>> = {
  placed: "Принят, оплата при получении",
  awaiting_payment: "Ждёт оплаты",
  paid: "Оплачен",
  assembled: "Собран",
  cancellation_requested: "Отмена запрошена",
  shipped: "Передан в доставку",
  ready: "Готов к выдаче",
  returning: "Едет обратно",
  delivered: "Выдан",
  cancelled: "Отменён",
  returned: "Возвращён",
};

export const paymentNames: Readonly<Record<number, string>> = {
  [paymentIds.card]: "Банковская карта",
  [paymentIds.sbp]: "СБП",
  [paymentIds.invoice]: "Банковский перевод по счёту",
  [paymentIds.on_collection]: "При получении в офисе",
};

export const deliveryNames: Readonly<Record<number, string>> = {
  [deliveryIds.pickup_point]: "Пункт выдачи",
  [deliveryIds.locker]: "Постамат",
  [deliveryIds.free_pickup_point]: "Пункт выдачи, бесплатно",
  [deliveryIds.free_locker]: "Постамат, бесплатно",
  [deliveryIds.courier]: "Курьер",
  [deliveryIds.free_courier]: "Курьер, бесплатно",
  [deliveryIds.office]: "Офис",
  [deliveryIds.special]: "Спецсвязь",
};

export const orderHeads = {
  order: [
    "Заказ",
    "Создан",
    "Состояние",
    "Оплачен",
    "Артикул",
    "Монета",
    "Шт.",
    "Цена, ₽",
    "Сумма, ₽",
    "Доставка",
    "Город",
    "Доставка, ₽",
    "Оплата",
    "Итого по заказу, ₽",
    "Получено, ₽",
    "Возвращено, ₽",
    "Вернули, шт.",
  ],
  personal: ["Покупатель", "Телефон", "Почта", "Адрес"],
} as const;

export const priceListWords = {
  title: "Прайс-лист для партнёров",
  name: "Прайс-лист",
  /** «Золото 15 814,50 ₽/г, серебро 155,50 ₽/г, курс на 22 ноября 2026, 14:50» */
  rates: (gold: string, silver: string, at: string) => `Золото ${gold} ₽/г, серебро ${silver} ₽/г. Курс на ${at} по Москве.`,
  terms: "Монеты, которые есть в наличии. Цены следуют за биржевым курсом металла и на момент сделки могут отличаться.",
  fixed: "Прайс составлен без курса: цены инвестиционных монет не указаны.",
  metals: { gold: "Золото", silver: "Серебро" },
  heads: ["Артикул", "Монета", "Металл", "Проба", "Чистый металл, г", "Цена, ₽", "Выкуп, ₽", "В наличии, шт."],
  many: (max: number) => `больше ${max}`,
} as const;
