import type { CalendarDate } from "#kit/time.ts";

/**
 * Identifies a payment order in a bank's statement. Two payers may use the same number on the same day, so the payer's account is part
 * of the reference when it is known; null: it was not entered.
 */
export type BankReference = { number: string; date: CalendarDate; payerAccount: string | null };

/** The number without the prefix and leading zeros that banks add; null: not a valid number. */
export function referenceNumber(text: string): string | null {
  const number = text
    .trim()
    .replace(/^(?:№|N|#)\s*/iu, "")
    .replace(/^0+(?=.)/, "");
  return /^[\p{L}\d][\p{L}\d/-]{0,19}$/u.test(number) ? number : null;
}

/** Reads a day, `20.11.2026` or `2026-11-20`; null for an invalid date. */
export function statementDay(text: string): CalendarDate | null {
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text.trim()) ?? [];
  const iso = year ? `${year}-${month}-${day}` : text.trim();
  const at = /^\d{4}-\d{2}-\d{2}$/.test(iso) ? new Date(`${iso}T00:00:00Z`) : null;
  return at && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso) ? iso : null;
}

/** Reads a reference, `125/20.11.2026` or `125 от 20.11.2026`, as staff copies it from the statement; null: not readable. */
export function readReference(text: string, payerAccount: string | null): BankReference | null {
  const [, before = "", after = ""] = /^(.+?)(?:\s*\/\s*|\s+(?:от|of)\s+)([\d.-]+)$/u.exec(text.trim()) ?? [];
  const [number, date] = [referenceNumber(before), statementDay(after)];
  return number && date && (payerAccount === null || isAccountNumber(payerAccount)) ? { number, date, payerAccount } : null;
}

/** Whether the text is the number of a Russian bank account: twenty digits. */
export const isAccountNumber = (text: string): boolean => /^\d{20}$/.test(text);
