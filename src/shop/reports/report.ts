import { fromMoscow, moscow } from "#kit/moscow-time.ts";
import { days, plus, type CalendarDate } from "#kit/time.ts";

/** Tables of numbers over Moscow days, for screens and spreadsheets. */
export const reportNames = [
  "days",
  "coins",
  "orders",
  "delivery",
  "payment",
  "buyers",
  "channels",
  "sources",
  "margin_days",
  "repeat",
  "stock",
  "searches",
  "checkout",
] as const;
export type ReportName = (typeof reportNames)[number];

/** Both days included. */
export type Period = { from: CalendarDate; till: CalendarDate };

/** Every day of a period. */
export function daysOf({ from, till }: Period): string[] {
  const found: string[] = [];
  for (let at = fromMoscow(from); moscow(at).date <= till; at = plus(at, days(1))) found.push(moscow(at).date);
  return found;
}

/** `roubles` with kopecks as a fraction · `pieces`: a whole number · `percent` · `grams` of pure metal. */
export const units = ["text", "roubles", "pieces", "percent", "grams"] as const;
export type Unit = (typeof units)[number];
/** Null: not known. */
export type ReportCell = string | number | null;
export type ReportColumn = { key: string; title: string; unit: Unit };

/**
 * What is drawn above the table. `rows`: a bar for each of the first `most` rows, the columns stacked on each other. `sums`: a bar for the
 * sum of each column, as for the steps of a purchase.
 */
export type Chart = { by: "rows" | "sums"; columns: string[]; most: number };

export type ReportTable = {
  title: string;
  columns: ReportColumn[];
  rows: ReportCell[][];
  /** Sums over all rows, also those that are not shown, of the columns that can be summed; null where they cannot. */
  totals: ReportCell[] | null;
  /** More rows exist than are shown. */
  isCut: boolean;
  chart: Chart;
  /** What the numbers mean and what is left out. */
  note: string;
};

/** The longest period, days: a report reads each order of it. */
export const maxPeriodDays = 366;
/** Rows of a report at most: on the screen, and in a file. */
export const rowLimit = 1_000;
export const fileRowLimit = 20_000;
