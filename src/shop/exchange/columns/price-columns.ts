import { article, priceFields } from "./coin-columns.ts";
import type { TableColumn } from "./column.ts";

const info = (key: string, head: string, type: TableColumn["type"]): TableColumn => ({
  key,
  head: `${head} (справочно)`,
  role: "info",
  type,
});
const roubles = { kind: "number", scale: 100, min: 0, max: 1_000_000_000 } as const;

/**
 * Prices. A bullion coin has a premium and a buyback discount over the metal's value; a memorable coin has a fixed price and buyback price.
 * What a coin costs at the moment stands beside it for people.
 */
export const priceColumns: readonly TableColumn[] = [
  article,
  info("title", "Название", { kind: "text", maxLength: 200 }),
  info("kind", "Вид", { kind: "choice", options: { bullion: "инвестиционная", memorable: "памятная" } }),
  info("pureMassMg", "Чистый металл, г", { kind: "number", scale: 1000, min: 0, max: 100_000 }),
  { ...priceFields.premium, role: "value", isRequired: true },
  { ...priceFields.buyback, role: "value" },
  { ...priceFields.fixedPrice, role: "value" },
  { ...priceFields.fixedBuyback, role: "value" },
  info("price", "Цена сейчас, ₽", roubles),
  info("buyback", "Выкуп сейчас, ₽", roubles),
];
