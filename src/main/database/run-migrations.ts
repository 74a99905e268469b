import { readMigrationFiles } from "drizzle-orm/migrator";

/** Runs SQL without parameters on one connection; returns the rows of the last statement. */
export type Execute = <Row>(sql: string) => Promise<Row[]>;

type Options = {
  folder: string;
  /** How long a statement of a transaction waits for a table; 0: without a limit. */
  lockTimeoutMs: number;
  /** No other connection uses the database, so nothing has to be done beside it. */
  isAlone: boolean;
};

/** First line of a migration whose statements run one by one, outside of a transaction. */
export const concurrentMark = "-- concurrent";

/**
 * Runs the pending migrations of `folder`, each in one transaction with its entry in the list of what was run. A migration that begins with
 * `-- concurrent` runs beside the shop: its indexes are built without blocking writes, and after a crash the next run goes on where it
 * broke off. In an empty database there is nothing to block, and everything is one transaction.
 */
export async function runMigrations(execute: Execute, { folder, lockTimeoutMs, isAlone }: Options): Promise<void> {
  await execute("create schema if not exists drizzle");
  await execute("create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)");
  const [last] = await execute<{ at: string | null }>("select max(created_at)::text as at from drizzle.__drizzle_migrations");
  const isEmpty = (last?.at ?? null) === null;
  const pending = readMigrationFiles({ migrationsFolder: folder })
    .filter(({ folderMillis }) => isEmpty || folderMillis > Number(last?.at))
    .map(({ sql, hash, folderMillis }) => ({
      statements: sql.map((each) => each.replace(/^\s*-- concurrent\s*$/m, "").trim()).filter(Boolean),
      isConcurrent: sql[0]?.trimStart().startsWith(concurrentMark) ?? false,
      record: `insert into drizzle.__drizzle_migrations (hash, created_at) values ('${hash}', ${folderMillis})`,
    }));

  if (isEmpty || isAlone) {
    const statements = pending.flatMap(({ statements: list, isConcurrent, record }) => [
      ...(isConcurrent ? list.map((each) => each.replace(/\bCONCURRENTLY\b/i, "")) : list),
      record,
    ]);
    return inOneTransaction(execute, statements, 0);
  }
  for (const { statements, isConcurrent, record } of pending) {
    if (!isConcurrent) {
      await inOneTransaction(execute, [...statements, record], lockTimeoutMs);
      continue;
    }
    for (const statement of statements) await runBesideTheShop(execute, statement);
    await execute(record);
  }
}

async function inOneTransaction(execute: Execute, statements: readonly string[], lockTimeoutMs: number): Promise<void> {
  await execute("begin");
  try {
    await execute(`set local lock_timeout = ${lockTimeoutMs}`);
    for (const statement of statements) await execute(statement);
    await execute("commit");
  } catch (error) {
    await execute("rollback").catch(() => {}); // the connection may be broken
    throw error;
  }
}

/** May run again after a crash: an index that was built whole stays, a part of one is dropped and built again. */
async function runBesideTheShop(execute: Execute, statement: string): Promise<void> {
  const [, name] = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?"?(\w+)"?/i.exec(statement) ?? [];
  if (name === undefined) {
    await execute(statement.replace(/^DROP INDEX CONCURRENTLY (?!IF EXISTS)/i, "DROP INDEX CONCURRENTLY IF EXISTS "));
    return;
  }
  const [index] = await execute<{ isValid: boolean }>(
    `select indisvalid as "isValid" from pg_index where indexrelid = to_regclass('public."${name}"')`,
  );
  if (index?.isValid) return;
  const dropPart = `drop index concurrently if exists public."${name}"`;
  if (index) await execute(dropPart);
  try {
    await execute(statement);
  } catch (error) {
    // A part of a unique index refuses rows already.
    await execute(dropPart).catch(() => {});
    throw error;
  }
}
