import { sql } from "drizzle-orm";
import { bigserial, check, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { customers } from "#shop/customers/tables.ts";

export const signInCodes = pgTable(
  "sign_in_codes",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    phone: text().notNull(),
    codeHmac: text().notNull(),
    challengeHash: text().notNull(),
    address: text().notNull(),
    attempts: integer().notNull().default(0),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    expiresAt: timestamp({ withTimezone: true }).notNull(),
    usedAt: timestamp({ withTimezone: true }),
    /** Set when a newer code replaced this one. */
    replacedAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    check("sign_in_codes_attempts", sql`${t.attempts} between 0 and 5`),
    uniqueIndex("sign_in_codes_one_live")
      .on(t.phone)
      .where(sql`used_at is null and replaced_at is null`),
    index("sign_in_codes_by_phone").on(t.phone, t.createdAt),
  ],
);

/** Brute-force protection per phone: a limit of wrong codes since the last sign-in, and a block for a day after too many in a day. */
export const phoneGuards = pgTable("phone_guards", {
  phone: text().primaryKey(),
  wrongSinceSuccess: integer().notNull().default(0),
  barredUntil: timestamp({ withTimezone: true }),
});

/** Claims to send a phone its next code: taken before the gateway call, valid until the waiting time ends, released when sending fails. */
export const codeClaims = pgTable(
  "code_claims",
  {
    phone: text().primaryKey(),
    token: text().notNull(),
    claimedAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index("code_claims_by_time").on(t.claimedAt)],
);

/**
 * Fixed rate limit windows, shared by all processes; a window opens with its first event, not on the hour.
 * `key` names the limit and its subject (hashed where it is personal).
 */
export const rateCounters = pgTable(
  "rate_counters",
  {
    key: text().primaryKey(),
    windowEnds: timestamp({ withTimezone: true }).notNull(),
    count: integer().notNull(),
  },
  (t) => [check("rate_counters_count", sql`${t.count} >= 0`), index("rate_counters_by_end").on(t.windowEnds)],
);

export const sessions = pgTable(
  "sessions",
  {
    sidHash: text().primaryKey(),
    customerId: text()
      .notNull()
      .references(() => customers.id),
    deviceHash: text(),
    userAgent: text().notNull().default(""),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    lastSeenAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index("sessions_by_customer").on(t.customerId), index("sessions_by_use").on(t.lastSeenAt)],
);

/**
 * Browsers that signed in to this account before; they may sign in while the phone is blocked for other browsers.
 * Valid for a limited time after the last use, for a limited number of wrong tries, and until the customer signs out everywhere.
 */
export const knownDevices = pgTable(
  "known_devices",
  {
    deviceHash: text().notNull(),
    customerId: text()
      .notNull()
      .references(() => customers.id),
    lastSeenAt: timestamp({ withTimezone: true }).notNull(),
    /** Wrong codes from this browser for this account since it last signed in. */
    wrongTries: integer().notNull().default(0),
    /** When the customer signed the device out. The row is kept, because it also shows when the account was last used. */
    forgottenAt: timestamp({ withTimezone: true }),
  },
  (t) => [primaryKey({ columns: [t.deviceHash, t.customerId] })],
);
