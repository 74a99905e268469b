import type { Customer } from "../customer.ts";

/** Customers per page. */
export const customersPageSize = 50;

/** Place of a customer in the list, which is newest first. */
export type CustomerCursor = { createdAt: Date; id: string };

/** A customer in the list of staff. */
export type ListedCustomer = Pick<Customer, "id" | "phone" | "name" | "lastName" | "secondName" | "email" | "createdAt">;

/** What was typed to find a customer. */
export type CustomerQuery =
  /** The last digits of the phone, four or more. */
  | { kind: "phone"; digits: string }
  /** The beginning of the e-mail address, lower case. */
  | { kind: "email"; text: string }
  /** The beginnings of last name and first name, in either order; folded as the index is. */
  | { kind: "name"; words: string[] };

/** Digits are the end of a phone, a text with `@` or a dot is an e-mail address, everything else is a name. Null: too short to search. */
export function readCustomerQuery(typed: string): CustomerQuery | null {
  const text = typed.normalize("NFKC").trim().toLowerCase();
  const digits = text.replaceAll(/[\s()+•·.-]/g, "");
  if (/^\d+$/.test(digits)) return digits.length >= 4 ? { kind: "phone", digits: digits.slice(-10) } : null;
  if (/[@._]|^[a-z0-9]+$/.test(text)) return text.length >= 2 ? { kind: "email", text } : null;
  const words = text.replaceAll("ё", "е").split(/\s+/).slice(0, 3);
  return (words[0]?.length ?? 0) >= 2 ? { kind: "name", words } : null;
}
