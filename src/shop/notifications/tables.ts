import { bigserial, index, integer, pgTable, text, timestamp, uniqueIndex, check } from "drizzle-orm/pg-core";
import { sql } from "drizzle-orm";

/** Outbox of letters and SMS, written in the transaction of the change that they report. Each (about, kind, channel) is unique. */
export const outbox = pgTable(
  "outbox",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    channel: text().notNull(),
    kind: text().notNull(),
    /** The subject of the message, as `order:abc`. */
    about: text().notNull(),
    recipient: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    /** HTML of the letter; null for SMS and for letters of old releases. */
    html: text(),
    /** URL of the one-click unsubscribe POST (RFC 8058); null for letters that the recipient's own order or account causes. */
    unsubscribe: text(),
    /** The attachment, as `invoice:abc`; the file is made when the letter is sent. */
    attachment: text(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    nextTryAt: timestamp({ withTimezone: true }),
    tries: integer().notNull().default(0),
    sentAt: timestamp({ withTimezone: true }),
    /** Hashed network address of the request that caused the message, for limits; null without a request. */
    origin: text(),
    /** Set when a limit suppressed the message, with the name of the limit. */
    suppressedAt: timestamp({ withTimezone: true }),
    suppressedBecause: text(),
    /** The order that the message is about; null: another subject, or written by an earlier release. */
    orderId: text(),
  },
  (t) => [
    check("outbox_channel", sql`${t.channel} in ('sms','email')`),
    uniqueIndex("outbox_once").on(t.about, t.kind, t.channel),
    index("outbox_due").on(t.nextTryAt),
    // Messages that were given up, for what waits for staff.
    index("outbox_failed")
      .on(t.createdAt)
      .where(sql`sent_at is null and next_try_at is null and suppressed_at is null`),
    index("outbox_by_order")
      .on(t.orderId)
      .where(sql`${t.orderId} is not null`),
  ],
);
