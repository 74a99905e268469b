import { guardFormula } from "./spreadsheet-text.ts";

/**
 * A table as CSV for spreadsheets: UTF-8 with a byte-order mark, semicolons, which Russian Excel expects. Texts that a spreadsheet would
 * execute are guarded; numbers are written with a decimal comma.
 */
export const csvOf = (rows: readonly CsvRow[]): Buffer => Buffer.from(`\uFEFF${csvRows(rows)}`);

/** The same table in parts, for one too long for the memory. The first part should hold the head. */
export async function* csvParts(parts: AsyncIterable<readonly CsvRow[]>): AsyncGenerator<Buffer> {
  let start = "\uFEFF";
  for await (const rows of parts) {
    if (rows.length > 0) yield Buffer.from(start + csvRows(rows));
    if (rows.length > 0) start = "";
  }
}

type CsvRow = readonly (string | number | null)[];
const csvRows = (rows: readonly CsvRow[]): string => rows.map((row) => `${row.map(cell).join(";")}\r\n`).join("");

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value).replace(".", ",");
  const plain = guardFormula(value);
  return /[";\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
