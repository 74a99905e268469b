import { bigserial, index, integer, pgTable, text, timestamp, uniqueIndex, check } from "drizzle-orm/pg-core";
import { sql } from "drizzle-orm";

/** Mail and SMS to send, written in the transaction of the change they tell of. Unique: each (subject, kind, channel) once. */
export const outbox = pgTable(
  "outbox",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    channel: text().notNull(),
    kind: text().notNull(),
    /** What it is about, as `order:abc`. */
    about: text().notNull(),
    recipient: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    /** The same letter in the look of the shop; null for SMS and for letters written before there was one. */
    html: text(),
    /** Where one POST ends letters of this kind (RFC 8058); null for letters about somebody's own business. */
    unsubscribe: text(),
    /** What goes along with a letter, as `invoice:abc`; made when it is sent. */
    attachment: text(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    nextTryAt: timestamp({ withTimezone: true }),
    tries: integer().notNull().default(0),
    sentAt: timestamp({ withTimezone: true }),
    /** The hashed network address of the request that caused it, for limits; null where no request did. */
    origin: text(),
    /** Not sent because of a limit, and of which one. */
    suppressedAt: timestamp({ withTimezone: true }),
    suppressedBecause: text(),
  },
  (t) => [
    check("outbox_channel", sql`${t.channel} in ('sms','email')`),
    uniqueIndex("outbox_once").on(t.about, t.kind, t.channel),
    index("outbox_due").on(t.nextTryAt),
  ],
);
