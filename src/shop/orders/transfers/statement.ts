import type { Kopecks } from "#kit/money.ts";
import type { CalendarDate } from "#kit/time.ts";
import type { FullName } from "#shop/customers/customer.ts";
import type { OrderState } from "../order.ts";

/** One document of a bank's statement, as far as it concerns money that came. */
export type StatementEntry = {
  number: string;
  /** Of the document itself. */
  date: CalendarDate;
  /** When the bank put it on the account; null: it has not, or the document takes money away. */
  arrivedOn: CalendarDate | null;
  amount: Kopecks;
  payer: string;
  /** Twenty digits; null where the bank does not tell it. */
  payerAccount: string | null;
  /** As the bank names the side that was paid: its own account, and that of its bank where two settle through a third. */
  payeeAccounts: string[];
  purpose: string;
};

/** Why an entry was left to a person. */
export const leftReasons = [
  "no_order_number",
  "no_such_order",
  "several_orders",
  "number_without_match",
  "not_arrived",
  "entered_for_another_order",
  "entered_without_reference",
  "not_payable_by_transfer",
] as const;
export type LeftReason = (typeof leftReasons)[number];

/**
 * What became of an entry: counted for an order now, counted before, not money that came to the shop's account, or left to a person.
 */
export type EntryOutcome =
  | { kind: "counted"; orderNumber: number; state: OrderState }
  | { kind: "known"; orderNumber: number }
  | { kind: "foreign" }
  | { kind: "left"; why: LeftReason };

/**
 * «заказа № 10005», «по счету 10005», «сч.10005», «заказы 10005 и 10006», «order 10005», or numbers after № alone. Longer runs of digits
 * are accounts, shorter ones days and shares.
 */
const named =
  /(?:(?<word>(?:заказ|сч[её]т|order|invoice|zakaz|schet)\p{L}{0,3}|сч\.)[\s.,:-]*(?:на\s+оплату\s*)?(?:№|N[оo]?\.?|#)?|№|#)\s*(?<run>\d{5,9}(?!\d)(?:\s*(?:[,;+/]|и)\s*(?:№\s*)?\d{5,9}(?!\d))*)/giu;

/**
 * The order numbers that a payer wrote into the purpose, each once. `bare` are those that stand nowhere behind «заказ» or «счёт»: a number
 * after № alone may as well be the number of a contract, and only counts together with the sum or the payer.
 */
export function ordersNamed(purpose: string): { numbers: number[]; bare: number[] } {
  if (/^\s*\d{5,9}\s*$/.test(purpose)) return { numbers: [Number(purpose)], bare: [Number(purpose)] };
  const runs = [...purpose.matchAll(named)].map(({ groups = {} }) => ({
    hasWord: groups.word !== undefined,
    numbers: (groups.run ?? "").match(/\d+/g)?.map(Number) ?? [],
  }));
  const numbers = new Set(runs.flatMap((run) => run.numbers));
  const worded = new Set(runs.flatMap((run) => (run.hasWord ? run.numbers : [])));
  return { numbers: [...numbers], bare: [...numbers].filter((number) => !worded.has(number)) };
}

/** Whether the payer of an entry is the recipient of an order: every word of the recipient's name stands in the payer's. */
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
