import { cleanText } from "#kit/text/clean-text.ts";
import type { Cell } from "#kit/documents/spreadsheet/table.ts";

/** A value as the shop stores it: scaled whole numbers for masses, percentages and money, plain numbers for millimetres. */
export type ColumnValue = string | number | boolean | readonly string[] | null;

type ColumnType =
  | { kind: "text"; maxLength: number; pattern?: RegExp; example?: string; hasLines?: boolean }
  /** `scale`: the stored value is the number times it; at most as many decimals are read as it has zeros. */
  | { kind: "number"; scale: 1 | 10 | 100 | 1000; min: number; max: number }
  /** Stored as the number itself, at most two decimals. */
  | { kind: "measure"; min: number; max: number }
  | { kind: "choice"; options: Readonly<Record<string, string>> }
  | { kind: "flag" }
  /** Separated by commas; the order does not matter. */
  | { kind: "list"; maxLength: number };

/**
 * A column of an exchanged table. `role`: `key` finds the coin; `value` is read and written; `first`: read for new coins only; `info`:
 * written for people, ignored when it comes back.
 */
export type TableColumn = {
  /** The field that it holds. */
  key: string;
  /** Its head in Russian, with the unit. */
  head: string;
  role: "key" | "value" | "first" | "info";
  type: ColumnType;
  /** An empty cell is refused; otherwise it means that there is no such value. */
  isRequired?: boolean;
};

export type Parsed = { ok: true; value: ColumnValue } | { ok: false; message: string };
const good = (value: ColumnValue): Parsed => ({ ok: true, value });
const bad = (message: string): Parsed => ({ ok: false, message });

/** A cell as the value of its column, or why it is none. */
export function parseCell({ type, isRequired }: TableColumn, cell: string): Parsed {
  const text = cleanCell(cell);
  if (text === "") return isRequired ? bad("Ячейка пустая, а значение обязательно") : good(type.kind === "list" ? [] : null);
  switch (type.kind) {
    case "text":
      return parseText(type, text);
    case "number":
      return parseNumber(text, type.scale, type.min, type.max);
    case "measure": {
      const parsed = parseNumber(text, 1000, type.min, type.max);
      return parsed.ok && typeof parsed.value === "number" ? good(parsed.value / 1000) : parsed;
    }
    case "choice": {
      const found = Object.entries(type.options).find(([, label]) => fold(label) === fold(text));
      return found ? good(found[0]) : bad(`Возможные значения: ${Object.values(type.options).join(", ")}`);
    }
    case "flag":
      return /^(да|нет)$/i.test(text) ? good(fold(text) === "да") : bad("Возможные значения: да, нет");
    case "list": {
      const parts = listOf(text);
      return parts.every((part) => part.length <= type.maxLength) ? good(parts) : bad("Слишком длинное значение в списке");
    }
  }
}

function parseText(type: Extract<ColumnType, { kind: "text" }>, text: string): Parsed {
  if (text.length > type.maxLength) return bad(`Текст длиннее ${type.maxLength} знаков`);
  const plain = type.hasLines ? text : text.replaceAll(/\s+/g, " ");
  return type.pattern && !type.pattern.test(plain)
    ? bad(`Неверная запись${type.example ? `, нужно как ${type.example}` : ""}`)
    : good(plain);
}

function parseNumber(text: string, scale: number, min: number, max: number): Parsed {
  const plain = numberText(text).replace(",", ".");
  if (!/^-?\d{1,15}(\.\d+)?(e[-+]?\d{1,2})?$/i.test(plain)) return bad("Нужно число");
  const value = Number(plain);
  const scaled = Math.round(value * scale);
  const decimals = Math.round(Math.log10(scale));
  // Spreadsheets store 31.1 as 31.100000000000001.
  if (Math.abs(value * scale - scaled) > 1e-6 * Math.max(1, Math.abs(scaled)))
    return bad(decimals === 0 ? "Нужно целое число" : `Не больше ${decimals} ${decimals === 1 ? "знака" : "знаков"} после запятой`);
  if (value < min || value > max) return bad(`Число от ${decimalText(min)} до ${decimalText(max)}`);
  return Number.isSafeInteger(scaled) ? good(scaled) : bad("Слишком большое число");
}

/** A value as its cell shows it, numbers with a comma. What people read, and what two versions are compared by. */
export function textOf({ type }: TableColumn, value: ColumnValue): string {
  const cell = cellOf(type, value);
  if (cell === null) return "";
  return typeof cell === "number" ? decimalText(cell) : cell;
}

/** A value as the cell of a file. */
export const fileCell = ({ type }: TableColumn, value: ColumnValue): Cell => cellOf(type, value);

function cellOf(type: ColumnType, value: ColumnValue): Cell {
  if (value === null) return null;
  switch (type.kind) {
    case "number":
      return typeof value === "number" ? value / type.scale : null;
    case "measure":
      return typeof value === "number" ? value : null;
    case "choice":
      return type.options[String(value)] ?? String(value);
    case "flag":
      return value === true ? "да" : "нет";
    case "list":
      return (Array.isArray(value) ? (value as readonly string[]) : []).toSorted().join(", ");
    case "text":
      return String(value);
  }
}

/**
 * Whether a cell shows this value: then nothing is read, so that what the shop exported comes back unchanged whatever the rules are now.
 */
export function isShown(column: TableColumn, value: ColumnValue, cell: string): boolean {
  const text = cleanCell(cell);
  const shown = cleanCell(textOf(column, value));
  if (text === shown) return true;
  const { kind } = column.type;
  if (kind === "number" || kind === "measure") return numberText(text).replace(".", ",") === shown;
  if (kind === "list") return listOf(text).join() === listOf(shown).join();
  if (kind === "flag" || kind === "choice") return fold(text) === fold(shown);
  return false;
}

const cleanCell = (cell: string): string => cleanText(cell);
const fold = (text: string): string => text.toLowerCase().replaceAll("ё", "е");
const listOf = (text: string): string[] =>
  [...new Set(text.split(",").map((part) => part.trim()))].filter((part) => part !== "").toSorted();
const unit = /\s*(?:%|₽|р\.?|руб\.?|рубл(?:ь|я|ей)|шт\.?|штук[аи]?|гр?\.?|мм\.?)$/i;
/**
 * Without a unit and without spaces between thousands. Other letters and spaces stay, so that «10о» with a letter and «1 2» are not
 * numbers.
 */
const numberText = (text: string): string => {
  const plain = text.replace(unit, "").replace(/^−/, "-").trim();
  return /^-?\d{1,3}(\s\d{3})+(?!\d)/.test(plain) ? plain.replaceAll(/\s/g, "") : plain;
};
const decimalText = (value: number): string => String(value).replace(".", ",");
