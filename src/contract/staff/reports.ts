import * as z from "zod";
import { reportNames, units } from "#shop/reports/report.ts";
import { chosenDay } from "../wire.ts";
import { file, staffCall } from "./call.ts";

/** Reports: tables of numbers over Moscow days, on screen and as files. */

const period = { from: chosenDay("Первый день"), till: chosenDay("Последний день") };
const name = z.enum(reportNames);

export const readReport = staffCall({
  method: "GET",
  path: "/api/staff/reports/{name}",
  summary: "A report of a period of Moscow days, both included, at most a year, without days of today; sums are roubles",
  permission: "reports",
  audit: null,
  params: z.object({ name }),
  query: z.object({ from: period.from.optional(), till: period.till.optional() }),
  answer: z.object({
    title: z.string(),
    columns: z.array(z.object({ key: z.string(), title: z.string(), unit: z.enum(units) })),
    /** A cell that is null is not known. */
    rows: z.array(z.array(z.union([z.string(), z.number()]).nullable())),
    totals: z.array(z.union([z.string(), z.number()]).nullable()).nullable(),
    isCut: z.boolean(),
    chart: z.object({ by: z.enum(["rows", "sums"]), columns: z.array(z.string()), most: z.int() }),
    note: z.string(),
  }),
  problems: ["request.invalid"],
});

export const downloadReport = staffCall({
  method: "GET",
  path: "/api/staff/reports/{name}/file",
  summary: "The same report as CSV or XLSX; formulas are neutralised",
  permission: "reports",
  audit: null,
  params: z.object({ name }),
  query: z.object({ ...period, format: z.enum(["csv", "xlsx"]) }),
  answer: file,
  problems: ["request.invalid"],
});
