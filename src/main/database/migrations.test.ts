import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrationsFolder } from "./database.ts";
import { concurrentMark } from "./run-migrations.ts";

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
  "inquiry_notes",
  "reviews",
  "audit_entries",
  "price_lists",
  "price_change_items",
  "price_promo_items",
  "exchange_import_rows",
  "packing_orders",
  "packed_pieces",
  "order_comments",
  "order_seals",
  "unpaid_order_keys",
  "checkout_drafts",
  "promo_code_uses",
  "stock_document_lines",
  "stocktake_lines",
  "label_files",
  "delivery_prices",
  "sign_in_codes",
  "code_claims",
  "phone_guards",
  "customer_notes",
  "privacy_requests",
  "alarms",
  "approvals",
  "staff_call_keys",
  "search_misses",
  "coin_sale_periods",
  "accounting_calls",
  "accounting_documents",
  "accounting_goods",
  "accounting_orders",
];

/** Tables that grow with the catalogue, the staff or the days at most, or whose rows stay for minutes. */
const smallTables = [
  "order_presence",
  "payment_comparisons",
  "payment_differences",
  "bank_statements",
  "packing_batches",
  "stock_items",
  "stock_documents",
  "stocktakes",
  "metal_hedges",
  "price_changes",
  "price_steps",
  "price_promos",
  "promo_codes",
  "market_status",
  "rate_buckets",
  "open_streams",
  "processes",
  "backup_proofs",
  "staff",
  "staff_passkeys",
  "staff_recovery_codes",
  "staff_views",
  "staff_sessions",
  "staff_challenges",
  "staff_failures",
  "staff_invitations",
  "settings",
  "settings_history",
  "search_synonyms",
  "checkout_days",
  "categories",
  "coins",
  "coin_categories",
  "coin_pictures",
  "coin_series",
  "coin_previews",
  "media_pictures",
  "media_films",
  "content_entries",
  "content_versions",
  "site_pages",
  "site_parts",
  "redirects",
  "cities",
  "point_mirrors",
  "point_readings",
  "exchange_imports",
  "accounting_sessions",
  "accounting_files",
];

const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/^\s*--(?!>).*$/gm, "")
    .split(/;|--> statement-breakpoint/)
    .map((each) => each.replaceAll(/\s+/g, " ").trim())
    .filter(Boolean);

/** What is wrong with a migration's statements, as messages for its author. */
function faultsOf(sql: string): string[] {
  const statements = statementsOf(sql);
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
    return "changes a column's type, which rewrites the table: add a column and fill it in";
  if (/ADD COLUMN.*\b(now\(|random\(|gen_random_uuid\(|clock_timestamp\(|nextval\(|(big|small)?serial\b|GENERATED )/i.test(statement))
    return "adds a column whose values are computed row by row";
  if (/ADD COLUMN(?!.*DEFAULT).*NOT NULL/i.test(statement)) return "adds a column that must not be null and has no default";
  if (/SET NOT NULL/i.test(statement)) return "reads the whole table: add a check NOT VALID and validate it";
  if (/ADD CONSTRAINT.*(CHECK|FOREIGN KEY)/i.test(statement) && !/NOT VALID$/i.test(statement))
    return "adds a constraint that is not NOT VALID: validate it in a statement of its own";
  return null;
}

/**
 * What breaks the release before, which runs on the new schema until its processes are restarted, and after a rollback. Migrations up to
 * this one were released by restarting everything.
 */
const releasedAtOnce = "0037";

/** A statement that the release before does not survive, with what to do instead. Tables made by the same migration are exempt. */
function incompatibilitiesOf(sql: string): string[] {
  const statements = statementsOf(sql);
  const made = new Set(statements.flatMap((each) => /^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/i.exec(each)?.[1] ?? []));
  return statements.flatMap((statement) => {
    const [, table = ""] = /^(?:ALTER|DROP|TRUNCATE) TABLE (?:ONLY |IF EXISTS )*(?:"?public"?\.)?"?(\w+)/i.exec(statement) ?? [];
    if (made.has(table)) return [];
    const fault = incompatibilityOf(statement);
    return fault ? [`${table || statement.slice(0, 40)}: ${fault}`] : [];
  });
}

function incompatibilityOf(statement: string): string | null {
  if (/^(DROP TABLE|TRUNCATE)/i.test(statement)) return "the release before reads this table: drop it one release later";
  if (/\bDROP COLUMN\b/i.test(statement)) return "the release before reads this column: drop it one release later";
  if (/\bRENAME\b/i.test(statement)) return "the release before knows the old name: add the new one beside it";
  if (/ALTER COLUMN \S+ (SET DATA )?TYPE/i.test(statement)) return "the release before reads and writes the old type: add a column";
  if (/ALTER COLUMN \S+ SET NOT NULL/i.test(statement)) return "the release before may write null: make it required one release later";
  if (/ALTER COLUMN \S+ DROP DEFAULT/i.test(statement)) return "the release before relies on the default: drop it one release later";
  if (/ADD COLUMN(?!.*\bDEFAULT\b).*\bNOT NULL\b/i.test(statement))
    return "the release before inserts rows without this column: give it a default";
  if (/^DROP (TYPE|SCHEMA|FUNCTION|VIEW|SEQUENCE)/i.test(statement)) return "the release before may use it: drop it one release later";
  return null;
}

/** Migrations up to this one made the indexes of large tables in their transaction. */
const indexedAtOnce = "0041";

/** What may stand in a migration that begins with `-- concurrent`; each may be repeated (run-migrations.ts). */
const besideTheShop = /^(CREATE (UNIQUE )?INDEX CONCURRENTLY|DROP INDEX CONCURRENTLY|ALTER TABLE \S+ VALIDATE CONSTRAINT) /i;

/** Statements at the wrong place, inside or outside of a transaction, with what to do instead. */
function misplacedIn(sql: string): string[] {
  const isConcurrent = sql.trimStart().startsWith(concurrentMark);
  const statements = statementsOf(sql);
  const made = new Set(statements.flatMap((each) => /^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/i.exec(each)?.[1] ?? []));
  if (isConcurrent)
    return [
      ...statements.filter((each) => !besideTheShop.test(each)).map((each) => `${each.slice(0, 60)}: belongs into a migration of its own`),
      ...(sql.split("--> statement-breakpoint").some((each) => statementsOf(each).length > 1)
        ? ["write --> statement-breakpoint between statements"]
        : []),
    ];
  return statements.flatMap((each) => {
    const [, table = ""] = /^CREATE (?:UNIQUE )?INDEX .*?\bON (?:ONLY )?(?:"?public"?\.)?"?(\w+)/i.exec(each) ?? [];
    if (/\bCONCURRENTLY\b/i.test(each)) return [`${each.slice(0, 60)}: begin the file with ${concurrentMark}`];
    if (!largeTables.includes(table) || made.has(table)) return [];
    return [
      `${table}: no row can be written while the index is built: add .concurrently() to it in tables.ts, ` +
        `generate a migration for it alone, and begin that file with ${concurrentMark}`,
    ];
  });
}

test("every table is either one that grows with the shop or a small one: a new one is put into its list", () => {
  const page = readFileSync(new URL("../../../docs/retention.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  const tables = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
  expect(tables.length).toBeGreaterThan(100);
  expect([...largeTables, ...smallTables].toSorted()).toEqual(tables.toSorted());
});

test("what grows with orders, staff and prices is written and read under no lock either", () => {
  for (const table of ["audit_entries", "price_lists", "packed_pieces", "price_change_items", "exchange_import_rows"]) {
    expect(faultsOf(`UPDATE "${table}" SET "x" = 'y';`)).toHaveLength(1);
    expect(misplacedIn(`CREATE INDEX "by_x" ON "${table}" USING btree ("x");`)).toHaveLength(1);
  }
});

test("indexes of large tables are built beside the shop, and nothing else is", () => {
  const files = readdirSync(migrationsFolder).filter((name) => name.endsWith(".sql") && name.slice(0, 4) > indexedAtOnce);
  for (const name of files) expect([name, misplacedIn(readFileSync(join(migrationsFolder, name), "utf8"))]).toEqual([name, []]);
});

test("statements inside and outside of a transaction are told apart", () => {
  const misplaced = [
    `CREATE INDEX "orders_by_code" ON "orders" USING btree ("code");`,
    `CREATE UNIQUE INDEX "payments_by_code" ON "public"."payments" USING btree ("code") WHERE "code" is not null;`,
    `CREATE INDEX CONCURRENTLY "coins_by_code" ON "coins" USING btree ("code");`,
    `-- concurrent\nALTER TABLE "orders" ADD COLUMN "code" text;`,
    `-- concurrent\nCREATE INDEX "orders_by_code" ON "orders" USING btree ("code");`,
    `-- concurrent\nDROP INDEX CONCURRENTLY "orders_by_code";\nDROP INDEX CONCURRENTLY "orders_by_day";`,
  ];
  for (const sql of misplaced) expect([sql, misplacedIn(sql).length]).toEqual([sql, 1]);
  const right = [
    `CREATE INDEX "coins_by_code" ON "coins" USING btree ("code");`,
    `CREATE TABLE "alerts" ("id" text);--> statement-breakpoint\nCREATE INDEX "alerts_by_id" ON "alerts" USING btree ("id");`,
    `-- concurrent\nCREATE UNIQUE INDEX CONCURRENTLY "orders_by_code" ON "orders" USING btree ("code");--> statement-breakpoint\n` +
      `ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_code";`,
  ];
  for (const sql of right) expect([sql, misplacedIn(sql)]).toEqual([sql, []]);
});

test("the release before survives every new migration", () => {
  const files = readdirSync(migrationsFolder).filter((name) => name.endsWith(".sql") && name.slice(0, 4) > releasedAtOnce);
  for (const name of files) expect([name, incompatibilitiesOf(readFileSync(join(migrationsFolder, name), "utf8"))]).toEqual([name, []]);
});

test("statements that the release before does not survive are named, others are not", () => {
  const harmful = [
    `DROP TABLE "reviews" CASCADE;`,
    `ALTER TABLE "coins" DROP COLUMN "weight";`,
    `ALTER TABLE "coins" RENAME COLUMN "weight" TO "mass";`,
    `ALTER TABLE "coins" RENAME TO "pieces";`,
    `ALTER TABLE IF EXISTS "coins" ALTER COLUMN "mass" SET DATA TYPE numeric;`,
    `ALTER TABLE "coins" ALTER COLUMN "mass" SET NOT NULL;`,
    `ALTER TABLE "coins" ALTER COLUMN "mass" DROP DEFAULT;`,
    `ALTER TABLE "coins" ADD COLUMN "mint" text NOT NULL;`,
    `DROP TYPE "state";`,
    `TRUNCATE TABLE "coins";`,
  ];
  for (const sql of harmful) expect([sql, incompatibilitiesOf(sql).length]).toEqual([sql, 1]);
  const harmless = [
    `ALTER TABLE "coins" ADD COLUMN "mint" text;`,
    `ALTER TABLE "coins" ADD COLUMN "count" integer DEFAULT 0 NOT NULL;`,
    `ALTER TABLE "coins" ALTER COLUMN "mass" DROP NOT NULL;`,
    `ALTER TABLE "coins" DROP CONSTRAINT "narrow";ALTER TABLE "coins" ADD CONSTRAINT "wide" CHECK (true) NOT VALID;`,
    `CREATE TABLE "made" ("id" text);ALTER TABLE "made" ALTER COLUMN "id" SET NOT NULL;`,
    `DROP INDEX "coins_mass";`,
  ];
  for (const sql of harmless) expect([sql, incompatibilitiesOf(sql)]).toEqual([sql, []]);
});

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
