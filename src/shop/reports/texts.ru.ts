import type { DeliveryName } from "#shop/delivery/delivery.ts";
import type { Channel } from "#shop/orders/traffic-source.ts";
import type { PaymentMethodName } from "#shop/payment/payment.ts";
import type { ReportColumn, ReportName } from "./report.ts";

export const titles: Readonly<Record<ReportName, string>> = {
  days: "Продажи по дням",
  coins: "Продажи по монетам",
  orders: "Продажи по заказам",
  delivery: "Способы доставки",
  payment: "Способы оплаты",
  buyers: "Из кабинета и без входа",
  channels: "Каналы",
  sources: "Источники и кампании",
  margin_days: "Маржа над металлом по дням",
  repeat: "Повторные покупки",
  stock: "Склад по металлу и себестоимости",
  searches: "Поиск без результата",
  checkout: "Незавершённые покупки по шагам",
};

const paid =
  "Оплаченные заказы по дню оплаты, без отменённых и возвращённых монет, с НДС, без доставки. Металл по курсу, по которому заказ оценён.";
const sales =
  `${paid} Деньги, которые вернули без монет, не вычтены. ` +
  "Маржа над себестоимостью только по отгруженным монетам, цена закупки которых известна; " +
  "сколько остальных, сказано в последнем столбце.";

const channelNote =
  "Канал известен по сайту со ссылкой и меткам utm в адресе, с которого начался просмотр; в браузере он не хранится. " +
  "Не определён у заказов, оформленных без скриптов или в отдельной вкладке, и у сделанных до того, как магазин начал его записывать.";

export const notes: Readonly<Record<ReportName, string>> = {
  days: sales,
  coins: sales,
  orders: sales,
  delivery: sales,
  payment: sales,
  buyers: sales,
  channels: `${sales} ${channelNote}`,
  sources: `${sales} ${channelNote}`,
  margin_days: paid,
  repeat:
    "Покупатель: кабинет, а без входа телефон заказа. Раньше: оплаченный и не отменённый заказ до этого. " +
    "Кто за эти дни купил впервые и ещё раз, есть в обеих строках, а во «Всего» один раз.",
  stock: "Сейчас, по последнему курсу. Монеты с неизвестной себестоимостью в её сумму не входят.",
  searches: "Запросы посетителей, которые ничего не нашли. Запросы с телефонами, почтой и номерами заказов не записываются.",
  checkout:
    "Корзины покупателей, которые в этот день набирали монеты, в том числе ставшие заказами. Цена закреплена: выбраны доставка и оплата. " +
    "Заказы по дню оформления, без дозаказов через сотрудника, оплаченные из них к этой минуте. Только числа, без данных о людях.",
};

export const deliveryNames: Readonly<Record<DeliveryName, string>> = {
  pickup_point: "Пункт выдачи",
  locker: "Постамат",
  free_pickup_point: "Пункт выдачи, бесплатно",
  free_locker: "Постамат, бесплатно",
  courier: "Курьер",
  free_courier: "Курьер, бесплатно",
  office: "Офис",
  special: "Спецсвязь",
};
export const paymentNames: Readonly<Record<PaymentMethodName, string>> = {
  card: "Карта",
  sbp: "СБП",
  invoice: "Счёт",
  on_collection: "При получении",
};

export const channelNames: Readonly<Record<Channel | "staff" | "unknown", string>> = {
  search: "Поиск",
  advertising: "Реклама",
  social: "Соцсети и мессенджеры",
  mail: "Почта и рассылки",
  campaign: "Ссылки с метками",
  link: "Другие сайты",
  direct: "Прямой заход",
  staff: "Дозаказ через сотрудника",
  unknown: "Не определён",
};

const column = (key: string, title: string, unit: ReportColumn["unit"]): ReportColumn => ({ key, title, unit });

/** Rows of the reports by buyers. */
export const buyerNames = {
  guest: "Без входа в кабинет",
  customer: "Из кабинета",
  repeat: "Покупали раньше",
  first: "Первая покупка",
};

export const metalNames = { gold: "золото", silver: "серебро" };

/** The row of sums. */
export const totalLabel = "Всего";

export const columns = {
  day: column("day", "День", "text"),
  coin: column("coin", "Монета", "text"),
  order: column("order", "Заказ", "text"),
  delivery: column("delivery", "Доставка", "text"),
  payment: column("payment", "Оплата", "text"),
  buyer: column("buyer", "Покупатель", "text"),
  channel: column("channel", "Канал", "text"),
  source: column("source", "Источник", "text"),
  who: column("who", "Кто", "text"),
  metal: column("metal", "Металл", "text"),
  query: column("query", "Запрос", "text"),
  last: column("last", "Последний раз", "text"),
  orders: column("orders", "Заказов", "pieces"),
  ordersShare: column("ordersShare", "Доля заказов, %", "percent"),
  buyers: column("buyers", "Покупателей", "pieces"),
  pieces: column("pieces", "Монет", "pieces"),
  times: column("times", "Раз", "pieces"),
  goods: column("goods", "Продано, ₽", "roubles"),
  overMetal: column("overMetal", "Над металлом, ₽", "roubles"),
  overGold: column("overGold", "Золото, ₽", "roubles"),
  overSilver: column("overSilver", "Серебро, ₽", "roubles"),
  overMetalShare: column("overMetalShare", "Над металлом, %", "percent"),
  overCost: column("overCost", "Над себестоимостью, ₽", "roubles"),
  grams: column("grams", "Чистый металл, г", "grams"),
  metalValue: column("metalValue", "Стоит металл, ₽", "roubles"),
  cost: column("cost", "Себестоимость, ₽", "roubles"),
  uncosted: column("uncosted", "Без себестоимости, шт.", "pieces"),
  carts: column("carts", "Корзин", "pieces"),
  quoted: column("quoted", "Цена закреплена", "pieces"),
  placed: column("placed", "Заказов", "pieces"),
  paid: column("paid", "Оплачено", "pieces"),
} as const;
