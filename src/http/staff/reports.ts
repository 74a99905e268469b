import * as contract from "#contract/staff/reports.ts";
import { fromMoscow, moscow } from "#kit/moscow-time.ts";
import { done, fail } from "#kit/result.ts";
import { tableTypes } from "#kit/documents/spreadsheet/table.ts";
import { writeTable } from "#kit/documents/spreadsheet/spreadsheet.ts";
import { days } from "#kit/time.ts";
import { fileRowLimit, maxPeriodDays, type Period } from "#shop/reports/report.ts";
import * as reports from "#shop/reports/service.ts";
import { staffRead, type StaffEndpoint, type StaffRefusal } from "./endpoint.ts";

/** What is wrong with a period; null: nothing. */
function faultOf({ from, till }: Period): StaffRefusal | null {
  const length = (fromMoscow(till).getTime() - fromMoscow(from).getTime()) / days(1) + 1;
  if (!(length >= 1)) return { code: "request.invalid", fields: { till: "Последний день раньше первого" } };
  return length > maxPeriodDays ? { code: "request.invalid", fields: { from: "Не больше года за раз" } } : null;
}

/** Reports of the shop. */
export const reportEndpoints: readonly StaffEndpoint[] = [
  staffRead(contract.readReport, async (ctx, { params: { name }, query }) => {
    const today = moscow(ctx.now()).date;
    const period = { from: query.from ?? today, till: query.till ?? today };
    const fault = faultOf(period);
    return fault ? fail(fault) : done(await reports.table(ctx, name, period));
  }),
  staffRead(contract.downloadReport, async (ctx, { params: { name }, query: { format, ...period } }) => {
    const fault = faultOf(period);
    if (fault) return fail(fault);
    const { title, columns, rows, isCut } = await reports.table(ctx, name, period, fileRowLimit);
    const bytes = await writeTable(format, { name: title, head: columns.map((column) => column.title), rows });
    return done({ type: tableTypes[format], name: `${title} ${period.from} ${period.till}${isCut ? ", не всё" : ""}.${format}`, bytes });
  }),
];
