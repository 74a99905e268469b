import { setImmediate as nextTurn } from "node:timers/promises";
import { cutText } from "#kit/text/cut-text.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Table } from "#kit/documents/spreadsheet/table.ts";
import { isShown, parseCell, textOf, type TableColumn, type ColumnValue } from "../columns/column.ts";
import { uncheckedRow, type CheckedRow, type ImportCounts, type ImportError } from "./import.ts";

/** A coin as the table of a kind shows it. */
export type ComparedCoin = { id: number; title: string; revision: number; values: Readonly<Record<string, ColumnValue>> };

export type Comparison = {
  columns: readonly TableColumn[];
  /** The coins of the shop by article. */
  subjects: ReadonlyMap<number, ComparedCoin>;
  /** A row without an article is a new coin. */
  allowsNew: boolean;
  /** The shop has no coin yet: every row is a new coin and keeps its article. */
  isEmptyShop?: boolean;
};

type Head = { columns: (TableColumn | null)[]; notes: string[] };
/** Rows after which others get their turn: pages and calls are served meanwhile. */
const rowsAtOnce = 250;

/** Compares a table with the shop, row by row. Refuses a table whose head cannot be understood. Changes nothing. */
export async function compareTable(
  table: Table,
  comparison: Comparison,
): Promise<Result<{ rows: CheckedRow[]; notes: string[] }, ImportError>> {
  const head = readHead(table.head, comparison.columns);
  if (!head.ok) return head;
  const { columns, notes } = head.value;
  const lineOf = new Map<number, number>();
  const rows: CheckedRow[] = [];
  for (const [index, { line, cells }] of table.rows.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) await nextTurn();
    const row = compareRow({ line, cells, columns }, comparison);
    const earlier = row.coinId === null ? undefined : lineOf.get(row.coinId);
    if (earlier !== undefined) addFault(row, keyOf(comparison), `Этот артикул уже был в строке ${earlier}`);
    else if (row.coinId !== null) lineOf.set(row.coinId, line);
    if (row.outcome !== "unchanged" || row.messages.length > 0) rows.push(row);
  }
  return done({ rows, notes });
}

/** The numbers of a checked table of so many rows. */
export function countsOf(rows: readonly CheckedRow[], whole: number): ImportCounts {
  const numberOf = (outcome: CheckedRow["outcome"]) => rows.filter((row) => row.outcome === outcome).length;
  const [added, changed, errors] = [numberOf("new"), numberOf("changed"), numberOf("error")];
  const warnings = rows.filter(({ messages }) => messages.some(({ isError }) => !isError)).length;
  return { rows: whole, new: added, changed, unchanged: whole - added - changed - errors, errors, warnings };
}

const keyOf = ({ columns }: Comparison): string | null => columns.find(({ role }) => role === "key")?.key ?? null;

function readHead(head: readonly string[], known: readonly TableColumn[]): Result<Head, ImportError> {
  const refused = (message: string) => fail({ code: "exchange.file_refused" as const, message });
  const byHead = new Map(known.map((column) => [fold(column.head), column]));
  const columns = head.map((text) => byHead.get(fold(text)) ?? null);
  const seen = new Set<string>();
  for (const column of columns) {
    if (column && seen.has(column.key)) return refused(`Столбец «${column.head}» в файле дважды`);
    if (column) seen.add(column.key);
  }
  const key = known.find(({ role }) => role === "key");
  if (key && !seen.has(key.key)) return refused(`В файле нет столбца «${key.head}»: по нему находят монету`);
  if (!columns.some((column) => column?.role === "value")) return refused("В файле нет ни одного столбца, который что-то меняет");
  const strange = head.filter((text, index) => text !== "" && columns[index] === null);
  return done({ columns, notes: strange.length > 0 ? [`Не знаем столбцы и пропускаем их: ${cutText(strange.join(", "), 500)}`] : [] });
}

/** Whether each column of a head is one of these: a table of a kind that knows them all was not meant as another kind. */
export function knowsAll(head: readonly string[], known: readonly TableColumn[]): boolean {
  const heads = new Set(known.map((column) => fold(column.head)));
  return head.every((text) => text === "" || heads.has(fold(text)));
}

/** Heads are compared without case, units in brackets and spaces. */
const fold = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("ё", "е")
    .replaceAll("(справочно)", "")
    .replaceAll(/[\s.,₽%()]+/g, "");

type RowInput = { line: number; cells: readonly string[]; columns: readonly (TableColumn | null)[] };

function compareRow({ line, cells, columns }: RowInput, comparison: Comparison): CheckedRow {
  const row = uncheckedRow(line);
  const cellAt = new Map(columns.flatMap((column, index) => (column ? [[column.key, cells[index] ?? ""] as const] : [])));
  row.title = cutText((cellAt.get("title") ?? "").trim(), 200);
  const subject = findSubject(row, cellAt, comparison);
  if (isWrong(row)) return row;
  row.title = subject?.title ?? row.title;
  row.revision = subject?.revision ?? null;
  for (const column of comparison.columns) takeCell(row, column, cellAt.get(column.key), subject);
  if (!isWrong(row)) row.outcome = subject ? (row.changes.length > 0 ? "changed" : "unchanged") : "new";
  return row;
}

const isWrong = (row: CheckedRow): boolean => row.outcome === "error";

function findSubject(row: CheckedRow, cellAt: ReadonlyMap<string, string>, comparison: Comparison): ComparedCoin | null {
  const { columns, subjects, allowsNew, isEmptyShop } = comparison;
  const key = columns.find(({ role }) => role === "key");
  if (!key) return null;
  const cell = cellAt.get(key.key) ?? "";
  if (cell.trim() === "" && allowsNew && !isEmptyShop) return null;
  const parsed = parseCell(key, cell);
  if (!parsed.ok) addFault(row, key.key, parsed.message);
  else if (typeof parsed.value === "number") {
    row.coinId = parsed.value;
    const subject = subjects.get(parsed.value) ?? null;
    const hint = allowsNew ? ". У новой монеты оставьте артикул пустым" : "";
    if (!subject && !isEmptyShop) addFault(row, key.key, `Монеты с таким артикулом в магазине нет${hint}`);
    return subject;
  }
  return null;
}

function takeCell(row: CheckedRow, column: TableColumn, cell: string | undefined, subject: ComparedCoin | null): void {
  if (column.role === "key" || column.role === "info") return;
  const before = subject?.values[column.key] ?? null;
  if (subject && (cell === undefined || isShown(column, before, cell))) return;
  if (subject && column.role === "first") {
    row.messages.push({ column: column.key, message: "Цены монеты меняет файл цен: это значение пропущено", isError: false });
    return;
  }
  if (cell === undefined && column.isRequired) return addFault(row, column.key, `Для новой монеты нужен столбец «${column.head}»`);
  const parsed = parseCell(column, cell ?? "");
  if (!parsed.ok) return addFault(row, column.key, parsed.message);
  const change = { column: column.key, before: subject ? textOf(column, before) : "", after: textOf(column, parsed.value) };
  // The same value in another spelling, «5,50» for 5,5.
  if (subject && change.before === change.after) return;
  row.values[column.key] = parsed.value;
  if (subject || change.after !== "") row.changes.push(change);
}

/** Says what is wrong with a row, which is therefore not written. */
export function addFault(row: CheckedRow, column: string | null, message: string): void {
  row.messages.push({ column, message, isError: true });
  row.outcome = "error";
}
