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
  "buyback_deals",
  "buyback_lines",
  "buyback_events",
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
  "refund_transfers",
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

const madeBy = (statements: readonly string[]): Set<string> =>
  new Set(statements.flatMap((each) => /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?"?(\w+)/i.exec(each)?.[1] ?? []));

/** The table of an ALTER, DROP or TRUNCATE TABLE, UPDATE or DELETE; empty: another statement. */
const tableOf = (statement: string): string =>
  /^(?:(?:ALTER|DROP|TRUNCATE) TABLE|UPDATE|DELETE FROM) (?:ONLY |IF EXISTS )*(?:"?public"?\.)?"?(\w+)/i.exec(statement)?.[1] ?? "";

/** The table of a CREATE INDEX; empty: another statement. */
const indexedTable = (statement: string): string =>
  /^CREATE (?:UNIQUE )?INDEX .*?\bON (?:ONLY )?(?:"?public"?\.)?"?(\w+)/i.exec(statement)?.[1] ?? "";

/** The actions of an ALTER TABLE without the word COLUMN, which may be left out: `ADD "mint" text`, `DROP "weight"`. */
function actionsOf(statement: string): string[] {
  if (!/^ALTER TABLE /i.test(statement)) return [];
  const actions: string[] = [];
  let action = "";
  let depth = 0;
  let isText = false;
  for (const character of statement.replace(/^ALTER TABLE (?:ONLY |IF EXISTS )*(?:"?public"?\.)?"?\w+"? ?/i, "")) {
    if (character === "'") isText = !isText;
    if (!isText && character === "(") depth += 1;
    if (!isText && character === ")") depth -= 1;
    if (isText || depth > 0 || character !== ",") action += character;
    else {
      actions.push(action);
      action = "";
    }
  }
  return [...actions, action].map((each) =>
    each
      .trim()
      .replace(/^(ADD|ALTER|DROP|RENAME) COLUMN /i, "$1 ")
      .replace(/^(ADD|DROP) IF (?:NOT )?EXISTS /i, "$1 "),
  );
}

const addsConstraint = (action: string): boolean => /^ADD (CONSTRAINT|CHECK|FOREIGN|UNIQUE|PRIMARY|EXCLUDE)\b/i.test(action);

/** What is wrong with a migration's statements, as messages for its author. */
function faultsOf(sql: string): string[] {
  const statements = statementsOf(sql);
  const made = madeBy(statements);
  return statements.flatMap((statement) => {
    const table = tableOf(statement);
    if (!largeTables.includes(table) || made.has(table)) return [];
    if (/^(UPDATE|DELETE)/i.test(statement)) return [`${table}: writes rows within the migration: make it a backfill (backfills.ts)`];
    return actionsOf(statement).flatMap((action) => {
      const fault = faultOf(action);
      return fault ? [`${table}: ${fault}`] : [];
    });
  });
}

function faultOf(action: string): string | null {
  if (/^ALTER \S+ (SET DATA )?TYPE\b/i.test(action))
    return "changes a column's type, which rewrites the table: add a column and fill it in";
  if (/^ALTER \S+ SET NOT NULL/i.test(action))
    return "reads the whole table: once the release before never writes null, add a check NOT VALID, validate it, and set it then";
  if (addsConstraint(action))
    return /\b(CHECK|FOREIGN KEY)\b/i.test(action) && !/NOT VALID$/i.test(action)
      ? "adds a constraint that is not NOT VALID: validate it in a statement of its own"
      : null;
  if (/^ADD .*\b(now\(|random\(|gen_random_uuid\(|clock_timestamp\(|nextval\(|(big|small)?serial\b|GENERATED )/i.test(action))
    return "adds a column whose values are computed row by row";
  if (/^ADD (?!.*DEFAULT).*NOT NULL/i.test(action)) return "adds a column that must not be null and has no default";
  return null;
}

/**
 * What breaks the release before, which runs on the new schema until its processes are restarted, and after a rollback. Migrations up to
 * this one were released by restarting everything.
 */
const releasedAtOnce = "0037";

/** What the lint refuses although the release before survives it: number of the migration and name, with the reason. */
const accepted: Readonly<Record<string, string>> = {
  "0044 site_parts_kind": "permits all that the check before it did, and two kinds more",
  "0049 buyback_deals_receipt_number": "refuses one fiscal receipt for two deals, which is a mistake in the release before, too",
};

/** First line of a migration that drops what earlier releases used. It names the first release without it, older than this tree. */
const unusedMark = /^-- unused since release v?(\d+\.\d+\.\d+)$/;
const { version: treeVersion } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as { version: string };

function isOlder(version: string, other: string): boolean {
  const [numbers, others] = [version.split(".").map(Number), other.split(".").map(Number)];
  const place = numbers.findIndex((each, n) => each !== others[n]);
  return place !== -1 && (numbers[place] ?? 0) < (others[place] ?? 0);
}

const readMigration = (name: string): string => readFileSync(join(migrationsFolder, name), "utf8");
const migrations = readdirSync(migrationsFolder)
  .filter((name) => name.endsWith(".sql"))
  .toSorted();

/** Names of plain indexes, checks and foreign keys: no statement of the shop needs them. */
function namesWithoutUse(): ReadonlySet<string> {
  const all = migrations.map(readMigration).join("\n");
  const named = (pattern: RegExp): string[] => [...all.matchAll(pattern)].map(([, name = ""]) => name);
  const names = new Set([
    ...named(/CREATE INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?"?(\w+)/gi),
    ...named(/CONSTRAINT "?(\w+)"? (?:CHECK|FOREIGN KEY)\b/gi),
  ]);
  for (const name of named(/CREATE UNIQUE INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?"?(\w+)/gi)) names.delete(name);
  for (const name of named(/CONSTRAINT "?(\w+)"? (?:UNIQUE|PRIMARY KEY|EXCLUDE)\b/gi)) names.delete(name);
  return names;
}

const unneededNames = namesWithoutUse();

/** `name`: of the column, constraint, index or table. `isDrop`: permitted when no release uses it any more. */
type Incompatibility = { name: string; text: string; isDrop?: true };

/**
 * Statements that the release before does not survive, as `<name>: <what to do instead>`. Tables made by the same migration are exempt.
 * `unneeded`: indexes and constraints that no statement needs.
 */
function incompatibilitiesOf(sql: string, { unneeded = unneededNames, version = treeVersion } = {}): string[] {
  const statements = statementsOf(sql);
  const made = madeBy(statements);
  const [firstLine = ""] = sql.split("\n", 1);
  const [, unusedSince] = unusedMark.exec(firstLine) ?? [];
  const mayDrop = unusedSince !== undefined && isOlder(unusedSince, version);
  const found = statements.flatMap((statement) => {
    if (made.has(tableOf(statement) || indexedTable(statement))) return [];
    const added = columnsAddedTo(tableOf(statement) || indexedTable(statement), statements);
    return [
      incompatibilityOf(statement, { made, added, unneeded }),
      ...actionsOf(statement).map((action) => incompatibilityOfAction(action, { added, unneeded })),
    ].filter((each) => each !== null);
  });
  return [
    ...(/^\s*-- unused\b/i.test(sql) && !mayDrop ? [`${firstLine}: name a release before ${version}, as in "${unusedLine}"`] : []),
    ...found.filter(({ isDrop }) => !(isDrop && mayDrop)).map(({ name, text }) => `${name}: ${text}`),
  ];
}

const unusedLine = "-- unused since release <version>";
const drop = (name: string, use: string): Incompatibility => ({
  name,
  text: `${use}: drop it one release later, below a first line "${unusedLine}"`,
  isDrop: true,
});
const refusing = (name: string): Incompatibility => ({
  name,
  text: "may refuse what the release before writes: add it one release later and list it in `accepted`",
});

function incompatibilityOf(
  statement: string,
  { made, added, unneeded }: { made: ReadonlySet<string>; added: Columns; unneeded: ReadonlySet<string> },
): Incompatibility | null {
  const start = statement.slice(0, 40);
  if (/^(DROP TABLE|TRUNCATE)\b/i.test(statement)) return drop(tableOf(statement) || start, "the release before reads this table");
  if (/^DROP (TYPE|DOMAIN|SCHEMA|FUNCTION|PROCEDURE|VIEW|MATERIALIZED VIEW|SEQUENCE|EXTENSION)\b/i.test(statement))
    return drop(start, "the release before may use it");
  if (/^ALTER (?!TABLE\b).*\bRENAME\b/i.test(statement))
    return { name: start, text: "the release before knows the old name: add the new one beside it" };
  if (/^DROP INDEX\b/i.test(statement)) {
    const names = statement.replaceAll(/^DROP INDEX|\b(CONCURRENTLY|IF EXISTS|CASCADE|RESTRICT)\b|"?public"?\./gi, "").match(/\w+/g) ?? [];
    const needed = names.find((name) => !unneeded.has(name));
    return needed === undefined ? null : drop(needed, "`on conflict` of the release before needs what is unique");
  }
  const [, trigger, ofTrigger = ""] =
    /^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER "?(\w+)"? .*?\bON (?:"?public"?\.)?"?(\w+)/i.exec(statement) ?? [];
  if (trigger !== undefined && !made.has(ofTrigger)) return refusing(trigger);
  const [, index, keys = ""] = uniqueIndex.exec(statement) ?? [];
  return index !== undefined && !hasNewKey(keys, statement, added) ? refusing(index) : null;
}

function incompatibilityOfAction(
  action: string,
  { added, unneeded }: { added: Columns; unneeded: ReadonlySet<string> },
): Incompatibility | null {
  const [, ofConstraint, dropped] = /^DROP (CONSTRAINT )?(?:IF EXISTS )?"?(\w+)/i.exec(action) ?? [];
  if (dropped !== undefined && ofConstraint === undefined) return drop(dropped, "the release before reads this column");
  if (dropped !== undefined)
    return unneeded.has(dropped) ? null : drop(dropped, "`on conflict` of the release before needs what is unique");

  const [, name = ""] = /^\w+ (?:CONSTRAINT )?"?(\w+)/i.exec(action) ?? [];
  if (/^(RENAME|SET SCHEMA)\b/i.test(action)) return { name, text: "the release before knows the old name: add the new one beside it" };
  if (/^ALTER \S+ (SET DATA )?TYPE\b/i.test(action))
    return { name, text: "the release before reads and writes the old type: add a column" };
  if (/^ALTER \S+ SET NOT NULL/i.test(action)) return refusing(name);
  if (/^ALTER \S+ DROP (DEFAULT|IDENTITY|EXPRESSION)/i.test(action)) return drop(name, "the release before relies on the default");
  if (addsConstraint(action)) return isOfNewColumns(action, added) ? null : refusing(name);
  if (/^ADD (?!.*\bDEFAULT\b).*\bNOT NULL\b/i.test(action))
    return { name, text: "the release before inserts rows without this column: give it a default" };
  if (/^ADD (?=.*\bDEFAULT\b).*\b(UNIQUE|PRIMARY KEY)\b/i.test(action))
    return { name, text: "every row of the release before has the same default" };
  return null;
}

/** Columns that a migration adds to one table, and whether the release before leaves them null. */
type Columns = ReadonlyMap<string, { isNull: boolean }>;

const columnsAddedTo = (table: string, statements: readonly string[]): Columns =>
  new Map(
    statements
      .filter((each) => tableOf(each) === table)
      .flatMap(actionsOf)
      .filter((action) => /^ADD /i.test(action) && !addsConstraint(action))
      .map((action) => [/^ADD "?(\w+)/i.exec(action)?.[1] ?? "", { isNull: !/\b(DEFAULT|GENERATED|\w*serial)\b/i.test(action) }]),
  );

const uniqueIndex =
  /^CREATE UNIQUE INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?"?(\w+)"? ON (?:ONLY )?(?:"?public"?\.)?"?\w+"? (?:USING \w+ )?\((.*?)\)/i;

/** Whether the release before leaves one of these columns null, so that its rows equal no other row and refer to none. */
const hasNewKey = (keys: string, statement: string, added: Columns): boolean =>
  !/\bNULLS NOT DISTINCT\b/i.test(statement) &&
  keys.split(",").some((each) => added.get(/^\s*"?(\w+)"?(?: (?:ASC|DESC|NULLS)\b.*)?\s*$/i.exec(each)?.[1] ?? "")?.isNull);

/** Words within a check that are not columns. */
const words = /^(and|or|not|is|null|in|between|like|ilike|any|all|array|true|false|case|when|then|else|end|text|integer|bigint)$/i;

/** Whether a constraint concerns only columns that the migration adds, which the release before never writes. */
function isOfNewColumns(action: string, added: Columns): boolean {
  const [, keys] = /\b(?:UNIQUE|FOREIGN KEY) ?\((.*?)\)/i.exec(action) ?? [];
  if (keys !== undefined) return hasNewKey(keys, action, added);
  const [, condition = ""] = /\bCHECK ?(\(.*\))/i.exec(action) ?? [];
  const columns = condition
    .replaceAll(/'[^']*'/g, "")
    .replaceAll(/"\w+"\.(?=")/g, "") // the table before its column
    .replaceAll(/\b[a-z]\w* ?(?=\()/gi, "") // functions
    .match(/"\w+"|\b[a-z_]\w*/gi)
    ?.filter((each) => !words.test(each));
  return columns !== undefined && columns.length > 0 && columns.every((each) => added.has(each.replaceAll('"', "")));
}

/** Migrations up to this one made the indexes of large tables in their transaction. */
const indexedAtOnce = "0041";

/** The statements that are allowed in a migration that begins with `-- concurrent`; each may be repeated (run-migrations.ts). */
const besideTheShop = /^(CREATE (UNIQUE )?INDEX CONCURRENTLY|DROP INDEX CONCURRENTLY|ALTER TABLE \S+ VALIDATE CONSTRAINT) /i;

/** Statements at the wrong place, inside or outside of a transaction, with what to do instead. */
function misplacedIn(sql: string): string[] {
  const isConcurrent = sql.trimStart().startsWith(concurrentMark);
  const statements = statementsOf(sql);
  const made = madeBy(statements);
  if (isConcurrent)
    return [
      ...statements.filter((each) => !besideTheShop.test(each)).map((each) => `${each.slice(0, 60)}: belongs into a migration of its own`),
      ...(sql.split("--> statement-breakpoint").some((each) => statementsOf(each).length > 1)
        ? ["write --> statement-breakpoint between statements"]
        : []),
    ];
  return statements.flatMap((each) => {
    const table = indexedTable(each);
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

test("statements inside and outside of a transaction are distinguished", () => {
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
  const refused = migrations
    .filter((name) => name.slice(0, 4) > releasedAtOnce)
    .flatMap((name) =>
      incompatibilitiesOf(readMigration(name)).map((text) => ({ key: `${name.slice(0, 4)} ${text.split(":", 1)[0]}`, name, text })),
    );
  expect(refused.filter(({ key }) => !(key in accepted))).toEqual([]);
  // One that nothing needs would let a later statement pass.
  expect(Object.keys(accepted).filter((key) => !refused.some((each) => each.key === key))).toEqual([]);
});

test("statements that the release before does not survive are named, others are not", () => {
  const unneeded = new Set(["coins_mass", "narrow"]);
  const harmful = [
    `DROP TABLE "reviews" CASCADE;`,
    `ALTER TABLE "coins" DROP COLUMN "weight";`,
    `ALTER TABLE "coins" DROP "weight";`,
    `ALTER TABLE "coins" DROP IF EXISTS weight;`,
    `ALTER TABLE "coins" ADD COLUMN "mint" text, DROP "weight";`,
    `ALTER TABLE "coins" RENAME COLUMN "weight" TO "mass";`,
    `ALTER TABLE "coins" RENAME "weight" TO "mass";`,
    `ALTER TABLE "coins" RENAME TO "pieces";`,
    `ALTER TABLE IF EXISTS "coins" ALTER COLUMN "mass" SET DATA TYPE numeric;`,
    `ALTER TABLE "coins" ALTER mass TYPE numeric;`,
    `ALTER TABLE "coins" ALTER COLUMN "mass" SET NOT NULL;`,
    `ALTER TABLE "coins" ALTER "mass" SET NOT NULL;`,
    `ALTER TABLE "coins" ALTER COLUMN "mass" DROP DEFAULT;`,
    `ALTER TABLE "coins" ADD COLUMN "mint" text NOT NULL;`,
    `ALTER TABLE "coins" ADD "mint" text NOT NULL;`,
    `ALTER TABLE "coins" ADD IF NOT EXISTS mint text NOT NULL;`,
    `DROP TYPE "state";`,
    `TRUNCATE TABLE "coins";`,
    `ALTER TABLE "coins" ADD CONSTRAINT "heavy" CHECK ("coins"."mass" > 0) NOT VALID;`,
    `ALTER TABLE "coins" ADD CHECK (mass > 0);`,
    `ALTER TABLE "coins" DROP CONSTRAINT "narrow";ALTER TABLE "coins" ADD CONSTRAINT "narrow" CHECK ("coins"."kind" in ('a')) NOT VALID;`,
    `ALTER TABLE "coins" ADD COLUMN "net" integer;` +
      `ALTER TABLE "coins" ADD CONSTRAINT "less" CHECK ("coins"."net" <= "coins"."mass") NOT VALID;`,
    `ALTER TABLE "coins" ADD CONSTRAINT "of_mint" FOREIGN KEY ("mint_id") REFERENCES "public"."mints"("id") NOT VALID;`,
    `ALTER TABLE "coins" ADD CONSTRAINT "one_mass" UNIQUE("mass");`,
    `CREATE UNIQUE INDEX "coins_by_mass" ON "coins" USING btree ("mass") WHERE "mass" is not null;`,
    `-- concurrent\nCREATE UNIQUE INDEX CONCURRENTLY "orders_by_code" ON "public"."orders" USING btree ("code");`,
    `ALTER TABLE "coins" ADD COLUMN "net" integer DEFAULT 0;CREATE UNIQUE INDEX "coins_by_net" ON "coins" USING btree ("net");`,
    `ALTER TABLE "coins" ADD COLUMN "net" integer;CREATE UNIQUE INDEX "by_net" ON "coins" USING btree ("net") NULLS NOT DISTINCT;`,
    `ALTER TABLE "coins" ADD COLUMN "net" integer DEFAULT 0 UNIQUE;`,
    `ALTER TABLE "coins" DROP CONSTRAINT "coins_slug_unique";`,
    `DROP INDEX "coins_by_slug";`,
    `DROP INDEX CONCURRENTLY IF EXISTS "coins_mass", "public"."coins_by_slug";`,
    `CREATE TRIGGER "refuse" BEFORE UPDATE ON "coins" FOR EACH ROW EXECUTE FUNCTION refuse();`,
  ];
  for (const sql of harmful) expect([sql, incompatibilitiesOf(sql, { unneeded }).length]).toEqual([sql, 1]);
  const harmless = [
    `ALTER TABLE "coins" ADD COLUMN "mint" text;`,
    `ALTER TABLE "coins" ADD COLUMN "count" integer DEFAULT 0 NOT NULL;`,
    `ALTER TABLE "coins" ADD "note" text DEFAULT 'a, drop b' NOT NULL;`,
    `ALTER TABLE "coins" ALTER COLUMN "mass" DROP NOT NULL;`,
    `ALTER TABLE "coins" DROP CONSTRAINT "narrow";`,
    `ALTER TABLE "coins" ADD COLUMN "net" integer;` +
      `ALTER TABLE "coins" ADD CONSTRAINT "some" CHECK ("coins"."net" between 1 and 9 or length("coins"."net"::text) in (3)) NOT VALID;` +
      `ALTER TABLE "coins" VALIDATE CONSTRAINT "some";`,
    `ALTER TABLE "coins" ADD COLUMN "mint_id" bigint;` +
      `ALTER TABLE "coins" ADD CONSTRAINT "of_mint" FOREIGN KEY ("mint_id") REFERENCES "public"."mints"("id") NOT VALID;`,
    `ALTER TABLE "coins" ADD COLUMN "code" text;CREATE UNIQUE INDEX "coins_by_code" ON "coins" USING btree ("code");`,
    `CREATE TABLE "made" ("id" text);ALTER TABLE "made" ALTER COLUMN "id" SET NOT NULL;`,
    `CREATE UNLOGGED TABLE "made" ("id" text);CREATE UNIQUE INDEX "made_by_id" ON "made" USING btree ("id");`,
    `DROP INDEX "coins_mass";`,
  ];
  for (const sql of harmless) expect([sql, incompatibilitiesOf(sql, { unneeded })]).toEqual([sql, []]);
});

test("the lint knows which indexes and constraints of the schema are needed: plain ones are not", () => {
  expect([...unneededNames]).toEqual(expect.arrayContaining(["consents_of_guests", "site_parts_kind", "orders_discount"]));
  for (const name of ["coin_sale_periods_current", "promo_codes_code_unique", "price_promo_items_promo_id_coin_id_pk"])
    expect([name, unneededNames.has(name)]).toEqual([name, false]);
});

test("what no release uses any more is dropped below a line that names the first release without it", () => {
  const drops = [
    `ALTER TABLE "coins" DROP COLUMN "weight";`,
    `ALTER TABLE "coins" ALTER COLUMN "mass" DROP DEFAULT;`,
    `ALTER TABLE "coins" DROP CONSTRAINT "coins_slug_unique";`,
    `DROP INDEX "coins_by_slug";`,
    `DROP TABLE "reviews";`,
    `DROP TYPE "state";`,
  ];
  for (const sql of drops) {
    for (const line of ["-- unused since release 0.9.1", "-- unused since release v0.9.1"])
      expect(incompatibilitiesOf(`${line}\n${sql}`, { version: "0.10.0" })).toEqual([]);
    // Not yet released, no release, and not the first line.
    for (const line of ["-- unused since release 0.10.0", "-- unused since release 1.0.0", "-- unused since release next", "-- unused"])
      expect(incompatibilitiesOf(`${line}\n${sql}`, { version: "0.10.0" })).toHaveLength(2);
    expect(incompatibilitiesOf(`-- coins\n-- unused since release 0.9.1\n${sql}`, { version: "0.10.0" })).toHaveLength(1);
  }
  const rest = `ALTER TABLE "coins" ALTER COLUMN "mass" SET NOT NULL;`;
  expect(incompatibilitiesOf(`-- unused since release 0.9.1\n${rest}`, { version: "0.10.0" })).toHaveLength(1);
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
    `ALTER TABLE "orders" ALTER "total_kopecks" TYPE numeric;`,
    `ALTER TABLE "orders" ADD "x" text NOT NULL;`,
    `ALTER TABLE "orders" ADD COLUMN "x" text, ADD "y" timestamp DEFAULT now();`,
    `ALTER TABLE "payments" ADD CHECK (x > 0);`,
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
