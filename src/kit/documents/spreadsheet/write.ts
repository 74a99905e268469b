import writeXlsxFile from "write-excel-file/node";
import { guardFormula } from "../spreadsheet-text.ts";
import type { Cell, TableToWrite } from "./table.ts";

/** An XLSX file of one sheet with a sticky head. Blocks for seconds with a large table: callers use `writeTable`. */
export function writeXlsxHere({ name, head, rows }: TableToWrite): Promise<Buffer> {
  const sheet = [head.map((value) => ({ value, type: String, fontWeight: "bold" as const })), ...rows.map((row) => row.map(cellOf))];
  // The names of sheets are at most 31 characters without these.
  const title = name.replaceAll(/[[\]:*?/\\]/g, " ").slice(0, 31);
  return writeXlsxFile(sheet, {
    sheet: title,
    stickyRowsCount: 1,
    columns: head.map((text) => ({ width: Math.max(10, text.length + 2) })),
  }).toBuffer();
}

const cellOf = (value: Cell) =>
  value === null || value === ""
    ? null
    : typeof value === "number"
      ? { value, type: Number }
      : // "@": text, so that a spreadsheet keeps leading zeros and what looks like a date
        { value: guardFormula(value), type: String, format: "@" };
