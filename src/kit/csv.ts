import { guardFormula } from "./spreadsheet-text.ts";

/**
 * A table as CSV for spreadsheets: UTF-8 with a byte-order mark, semicolons, which Russian Excel expects. Texts that a spreadsheet would
 * execute are guarded; numbers are written with a decimal comma.
 */
export const csvOf = (rows: readonly (readonly (string | number | null)[])[]): Buffer =>
  Buffer.from(`\uFEFF${rows.map((row) => row.map(cell).join(";")).join("\r\n")}\r\n`);

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value).replace(".", ",");
  const plain = guardFormula(value);
  return /[";\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
