import type * as z from "zod";
import type * as contract from "#contract/staff/stock.ts";
import { number } from "#kit/format.ts";
import type { LineRefusal } from "#shop/stock/documents/document.ts";
import { sum } from "../money/words.ts";

export type LevelView = z.output<(typeof contract.readStock)["answer"]>["items"][number];
export type EntryView = z.output<(typeof contract.readStockEntries)["answer"]>["items"][number];
export type DocumentItem = z.output<(typeof contract.readDocuments)["answer"]>["items"][number];
export type StockDocumentView = z.output<(typeof contract.readDocument)["answer"]>;
export type StocktakeItem = z.output<(typeof contract.readStocktakes)["answer"]>["items"][number];
export type StockCoin = z.output<(typeof contract.findStockCoins)["answer"]>[number];
export type DocumentKind = DocumentItem["kind"];
type Refusals = {
  lines: { coin: StockCoin; why: LineRefusal["why"]; needed: number; onHand: number; reserved: number }[];
};

export const metalTexts = { gold: "золото", silver: "серебро" } as const;

export const partTexts = {
  in_stock: "есть на складе",
  all: "все монеты",
  low: "мало",
  out: "кончились",
  without_cost: "без себестоимости",
} as const;

export const kindTexts: Readonly<Record<DocumentKind, string>> = {
  receipt: "Приход",
  write_off: "Списание",
  correction: "Исправление остатка",
  opening_cost: "Себестоимость остатка",
};

export const stateTexts: Readonly<Record<DocumentItem["state"], string>> = {
  draft: "черновик",
  posted: "проведён",
  reversed: "отменён",
  discarded: "не нужен",
};

export const stocktakeTexts: Readonly<Record<StocktakeItem["state"], string>> = {
  counting: "считают",
  finished: "посчитано",
  cancelled: "прервана",
};

export const entryTexts: Readonly<Record<EntryView["kind"], string>> = {
  opening: "начальный остаток",
  receipt: "приход",
  sold: "продажа",
  returned: "возврат",
  correction: "исправление",
  written_off: "списание",
  reversed: "отмена документа",
  cost: "себестоимость остатка",
};

/** With its sign: `+3`, `−2`. */
export const signed = (quantity: number): string => (quantity > 0 ? `+${number(quantity)}` : number(quantity));

/** What pieces cost. Unknown costs are said, never shown as zero. */
export const costText = (cost: number | null | undefined): string => (cost === null || cost === undefined ? "нет данных" : sum(cost));

/** What the whole stock of a metal cost, roubles, and how many pieces are left out because their cost is unknown. */
export function stockCostText({ pieces, uncosted = 0, cost }: { pieces: number; uncosted?: number; cost: number }): string {
  if (uncosted > 0 && uncosted === pieces) return "себестоимость неизвестна";
  return `себестоимость ${sum(Math.round(cost))} ₽${uncosted > 0 ? ` без ${number(uncosted)} шт.` : ""}`;
}

/** Grams of pure metal with two digits at most. */
export const gramsText = (milligrams: number): string => number(milligrams / 1000, milligrams % 1000 === 0 ? 0 : 2);

/** Why lines of a document cannot be posted or taken back. */
export const refusalTexts = ({ lines }: Refusals): string[] =>
  lines.map(({ coin, why, needed, onHand, reserved }) => {
    if (why === "cost_known") return `${coin.title}: себестоимость всех монет уже известна`;
    if (why === "cost_used") return `${coin.title}: часть этих монет уже продана`;
    if (why === "corrected")
      return `${coin.title}: остаток исправили после подсчёта. Уберите строку и, если нужно, пересчитайте монету заново`;
    return `${coin.title}: нужно убрать ${needed}, на складе ${onHand}, из них в заказах ${reserved}`;
  });
