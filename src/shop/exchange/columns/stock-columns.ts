import { article } from "./coin-columns.ts";
import type { TableColumn } from "./column.ts";

const pieces = { kind: "number", scale: 1, min: 0, max: 1_000_000 } as const;

/**
 * Stock. «Принято» is a receipt: its pieces are added, at «Закупка». «Посчитано» is a stocktake: the coin has exactly so many pieces
 * afterwards, those that are reserved for orders included. An empty cell changes nothing, so an export that comes back changes nothing.
 */
export const stockColumns: readonly TableColumn[] = [
  article,
  { key: "title", head: "Название (справочно)", role: "info", type: { kind: "text", maxLength: 200 } },
  { key: "onHand", head: "На полке по учёту, шт. (справочно)", role: "info", type: pieces },
  { key: "available", head: "Свободно, шт. (справочно)", role: "info", type: pieces },
  { key: "received", head: "Принято, шт.", role: "value", type: { ...pieces, min: 1 } },
  { key: "unitCost", head: "Закупка, ₽ за шт.", role: "value", type: { kind: "number", scale: 100, min: 0.01, max: 1_000_000_000 } },
  { key: "counted", head: "Посчитано, шт.", role: "value", type: pieces },
];
