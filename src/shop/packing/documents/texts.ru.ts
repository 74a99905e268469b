import { counted, coinForms, nbsp } from "#kit/format.ts";
import type { Metal } from "#shop/catalog/coin.ts";
import type { DeliveryType } from "#shop/delivery/delivery.ts";

/** Words of the documents of packing. */
export const packingWords = {
  pickList: (batch: number) => `Лист подбора, партия ${batch}`,
  pickSummary: (orders: string, coins: number) => `${orders}, ${counted(coins, coinForms)}`,
  orderForms: ["заказ", "заказа", "заказов"] as const,
  take: "Взять",
  coin: "Монета",
  catalogueNumber: "№ по каталогу",
  article: "Артикул",
  places: "Место: штук",
  place: (place: number, pieces: number) => `${place}:${nbsp}${pieces}`,
  placesTitle: "Места на столе",
  placeColumn: "Место",
  order: "Заказ",
  where: "Куда",
  slip: (number: number) => `Упаковочный лист к заказу ${number}`,
  recipient: "Получатель",
  delivery: "Доставка",
  title: "Название",
  year: "Год",
  metal: "Металл",
  pieces: "Штук",
  total: (coins: number) => `Всего ${counted(coins, coinForms)}`,
  seal: "Пломба №",
  blank: "______________________",
  packedBy: "Собрал",
  handOver: (to: string) => `Опись на передачу: ${to}`,
  handOverSummary: (orders: string) => `${orders}. Пломбы целы, вложения не проверялись.`,
  number: "№",
  tracking: "Трек-номер",
  declared: "Ценность, ₽",
  noValue: "—",
  given: "Сдал",
  received: "Принял",
  signature: "подпись, фамилия, время",
} as const;

export const metalTexts: Record<Metal, string> = { gold: "золото", silver: "серебро" };
/** To whom packed orders are handed over. */
export const handOverTexts: Record<DeliveryType, string> = { carrier: "СДЭК", office: "выдача в офисе", special: "спецсвязь" };
