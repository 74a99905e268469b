import { transitions } from "#kit/transitions.ts";
import type { TableFault, TableFormat } from "#kit/documents/spreadsheet/table.ts";
import { coinColumns } from "../columns/coin-columns.ts";
import type { TableColumn, ColumnValue } from "../columns/column.ts";
import { priceColumns } from "../columns/price-columns.ts";
import { stockColumns } from "../columns/stock-columns.ts";

/** An import: a file that was checked against the shop, and what it would change. Browser-safe. */

export const importKinds = ["coins", "prices", "stock"] as const;
export type ImportKind = (typeof importKinds)[number];

/** The columns of each kind of table, in the order of an export. */
export const columnsOf: Readonly<Record<ImportKind, readonly TableColumn[]>> = {
  coins: coinColumns,
  prices: priceColumns,
  stock: stockColumns,
};

/** A checked import waits to be applied. It is applied once and never changed afterwards. */
export const importStates = transitions({ checked: { apply: "applied", discard: "discarded" }, applied: {}, discarded: {} });
export type ImportState = keyof typeof importStates;

/** `file`: uploaded by staff · `accounting`: sent by the accounting system (1C). */
export const importSources = ["file", "accounting"] as const;
export type ImportSource = (typeof importSources)[number];

export const rowOutcomes = ["new", "changed", "unchanged", "error"] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

/** Something to say about a row, beside a column or about the whole. Warnings do not keep the import from being applied. */
export type RowMessage = { column: string | null; message: string; isError: boolean };
export type RowChange = { column: string; before: string; after: string };

export type CheckedRow = {
  /** The row's number in the spreadsheet; of the accounting system, which sends none, the article. */
  line: number;
  /** Null: a coin that gets its article when it is added, or an unreadable article. */
  coinId: number | null;
  title: string;
  outcome: RowOutcome;
  changes: RowChange[];
  messages: RowMessage[];
  /** The values to write, by column. */
  values: Record<string, ColumnValue>;
  /** The coin's revision when the file was checked; null: a new coin. */
  revision: number | null;
};

/** A row of a table that was not compared yet. */
export const uncheckedRow = (line: number): CheckedRow => ({
  line,
  coinId: null,
  title: "",
  outcome: "unchanged",
  changes: [],
  messages: [],
  values: {},
  revision: null,
});

/** What is said of the cells of rows, a line each, for an operator: the errors, or the warnings. */
export function messageLines(rows: readonly CheckedRow[], columns: readonly TableColumn[], isError: boolean): string[] {
  const headOf = new Map(columns.map(({ key, head }) => [key, head]));
  return rows.flatMap(({ line, title, messages }) =>
    messages
      .filter((each) => each.isError === isError)
      .map(({ column, message }) => `row ${line} (${title}), ${headOf.get(column ?? "") ?? "the row"}: ${message}`),
  );
}

export type ImportCounts = { rows: number; new: number; changed: number; unchanged: number; errors: number; warnings: number };

/** A file compared with the shop. `rows` leaves out what is unchanged and has nothing to say. */
export type CheckedFile = {
  kind: ImportKind;
  source: ImportSource;
  fileName: string;
  format: Import["format"];
  rows: CheckedRow[];
  counts: ImportCounts;
  notes: string[];
  hash: string;
};

export type Import = {
  id: number;
  kind: ImportKind;
  source: ImportSource;
  fileName: string;
  format: TableFormat | "xml";
  state: ImportState;
  counts: ImportCounts;
  /** What concerns the whole file: columns that are not known. */
  notes: string[];
  /** Binds an application to exactly these changes. */
  hash: string;
  createdAt: Date;
  createdBy: string;
  appliedAt: Date | null;
  appliedBy: string | null;
  /** What applying it made: `{ documents: [12], priceChange: 4 }`. */
  result: ImportResult | null;
};

/** `addedIds`: the coins that an import of coins made. */
export type ImportResult = { added?: number; addedIds?: number[]; changed?: number; documents?: number[]; priceChange?: number };

/** Which permission applies an import: that of coins, of prices, of receipts, or of corrections when pieces were counted. */
export const importAppliers = ["coins", "prices", "stock", "stocktake"] as const;
export type ImportApplier = (typeof importAppliers)[number];

/** What applying writes about a row that has changed in the shop meanwhile. */
export type StaleRow = { line: number; title: string; what: string };

export type ImportError =
  /** Nothing was stored; `message` says in Russian what is wrong with the file. */
  | { code: "exchange.file_refused"; message: string }
  | { code: "exchange.not_found" }
  | { code: "exchange.closed"; state: ImportState }
  | { code: "exchange.has_errors" }
  /** The rows changed meanwhile, or the stored check is not the one that staff saw. Nothing was changed. */
  | { code: "exchange.stale"; rows: StaleRow[] }
  | { code: "exchange.refused"; message: string };

/** What is wrong with a file, for people. */
export function faultText({ code, line }: TableFault, { rows, columns }: { rows: number; columns: number }): string {
  switch (code) {
    case "table.unreadable":
      return `Файл повреждён или это не таблица CSV или XLSX${line ? ` (строка ${line})` : ""}. Ничего не изменилось`;
    case "table.empty":
      return "В файле нет таблицы: первая строка должна быть с названиями столбцов";
    case "table.too_large":
      return "Файл слишком большой или распаковывается в слишком большой. Ничего не изменилось";
    case "table.too_many_rows":
      return `В файле больше ${rows} строк. Разделите его на части`;
    case "table.too_many_columns":
      return `В файле больше ${columns} столбцов`;
    case "table.cell_too_long":
      return `Слишком длинный текст в ячейке (строка ${line ?? "?"})`;
  }
}
