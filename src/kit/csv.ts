/**
 * A table as CSV for spreadsheets: UTF-8 with a byte-order mark, semicolons, which Russian Excel expects. A text that a spreadsheet would execute as a
 * formula gets an apostrophe in front (OWASP, "CSV Injection").
 */
export const csvOf = (rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(`\uFEFF${rows.map((row) => row.map(cell).join(";")).join("\r\n")}\r\n`);

function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
