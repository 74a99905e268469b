import type * as z from "zod";
import type { readImport, readImports } from "#contract/staff/exchange.ts";
import type { ImportKind, ImportState } from "#shop/exchange/imports/import.ts";

export type ImportItem = z.output<(typeof readImports)["answer"]>["items"][number];
export type RowView = z.output<(typeof readImport)["answer"]>["items"][number];

export const kindNames: Readonly<Record<ImportKind, string>> = { coins: "Монеты", prices: "Цены", stock: "Остатки" };
export const stateNames: Readonly<Record<ImportState, string>> = { checked: "проверен", applied: "применён", discarded: "отложен" };

/** What a kind of table changes, for the choice beside the file. */
export const kindHints: Readonly<Record<ImportKind, string>> = {
  coins: "Описания, массы, разделы. Строка без артикула — новая монета: она появится снятой с витрины",
  prices: "Премии и выкуп инвестиционных монет, цены памятных",
  stock: "«Принято» добавляет штуки приёмкой, «Посчитано» исправляет учёт по пересчёту",
};

/** «2 изменения, 1 ошибка» in one line. */
export function countsText({ counts }: Pick<ImportItem, "counts">): string {
  const parts = [
    counts.new > 0 ? `новых ${counts.new}` : "",
    `изменений ${counts.changed}`,
    `без изменений ${counts.unchanged}`,
    counts.errors > 0 ? `ошибок ${counts.errors}` : "",
    counts.warnings > 0 ? `предупреждений ${counts.warnings}` : "",
  ];
  return parts.filter(Boolean).join(", ");
}

/** The article of a coin as typed; null when it is none: nine digits at most, the first not zero. */
export function articleOf(text: string): number | null {
  const digits = text.trim();
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : null;
}
