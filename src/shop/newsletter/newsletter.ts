/** A mailbox that ever agreed to the newsletter; `unsubscribedAt` is null while it is subscribed. */
export type Mailbox = { email: string; name: string; since: Date; textVersion: string; unsubscribedAt: Date | null };
/** A mailbox that may be written to: since when and under which text it agreed, and the address by which it takes that back. */
export type Subscriber = { email: string; name: string; since: Date; textVersion: string; unsubscribe: string };
/** A mailbox in the list of staff, with its first active consent: given in the account, or with the order if there is one. */
export type ListedSubscriber = {
  consentId: number;
  email: string;
  name: string;
  since: Date;
  textVersion: string;
  /** Null: a guest. */
  customerId: string | null;
  orderId: string | null;
};
export type NewsletterError = { code: "newsletter.not_found" };

/** Mailboxes per page of the list of staff. */
export const subscribersPageSize = 50;

/** The beginning of a mailbox, as it is stored; empty: all mailboxes. Null: too short to search. */
export function readMailboxBeginning(typed: string): string | null {
  const text = typed.normalize("NFKC").trim().toLowerCase();
  return text.length === 1 ? null : text;
}

/**
 * The list as a table for a program that sends letters: RFC 4180 with a head, UTF-8. A cell that a spreadsheet would take for a formula
 * begins with an apostrophe.
 * `since` is ISO 8601.
 */
export function subscribersCsv(subscribers: readonly (Omit<Subscriber, "since"> & { since: string })[]): string {
  const rows = subscribers.map(({ email, name, since, textVersion, unsubscribe }) => [email, name, since, textVersion, unsubscribe]);
  return [["email", "name", "since", "text_version", "unsubscribe"], ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(text: string): string {
  const plain = /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
