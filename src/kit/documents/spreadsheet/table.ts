/** A cell to write: texts stay texts in the spreadsheet, also those that look like numbers or dates. */
export type Cell = string | number | null;

/** A table to write: the head and its rows. */
export type TableToWrite = { name: string; head: readonly string[]; rows: readonly (readonly Cell[])[] };

/** A table that was read. Every cell is text, numbers with a dot; `line` is the row's number as the spreadsheet shows it. */
export type Table = { head: string[]; rows: { line: number; cells: string[] }[] };

export type TableFormat = "csv" | "xlsx";
export const tableTypes: Readonly<Record<TableFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** The largest table that is read. */
export type TableLimits = {
  rows: number;
  columns: number;
  /** Characters of a cell. */
  cellLength: number;
  /** What an XLSX file may unzip to. */
  unzippedBytes: number;
};

export type TableFault = {
  code: "table.unreadable" | "table.empty" | "table.too_large" | "table.too_many_rows" | "table.too_many_columns" | "table.cell_too_long";
  /** Where, as far as it is known. */
  line?: number;
};
