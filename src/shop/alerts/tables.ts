import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { coins } from "../catalog/tables.ts";

/** Alerts on prices and stock. An ended alert is deleted. */
export const alerts = pgTable(
  "alerts",
  {
    id: text().primaryKey(),
    email: text().notNull(),
    customerId: text(),
    coinId: integer().references(() => coins.id),
    rateCode: text("course"),
    rule: text().notNull(),
    value: bigint({ mode: "number" }),
    state: text().notNull(),
    timesTold: integer().notNull().default(0),
    createdAt: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [
    check("alerts_subject", sql`(${t.coinId} is null) <> (${t.rateCode} is null)`),
    check(
      "alerts_rule",
      sql`(${t.rule} in ('below','above') and ${t.value} > 0) or (${t.rule} = 'in_stock' and ${t.value} is null and ${t.coinId} is not null)
    or (${t.rule} = 'market_open' and ${t.value} is null and ${t.rateCode} is not null)`,
    ),
    check("alerts_state", sql`${t.state} in ('unconfirmed','armed','told')`),
    index("alerts_of_mailbox").on(t.email),
    index("alerts_of_customer").on(t.customerId),
    index("alerts_by_state").on(t.state, t.createdAt),
  ],
);
