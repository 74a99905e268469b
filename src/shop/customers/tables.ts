import { sql, type SQL } from "drizzle-orm";
import { bigserial, check, date, index, integer, jsonb, pgTable, text, timestamp, type AnyPgColumn } from "drizzle-orm/pg-core";

const upper = "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯё";
const lower = "абвгдеежзийклмнопрстуфхцчшщъыьэюяе";
/** A name in lower case with ё as е, whatever the locale of the database. Queries use the same expression as the index. */
export const folded = (column: AnyPgColumn): SQL => sql`translate(lower(${column}), ${sql.raw(`'${upper}'`)}, ${sql.raw(`'${lower}'`)})`;
/** The phone from its end: staff finds it by its last digits, which a masked phone shows. */
export const phoneBackwards = (column: AnyPgColumn): SQL => sql`reverse(${column})`;

const isPresent = ({ erasedAt }: { erasedAt: AnyPgColumn }): SQL => sql`${erasedAt} is null`;

export const customers = pgTable(
  "customers",
  {
    id: text().primaryKey(),
    phone: text().notNull().unique(),
    name: text().notNull().default(""),
    lastName: text().notNull().default(""),
    secondName: text().notNull().default(""),
    email: text().notNull().default(""),
    /** In the format of stored-profile.ts; null until something is stored. */
    buyProfile: jsonb(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    /** Set when the account was deleted: the row stays for its orders and consents, without personal data. */
    erasedAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    // The list of the back office and each way to search in it; deleted accounts are in none.
    index("customers_by_age").on(t.createdAt, t.id).where(isPresent(t)),
    index("customers_by_phone_end")
      .on(sql`${phoneBackwards(t.phone)} text_pattern_ops`)
      .where(isPresent(t)),
    index("customers_by_last_name")
      .on(sql`${folded(t.lastName)} text_pattern_ops`)
      .where(isPresent(t)),
    index("customers_by_first_name")
      .on(sql`${folded(t.name)} text_pattern_ops`)
      .where(isPresent(t)),
    index("customers_by_mailbox")
      .on(sql`lower(${t.email}) text_pattern_ops`)
      .where(isPresent(t)),
  ],
);

/** Internal notes of staff about a customer; deleted with the account. */
export const customerNotes = pgTable(
  "customer_notes",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    customerId: text()
      .notNull()
      .references(() => customers.id),
    at: timestamp({ withTimezone: true }).notNull(),
    /** Login of its author. */
    author: text().notNull(),
    text: text().notNull(),
  },
  (t) => [index("customer_notes_by_customer").on(t.customerId, t.id)],
);

/** The register of requests about personal data (152-FZ, articles 14, 20 and 21): received, due, done. */
export const privacyRequests = pgTable(
  "privacy_requests",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    kind: text().notNull(),
    state: text().notNull(),
    /** Who requested it and how to answer, as staff entered it. */
    applicant: text().notNull(),
    contact: text().notNull(),
    text: text().notNull().default(""),
    /** The account, if the applicant has one. */
    customerId: text().references(() => customers.id),
    receivedOn: date().notNull(),
    dueOn: date().notNull(),
    /** What was done, in words of staff. */
    outcome: text().notNull().default(""),
    doneAt: timestamp({ withTimezone: true }),
    /** Logins of who entered it and who answered it. */
    enteredBy: text().notNull(),
    doneBy: text(),
    revision: integer().notNull().default(0),
  },
  (t) => [
    check("privacy_requests_kind", sql`${t.kind} in ('access','correction','erasure','withdrawal','other')`),
    check("privacy_requests_state", sql`${t.state} in ('open','done')`),
    index("privacy_requests_by_due").on(t.state, t.dueOn, t.id),
    index("privacy_requests_by_customer").on(t.customerId),
  ],
);

/** Proof of each consent (152-FZ): which text, when, by whom. */
export const consents = pgTable(
  "consents",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    customerId: text().references(() => customers.id),
    orderId: text(),
    /** The form of a consent without customer and order: `review:12`, `inquiry:34`. */
    about: text(),
    purpose: text().notNull(),
    textVersion: text().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
    /** When the consent was withdrawn; null while it is active. The row stays as proof. */
    withdrawnAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    index("consents_by_customer").on(t.customerId),
    index("consents_by_purpose").on(t.purpose, t.at, t.id),
    index("consents_of_guests")
      .on(t.orderId)
      .where(sql`${t.orderId} is not null and ${t.customerId} is null`),
  ],
);
