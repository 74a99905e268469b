import type * as z from "zod";
import type { readReport } from "#contract/staff/reports.ts";
import { daysOf, type Period, type ReportCell } from "#shop/reports/report.ts";
import type { Bar } from "../ui/table/bar-chart.tsx";

export type Report = z.output<(typeof readReport)["answer"]>;

/**
 * The bars of a report's chart, none when all are zero. A day is named by its number, and a day of the period without a row has an empty
 * bar, so that equal distances are equal times.
 */
export function barsOf(report: Report, period: Period): Bar[] {
  const bars = allBarsOf(report, period);
  return bars.some(({ values }) => values.some((value) => value !== null && value !== 0)) ? bars : [];
}

const valueOf = (cell: ReportCell | undefined): number | null => (typeof cell === "number" ? cell : null);

function allBarsOf({ columns, rows, chart }: Report, period: Period): Bar[] {
  const drawn = columns.flatMap(({ key }, index) => (chart.columns.includes(key) ? [index] : []));
  if (rows.length === 0) return [];
  if (chart.by === "sums")
    return drawn.map((index) => ({
      label: columns[index]?.title ?? "",
      values: [rows.reduce((total, row) => total + (valueOf(row[index]) ?? 0), 0)],
    }));
  const valuesOf = (row: readonly ReportCell[] | undefined) => drawn.map((index) => valueOf(row?.[index]));
  if (columns[0]?.key !== "day") return rows.slice(0, chart.most).map((row) => ({ label: String(row[0]), values: valuesOf(row) }));
  const known = new Map(rows.map((row) => [row[0], row]));
  return daysOf(period)
    .slice(0, chart.most)
    .map((day) => ({ label: day.slice(8), values: valuesOf(known.get(day)) }));
}
