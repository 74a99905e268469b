import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { orders } from "#shop/orders/tables.ts";

/** Batches of orders that are packed together; the number is shown to staff. */
export const packingBatches = pgTable("packing_batches", {
  id: bigserial({ mode: "number" }).primaryKey(),
  createdAt: timestamp({ withTimezone: true }).notNull(),
  /** Who made it (`shop/actor.ts`). */
  actor: text().notNull(),
  /** When its last order was packed or taken out; null: open. */
  closedAt: timestamp({ withTimezone: true }),
});

/** The orders of a batch with their places, from 1. An order is in one open place at a time. */
export const packingOrders = pgTable(
  "packing_orders",
  {
    batchId: bigint({ mode: "number" })
      .notNull()
      .references(() => packingBatches.id),
    orderId: text()
      .notNull()
      .references(() => orders.id),
    place: integer().notNull(),
    /** Null: being packed. */
    outcome: text(),
    /** Why it was taken out of the batch. */
    reason: text(),
    endedAt: timestamp({ withTimezone: true }),
    /** Who checked its pieces last: login and name. */
    packer: text(),
    packerName: text(),
    packerSeenAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    primaryKey({ columns: [t.batchId, t.orderId] }),
    check("packing_orders_outcome", sql`${t.outcome} in ('packed','postponed')`),
    check("packing_orders_ended", sql`(${t.outcome} is null) = (${t.endedAt} is null)`),
    uniqueIndex("packing_orders_open")
      .on(t.orderId)
      .where(sql`${t.outcome} is null`),
    index("packing_orders_by_order").on(t.orderId, t.batchId),
  ],
);

/** How many pieces of a coin the packer has checked for an order of a batch. */
export const packedPieces = pgTable(
  "packed_pieces",
  {
    batchId: bigint({ mode: "number" }).notNull(),
    orderId: text().notNull(),
    coinId: integer().notNull(),
    checked: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.batchId, t.orderId, t.coinId] }),
    foreignKey({
      name: "packed_pieces_of_order",
      columns: [t.batchId, t.orderId],
      foreignColumns: [packingOrders.batchId, packingOrders.orderId],
    }),
    check("packed_pieces_checked", sql`${t.checked} >= 0`),
  ],
);
