import { sql } from "drizzle-orm";
import { bigint, bigserial, check, date, index, pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** Metal that was sold or bought ahead, so that a move of the rate costs nothing. Never deleted: a mistake is reversed. */
export const metalHedges = pgTable(
  "metal_hedges",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    metal: text().notNull(),
    /** `sell`: metal sold ahead, which closes an open position; `buy`: the opposite. */
    side: text().notNull(),
    massMg: bigint({ mode: "number" }).notNull(),
    /** For a gram of pure metal. */
    priceKopecks: bigint({ mode: "number" }).notNull(),
    counterparty: text().notNull(),
    agreedOn: date({ mode: "string" }).notNull(),
    note: text().notNull().default(""),
    createdAt: timestamp({ withTimezone: true }).notNull(),
    createdBy: text().notNull(),
    reversedAt: timestamp({ withTimezone: true }),
    reversedBy: text(),
    reversalReason: text(),
  },
  (t) => [
    check("metal_hedges_metal", sql`${t.metal} in ('gold','silver')`),
    check("metal_hedges_side", sql`${t.side} in ('sell','buy')`),
    check("metal_hedges_amount", sql`${t.massMg} > 0 and ${t.priceKopecks} > 0`),
    check("metal_hedges_reversed", sql`(${t.reversedAt} is null) = (${t.reversedBy} is null)`),
    index("metal_hedges_standing")
      .on(t.metal)
      .where(sql`${t.reversedAt} is null`),
  ],
);
