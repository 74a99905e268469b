import type { Kopecks } from "#kit/money.ts";
import type { CalendarDate } from "#kit/time.ts";
import type { FullName } from "#shop/customers/customer.ts";
import type { OrderState } from "../order.ts";

/** One document of a bank's statement about received money. */
export type StatementEntry = {
  number: string;
  /** Of the document itself. */
  date: CalendarDate;
  /** When the bank credited the account; null: not credited, or an outgoing payment. */
  arrivedOn: CalendarDate | null;
  amount: Kopecks;
  payer: string;
  /** Twenty digits; null when the bank does not name it. */
  payerAccount: string | null;
  /** Accounts of the payee as the bank names them: its own, and that of its bank when a third bank settles. */
  payeeAccounts: string[];
  purpose: string;
};

/** An order as far as a transfer can belong to it. */
export type PayableOrder = {
  id: string;
  number: number;
  state: OrderState;
  total: Kopecks;
  paid: Kopecks;
  recipient: FullName;
  createdAt: Date;
  /** When its coins are released unless it is paid. */
  reservedUntil: Date | null;
};

/** Why an entry was left to staff. */
export const unmatchedReasons = [
  "no_order_number",
  "no_such_order",
  "several_orders",
  "number_without_match",
  "not_arrived",
  "entered_for_another_order",
  "entered_without_reference",
  "not_payable_by_transfer",
] as const;
export type UnmatchedReason = (typeof unmatchedReasons)[number];

/** The result of an entry: recorded for an order now, recorded before, not received on the shop's account, or left to staff. */
export type EntryOutcome =
  | { kind: "counted"; orderNumber: number; state: OrderState }
  | { kind: "known"; orderNumber: number }
  | { kind: "foreign" }
  | { kind: "left"; why: UnmatchedReason };

const orderWord = /(?<word>(?:заказ|сч[её]т|order|invoice|zakaz|schet)\p{L}{0,3}|сч\.)[\s.,:-]*(?:на\s+оплату\s*)?(?:№|N[оo]?\.?|#)?/u;
const numberRun = /(?<run>\d{5,9}(?!\d)(?:\s*(?:[,;+/]|и)\s*(?:№\s*)?\d{5,9}(?!\d))*)/u;
/**
 * «заказа № 10005», «по счету 10005», «сч.10005», «заказы 10005 и 10006», «order 10005», or numbers after № only. Longer runs of digits
 * are accounts, shorter ones are days and amounts.
 */
const orderNumberPattern = new RegExp(`(?:${orderWord.source}|№|#)\\s*${numberRun.source}`, "giu");

/**
 * Finds the order numbers in a transfer's purpose, each once. `bare`: numbers that never follow «заказ» or «счёт». A number after № only
 * may belong to a contract, so it counts only together with the sum or the payer.
 */
export function findOrderNumbers(purpose: string): { numbers: number[]; bare: number[] } {
  if (/^\s*\d{5,9}\s*$/.test(purpose)) return { numbers: [Number(purpose)], bare: [Number(purpose)] };
  const runs = [...purpose.matchAll(orderNumberPattern)].map(({ groups = {} }) => ({
    hasWord: groups.word !== undefined,
    numbers: (groups.run ?? "").match(/\d+/g)?.map(Number) ?? [],
  }));
  const numbers = new Set(runs.flatMap((run) => run.numbers));
  const worded = new Set(runs.flatMap((run) => (run.hasWord ? run.numbers : [])));
  return { numbers: [...numbers], bare: [...numbers].filter((number) => !worded.has(number)) };
}

/** Whether the payer of an entry is the recipient of an order: the payer's name contains every word of the recipient's. */
export function isPayer(payer: string, { name, lastName, secondName }: FullName): boolean {
  const words = new Set(wordsOf(payer));
  const wanted = wordsOf(`${lastName} ${name} ${secondName}`);
  return name.trim() !== "" && lastName.trim() !== "" && wanted.every((word) => words.has(word));
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll("ё", "е")
    .match(/\p{L}+/gu) ?? [];
