import { parse } from "csv-parse/sync";
import { zipSync } from "fflate";
import { readSheet } from "read-excel-file/node";
import { done, fail, type Result } from "../../result.ts";
import { withoutGuard } from "../spreadsheet-text.ts";
import type { Table, TableFault, TableLimits } from "./table.ts";
import { unzipWithin } from "./unzip.ts";

/**
 * Reads a CSV or XLSX file by its content, whatever its name. CSV: UTF-8 with or without a byte-order mark, UTF-16 or windows-1251;
 * semicolons, commas or tabs. Blocks for seconds with a large file: callers use `readTable`, which runs it in a thread.
 */
export async function readHere(bytes: Uint8Array, limits: TableLimits): Promise<Result<Table, TableFault>> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const raw = isZip ? await readXlsx(bytes, limits) : readCsv(bytes, limits);
  return raw.ok ? tableOf(raw.value, limits) : raw;
}

function tableOf(rows: readonly string[][], limits: TableLimits): Result<Table, TableFault> {
  const [first, ...others] = rows;
  const head = (first ?? []).map((text) => withoutGuard(text).trim());
  while (head.at(-1) === "") head.pop();
  if (head.length === 0) return fail({ code: "table.empty" });
  if (head.length > limits.columns) return fail({ code: "table.too_many_columns" });
  const table: Table = { head, rows: [] };
  for (const [index, row] of others.entries()) {
    const line = index + 2;
    if (row.every((text) => text.trim() === "")) continue;
    if (table.rows.length >= limits.rows) return fail({ code: "table.too_many_rows", line });
    if (row.length > limits.columns && row.slice(limits.columns).some((text) => text !== ""))
      return fail({ code: "table.too_many_columns", line });
    if (row.some((text) => text.length > limits.cellLength)) return fail({ code: "table.cell_too_long", line });
    table.rows.push({ line, cells: head.map((_, column) => withoutGuard(row[column] ?? "")) });
  }
  return done(table);
}

function readCsv(bytes: Uint8Array, limits: TableLimits): Result<string[][], TableFault> {
  const text = textOf(bytes);
  if (text === null) return fail({ code: "table.unreadable" });
  try {
    const rows = parse(text, {
      delimiter: delimiterOf(text),
      relaxColumnCount: true,
      skipEmptyLines: false,
      maxRecordSize: limits.cellLength * limits.columns,
      to: limits.rows + 2,
    });
    const cutAt = cutLine(text, rows, limits);
    return cutAt === null ? done(rows) : fail({ code: "table.unreadable", line: cutAt });
  } catch (error) {
    const line = (error as { records?: unknown }).records;
    return fail({ code: "table.unreadable", ...(typeof line === "number" ? { line: line + 1 } : {}) });
  }
}

/** The last line when the file was cut off in it: it does not end and lacks cells, which must not be read as emptied ones. */
function cutLine(text: string, rows: readonly string[][], limits: TableLimits): number | null {
  const lastColumn = rows[0]?.findLastIndex((cell) => cell.trim() !== "") ?? -1;
  const isWhole = /[\r\n]$/.test(text) || (rows.at(-1)?.length ?? 0) > lastColumn;
  // Too many columns are refused as such.
  return isWhole || lastColumn >= limits.columns ? null : rows.length;
}

/** Null: not text. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // A byte-order mark of UTF-8 says that it is not windows-1251.
    return isUtf8Marked(bytes) ? null : new TextDecoder("windows-1251").decode(bytes);
  }
}

const isUtf8Marked = ([first, second, third]: Uint8Array): boolean => first === 0xef && second === 0xbb && third === 0xbf;

/** The separator that is most frequent in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const counts = { ";": 0, ",": 0, "\t": 0 };
  let isQuoted = false;
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (letter === "\n" || letter === "\r") break;
    else if (letter === ";" || letter === "," || letter === "\t") counts[letter] += 1;
  }
  const [best = ";"] = Object.entries(counts).toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return best;
}

const isPart = (name: string): boolean => /\.(xml|rels)$/.test(name);

async function readXlsx(bytes: Uint8Array, limits: TableLimits): Promise<Result<string[][], TableFault>> {
  const unzipped = unzipWithin(bytes, { maxBytes: limits.unzippedBytes, maxFiles: 2_000, wanted: isPart });
  if ("fault" in unzipped) return fail({ code: unzipped.fault === "damaged" ? "table.unreadable" : "table.too_large" });
  const { files } = unzipped;
  for (const [name, content] of files) {
    if (!name.startsWith("xl/worksheets/sheet")) continue;
    const fault = addressFault(new TextDecoder().decode(content), limits);
    if (fault) return fail(fault);
  }
  try {
    // What is parsed is exactly what was measured above.
    const measured = Buffer.from(zipSync(Object.fromEntries(files), { level: 0 }));
    const rows = await readSheet<string>(measured, { trim: false, parseNumber: (text) => text });
    return done(rows.map((row) => row.map(textOfCell)));
  } catch {
    return fail({ code: "table.unreadable" });
  }
}

/** A cell far away makes the library fill everything before it: addresses are checked before it reads them. */
function addressFault(sheet: string, limits: TableLimits): TableFault | null {
  for (const [, , address = ""] of sheet.matchAll(/<(?:row|c)\b[^>]*?\br\s*=\s*(["'])([^"']*)\1/g)) {
    const [, letters = "", digits = ""] = /^([A-Z]{0,3})(\d{1,7})$/.exec(address) ?? [];
    if (digits === "") return { code: "table.unreadable" };
    if (Number(digits) > limits.rows * 2 + 100) return { code: "table.too_many_rows" };
    if (letters !== "" && columnNumber(letters) > limits.columns * 2 + 50) return { code: "table.too_many_columns" };
  }
  return null;
}
const columnNumber = (letters: string): number => Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

function textOfCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value === "boolean") return value ? "да" : "нет";
  return typeof value === "string" ? value : JSON.stringify(value);
}
