import pg from "pg";
import { silentLog } from "#kit/log.ts";
import { openPostgres } from "../database/postgres.ts";
import { columns, type Rule } from "./columns.ts";
import { createFakes } from "./fakes.ts";

/** A fault that the person who copies can fix; printed as one line. */
export class CopyError extends Error {}

type Column = { table: string; name: string; type: string; isJson: boolean; needsRule: boolean };
type Table = { name: string; columns: Column[] };

const pageRows = 1_000;

/**
 * Copies the shop's database `from` into the empty database `to` without personal data, tokens and texts that people wrote
 * (columns.ts says what becomes of each column). Reads one snapshot and never writes to `from`; personal data is never written to `to`, not
 * even for a moment. Returns how many rows each table has.
 */
export async function copyForStaging({ from, to }: { from: string; to: string }): Promise<Map<string, number>> {
  if (from === to) throw new CopyError("--from and --to are the same database");
  const [source, target] = [await connect(from, "--from"), await connect(to, "--to")];
  try {
    const { rows: present } = await target.query(`select 1 from information_schema.tables where table_schema = 'public' limit 1`);
    if (present.length > 0) throw new CopyError("--to is not empty: create a new database for the copy");
    const schema = openPostgres(to, { log: silentLog, max: 1 });
    await schema.migrate();
    await schema.close();

    await source.query("begin isolation level repeatable read, read only");
    await target.query("begin");
    const tables = await tablesOf(target);
    refuseOtherSchema(tables, await tablesOf(source));
    const foreignKeys = await dropForeignKeys(target);
    const fakes = createFakes();
    const copied = new Map<string, number>();
    for (const table of tables) {
      await target.query(`alter table "${table.name}" disable trigger user`); // some tables are append-only
      await target.query(`truncate "${table.name}"`);
      copied.set(table.name, await copyTable(source, target, table, (rule, value) => rule(value, fakes)));
      await target.query(`alter table "${table.name}" enable trigger user`);
    }
    await copySequences(source, target);
    for (const statement of foreignKeys) await target.query(statement);
    await target.query("commit");
    return copied;
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}

async function connect(url: string, option: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, application_name: "chekan-staging-copy" });
  await client.connect().catch((error: unknown) => {
    throw new CopyError(`${option}: the database does not answer: ${error instanceof Error ? error.message : String(error)}`);
  });
  return client;
}

/** The tables of the shop with their columns; every column type that can hold a text needs a rule. */
export async function tablesOf(client: Pick<pg.Client, "query">): Promise<Table[]> {
  const { rows } = await client.query<{ table: string; name: string; type: string }>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = 'public' and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by c.relname, a.attnum`);
  const tables = new Map<string, Table>();
  for (const row of rows) {
    const table = tables.get(row.table) ?? { name: row.table, columns: [] };
    tables.set(row.table, table);
    const isPlain = /^(bigint|integer|smallint|double precision|numeric|real|boolean|date|timestamp|time|uuid)/.test(row.type);
    table.columns.push({ ...row, isJson: /^jsonb?$/.test(row.type), needsRule: !isPlain });
  }
  return [...tables.values()];
}

/** Columns that may hold a text and have no rule, and rules without a column. */
export function unclassified(tables: readonly Table[]): string[] {
  const known = new Set(tables.flatMap(({ name, columns: list }) => list.map((column) => `${name}.${column.name}`)));
  return [
    ...tables.flatMap(({ name, columns: list }) => {
      const rules = columns[name];
      if (rules === undefined) return [`${name}: no rule`];
      return rules === "omit"
        ? []
        : list.filter((each) => each.needsRule && !(each.name in rules)).map((each) => `${name}.${each.name}: no rule`);
    }),
    ...Object.entries(columns).flatMap(([name, rules]) =>
      rules === "omit"
        ? tables.some((table) => table.name === name)
          ? []
          : [`${name}: no such table`]
        : Object.keys(rules).flatMap((column) => (known.has(`${name}.${column}`) ? [] : [`${name}.${column}: no such column`])),
    ),
  ];
}

function refuseOtherSchema(ours: readonly Table[], theirs: readonly Table[]): void {
  const textOf = (tables: readonly Table[]) =>
    new Set(tables.flatMap((table) => table.columns.map(({ name, type }) => `${table.name}.${name} ${type}`)));
  const [expected, found] = [textOf(ours), textOf(theirs)];
  const [different] = [...[...expected].filter((each) => !found.has(each)), ...[...found].filter((each) => !expected.has(each))];
  if (different !== undefined) throw new CopyError(`--from has the schema of another release (${different}): copy with that release`);
  const [missing] = unclassified(ours);
  if (missing !== undefined) throw new CopyError(`src/main/staging/columns.ts: ${missing}`);
}

async function dropForeignKeys(target: pg.Client): Promise<string[]> {
  const { rows } = await target.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`);
  for (const { table, name } of rows) await target.query(`alter table ${table} drop constraint "${name}"`);
  return rows.map(({ table, name, definition }) => `alter table ${table} add constraint "${name}" ${definition}`);
}

type Values = (string | null)[];
type Replace = (rule: Exclude<Rule, "keep">, value: unknown) => unknown;

/** Values travel as text, so that no precision is lost. */
async function copyTable(source: pg.Client, target: pg.Client, { name, columns: list }: Table, replace: Replace): Promise<number> {
  const rules = columns[name];
  if (rules === undefined || rules === "omit" || list.length === 0) return 0;
  const names = list.map((column) => `"${column.name}"`).join(", ");
  const insert = `insert into "${name}" (${names}) overriding system value
    select ${list.map((column, n) => `c${n}::${column.type}`).join(", ")}
    from unnest(${list.map((_, n) => `$${n + 1}::text[]`).join(", ")}) as u (${list.map((_, n) => `c${n}`).join(", ")})`;
  await source.query(
    `declare rows_of_table no scroll cursor for select ${list.map((column) => `"${column.name}"::text`).join(", ")} from "${name}"`,
  );
  for (let count = 0; ;) {
    const { rows } = await source.query<Values>({ text: `fetch ${pageRows} from rows_of_table`, rowMode: "array" });
    if (rows.length > 0)
      await target.query(
        insert,
        list.map((column, n) => rows.map((row) => replaced(column, rules[column.name] ?? "keep", row[n] ?? null, replace))),
      );
    count += rows.length;
    if (rows.length < pageRows) {
      await source.query("close rows_of_table");
      return count;
    }
  }
}

function replaced({ isJson }: Column, rule: Rule, value: string | null, replace: Replace): string | null {
  if (value === null || rule === "keep") return value;
  const made = replace(rule, isJson ? JSON.parse(value) : value);
  if (made === null) return null;
  return isJson || typeof made !== "string" ? JSON.stringify(made) : made;
}

async function copySequences(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows } = await source.query<{ name: string; last: string | null }>(
    `select quote_ident(sequencename) as name, last_value::text as last from pg_sequences where schemaname = 'public'`,
  );
  for (const { name, last } of rows) if (last !== null) await target.query("select setval($1::regclass, $2::bigint)", [name, last]);
}
