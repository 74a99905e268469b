import { maxCoinId } from "#shop/catalog/coin.ts";
import type { TableColumn } from "./column.ts";

const line = 200;
const text = (key: string, head: string, more: Partial<TableColumn> = {}): TableColumn => ({
  key,
  head,
  role: "value",
  type: { kind: "text", maxLength: line },
  ...more,
});
const optional = { isRequired: false };
const required = { isRequired: true };
const millimetres = { kind: "measure", min: 0.1, max: 1_000 } as const;

/** The article: what finds a coin in every table. */
export const article: TableColumn = {
  key: "id",
  head: "Артикул",
  role: "key",
  type: { kind: "number", scale: 1, min: 1, max: maxCoinId },
  isRequired: true,
};

/** Prices in percent and roubles; the prices table changes them, the coins table only gives a new coin its first ones. */
export const priceFields = {
  premium: { key: "premiumBp", head: "Премия, %", type: { kind: "number", scale: 100, min: -99.99, max: 10_000 } },
  buyback: { key: "buybackBp", head: "Выкуп к металлу, %", type: { kind: "number", scale: 100, min: -99.99, max: 10_000 } },
  fixedPrice: { key: "fixedPriceKopecks", head: "Цена, ₽", type: { kind: "number", scale: 100, min: 0.01, max: 1_000_000_000 } },
  fixedBuyback: {
    key: "fixedBuybackKopecks",
    head: "Цена выкупа, ₽",
    type: { kind: "number", scale: 100, min: 0.01, max: 1_000_000_000 },
  },
} as const satisfies Record<string, Pick<TableColumn, "key" | "head" | "type">>;

/** The facts of a coin, one row a coin. A coin that the shop does not have is added, off sale until it is published. */
export const coinColumns: readonly TableColumn[] = [
  article,
  text("slug", "Адрес страницы", {
    ...required,
    type: { kind: "text", maxLength: 120, pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/, example: "zoloto-50-rublej" },
  }),
  text("title", "Название", required),
  { key: "metal", head: "Металл", role: "value", type: { kind: "choice", options: { gold: "золото", silver: "серебро" } }, ...required },
  {
    key: "kind",
    head: "Вид",
    role: "value",
    type: { kind: "choice", options: { bullion: "инвестиционная", memorable: "памятная" } },
    ...required,
  },
  text("country", "Страна", required),
  text("issuer", "Эмитент", required),
  text("mint", "Монетный двор", optional),
  { key: "year", head: "Год", role: "value", type: { kind: "number", scale: 1, min: 1700, max: 2100 }, ...required },
  { key: "denominationValue", head: "Номинал", role: "value", type: { kind: "measure", min: 0.01, max: 1_000_000_000 } },
  text("denominationCurrency", "Валюта номинала", { type: { kind: "text", maxLength: 3, pattern: /^[A-Z]{3}$/, example: "RUB" } }),
  text("series", "Серия", optional),
  text("catalogueNumber", "Каталожный номер", {
    type: { kind: "text", maxLength: 20, pattern: /^\d{4}-\d{4}(-\d{2})?$/, example: "5216-0060-26" },
  }),
  { key: "finenessTenths", head: "Проба", role: "value", type: { kind: "number", scale: 10, min: 1, max: 1000 }, ...required },
  {
    key: "pureMassMg",
    head: "Чистый металл, г",
    role: "value",
    type: { kind: "number", scale: 1000, min: 0.001, max: 100_000 },
    ...required,
  },
  { key: "totalMassMg", head: "Масса, г", role: "value", type: { kind: "number", scale: 1000, min: 0.001, max: 100_000 }, ...required },
  { key: "diameterMm", head: "Диаметр, мм", role: "value", type: millimetres },
  { key: "thicknessMm", head: "Толщина, мм", role: "value", type: millimetres },
  { key: "shape", head: "Форма", role: "value", type: { kind: "choice", options: { round: "круглая", rectangle: "прямоугольная" } } },
  { key: "lengthMm", head: "Длина, мм", role: "value", type: millimetres },
  { key: "widthMm", head: "Ширина, мм", role: "value", type: millimetres },
  { key: "mintage", head: "Тираж, шт.", role: "value", type: { kind: "number", scale: 1, min: 1, max: 2_000_000_000 } },
  text("quality", "Качество", required),
  text("edge", "Гурт", optional),
  text("artist", "Художник", optional),
  text("description", "Описание", { ...required, type: { kind: "text", maxLength: 4_000, hasLines: true } }),
  text("motif", "Рисунок", { ...required, type: { kind: "text", maxLength: line, pattern: /^[a-z0-9-]+$/, example: "st-george" } }),
  { key: "vatCode", head: "Код НДС", role: "value", type: { kind: "number", scale: 1, min: 1, max: 11 }, ...required },
  { key: "purchaseLimit", head: "Не больше в заказе, шт.", role: "value", type: { kind: "number", scale: 1, min: 1, max: 999 } },
  { key: "featuredPosition", head: "Место в начале каталога", role: "value", type: { kind: "number", scale: 1, min: 1, max: 999 } },
  { key: "categories", head: "Разделы", role: "value", type: { kind: "list", maxLength: 120 }, ...required },
  { ...priceFields.premium, role: "first", isRequired: true },
  { ...priceFields.buyback, role: "first" },
  { ...priceFields.fixedPrice, role: "first" },
  { ...priceFields.fixedBuyback, role: "first" },
  { key: "isPublished", head: "На витрине (справочно)", role: "info", type: { kind: "flag" } },
];
