import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrationsFolder } from "./database.ts";

/**
 * Tables that grow with visitors, orders or time. A migration must not write or read all of their rows while it holds an exclusive lock.
 */
const largeTables = [
  "orders",
  "order_lines",
  "order_history",
  "payments",
  "refunds",
  "receipts",
  "bank_transfers",
  "bank_statement_entries",
  "payment_events",
  "shipments",
  "carrier_events",
  "outbox",
  "customers",
  "sessions",
  "known_devices",
  "consents",
  "carts",
  "cart_lines",
  "list_entries",
  "quotes",
  "idempotency_keys",
  "stock_entries",
  "rates",
  "rate_candles",
  "rate_counters",
  "pickup_points",
  "alerts",
  "inquiries",
  "reviews",
];

/** What is wrong with a migration's statements, as messages for its author. */
function faultsOf(sql: string): string[] {
  const statements = sql
    .split(/;|--> statement-breakpoint/)
    .map((each) => each.replaceAll(/\s+/g, " ").trim())
    .filter(Boolean);
  const made = new Set(statements.flatMap((each) => /^CREATE TABLE "?(\w+)/i.exec(each)?.[1] ?? []));
  return statements.flatMap((statement) => {
    const [, table = ""] =
      /^(?:ALTER TABLE(?: ONLY| IF EXISTS)?|UPDATE(?: ONLY)?|DELETE FROM) (?:"?public"?\.)?"?(\w+)/i.exec(statement) ?? [];
    if (!largeTables.includes(table) || made.has(table)) return [];
    const fault = faultOf(statement);
    return fault ? [`${table}: ${fault}`] : [];
  });
}

function faultOf(statement: string): string | null {
  if (/^(UPDATE|DELETE)/i.test(statement)) return "writes rows within the migration: make it a backfill (backfills.ts)";
  if (/ALTER COLUMN \S+ (SET DATA )?TYPE/i.test(statement))
    return "changes a column's type, which writes the table anew: add a column and fill it in";
  if (/ADD COLUMN.*\b(now\(|random\(|gen_random_uuid\(|clock_timestamp\(|nextval\(|(big|small)?serial\b|GENERATED )/i.test(statement))
    return "adds a column whose values are computed row by row";
  if (/ADD COLUMN(?!.*DEFAULT).*NOT NULL/i.test(statement)) return "adds a column that must not be null and has no default";
  if (/SET NOT NULL/i.test(statement)) return "reads the whole table: add a check NOT VALID and validate it";
  if (/ADD CONSTRAINT.*(CHECK|FOREIGN KEY)/i.test(statement) && !/NOT VALID$/i.test(statement))
    return "adds a constraint that is not NOT VALID: validate it in a statement of its own";
  return null;
}

test("no migration rewrites a large table, or updates all of its rows, under its lock", () => {
  const files = readdirSync(migrationsFolder).filter((name) => name.endsWith(".sql") && !name.startsWith("0000"));
  expect(files.length).toBeGreaterThan(8);
  for (const name of files) expect([name, faultsOf(readFileSync(join(migrationsFolder, name), "utf8"))]).toEqual([name, []]);
});

test("statements that would do so are named, harmless ones are not", () => {
  const harmful = [
    `ALTER TABLE "orders" ALTER COLUMN "total_kopecks" SET DATA TYPE numeric;`,
    `ALTER TABLE "orders" ADD COLUMN "code" uuid DEFAULT gen_random_uuid() NOT NULL;`,
    `ALTER TABLE "orders" ADD COLUMN "seen_at" timestamp with time zone DEFAULT now();`,
    `ALTER TABLE "payments" ADD COLUMN "n" bigserial;`,
    `ALTER TABLE "orders" ADD COLUMN "x" text NOT NULL;`,
    `ALTER TABLE "orders" ALTER COLUMN "x" SET NOT NULL;`,
    `ALTER TABLE "orders" ADD COLUMN "x" text;--> statement-breakpoint\nUPDATE "orders" SET "x" = 'y';`,
    `DELETE FROM outbox WHERE true`,
    `ALTER TABLE "payments" ADD CONSTRAINT "p" CHECK ("payments"."x" > 0);`,
    `ALTER TABLE "orders" ADD COLUMN "y" integer GENERATED ALWAYS AS (1) STORED;`,
  ];
  for (const sql of harmful) expect([sql, faultsOf(sql).length]).toEqual([sql, 1]);
  const harmless = [
    `ALTER TABLE "orders" ADD COLUMN "x" text;`,
    `ALTER TABLE "orders" ADD COLUMN "x" integer DEFAULT 0 NOT NULL;`,
    `ALTER TABLE "orders" ADD CONSTRAINT "p" CHECK ("x" > 0) NOT VALID;ALTER TABLE "orders" VALIDATE CONSTRAINT "p";`,
    `UPDATE "market_status" SET "is_open" = false;`,
    `CREATE TABLE "alerts" ("id" text);ALTER TABLE "alerts" ADD CONSTRAINT "a" CHECK (true);`,
  ];
  for (const sql of harmless) expect([sql, faultsOf(sql)]).toEqual([sql, []]);
});
