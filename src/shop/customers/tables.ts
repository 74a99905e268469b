import { bigserial, index, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";

export const customers = pgTable("customers", {
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
});

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
  (t) => [index("consents_by_customer").on(t.customerId)],
);
