import { sql } from "drizzle-orm";
import pg from "pg";
import { fromDrizzle } from "pg-boss";
import type { Log } from "#kit/log.ts";
import { runBackfills } from "./backfills.ts";
import { runMigrations, type Execute } from "./run-migrations.ts";
import { once } from "../process/shutdown.ts";
import { createPipelinedTransaction, createSendTransaction, createTransaction } from "./postgres-transactions.ts";
import { BoundedPool, clientWith, drizzlePg, statementMs, statementsOn } from "./postgres-connections.ts";
import { migrationsFolder, succeedsWithin, type Database } from "./database.ts";

export type PostgresOptions = {
  log: Log;
  max?: number;
  /** Address of the server itself when `url` is that of a pooler: for migrations. */
  directUrl?: string | undefined;
  migrations?: { folder: string; lockTimeoutMs: number };
  /** False behind a pooler that gives each transaction another connection and does not know prepared statements. */
  preparesStatements?: boolean;
};

/** Limits that the server enforces, in milliseconds, so that a hanging query cannot keep a connection. */
const sessionLimits = { statement_timeout: statementMs, lock_timeout: 2_000, idle_in_transaction_session_timeout: 10_000 };

/**
 * PostgreSQL through a pool of at most `max` connections with `sessionLimits`. Waiting for a connection ends after 2 s. A pooler in
 * transaction mode refuses session settings, so behind one (`directUrl`) `migrate` makes them defaults of the shop's role in its database.
 */
export function openPostgres(url: string, options: PostgresOptions): Database {
  const { folder, lockTimeoutMs } = options.migrations ?? { folder: migrationsFolder, lockTimeoutMs: 2_000 };
  const isPooled = options.directUrl !== undefined;
  const pool = new BoundedPool({
    // Idle connections stay open: on a slow network a new one costs its caller three or more round trips.
    connectionString: url,
    Client: clientWith(options.preparesStatements ?? true),
    max: options.max ?? 10,
    min: Math.min(8, options.max ?? 10),
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Repositories send several statements of a transaction in one round trip (`pipeline` in kit/db.ts).
    pipeline: true,
    query_timeout: 6_000,
    ...(isPooled ? {} : sessionLimits),
    application_name: "chekan",
  });
  // Lists with subqueries are estimated at several times the cost from which PostgreSQL compiles a query; compiling takes longer than the
  // list.
  if (!isPooled) pool.on("connect", (client) => void client.query("set jit = off").catch(() => {}));
  // Without these two handlers a restart of the database would end the process.
  pool.on("error", (error) => options.log.warn({ err: error }, "an idle database connection broke"));
  pool.on("connect", (client) => client.on("error", (error) => options.log.warn({ err: error }, "a database connection broke")));
  const db = Object.assign(drizzlePg(pool), {
    transaction: createTransaction(pool),
    sendTransaction: createSendTransaction(pool),
    pipelinedTransaction: createPipelinedTransaction(pool),
    ...statementsOn(pool),
  });
  return {
    engine: "postgresql",
    db: db,
    jobs: { db: fromDrizzle(db, sql), backend: "postgres" },
    async migrate() {
      // A connection of its own: those of the pool give up after six seconds, which building an index does not.
      const client = new pg.Client({ connectionString: options.directUrl ?? url, connectionTimeoutMillis: 5_000, keepAlive: true });
      client.on("error", (error) => options.log.warn({ err: error }, "the connection of the migrations broke"));
      try {
        await client.connect();
        await client.query(
          "set application_name = 'chekan-migrate'; set statement_timeout = 0; set lock_timeout = 0; " +
            "set idle_in_transaction_session_timeout = 0",
        );
        await lockMigrations(client);
        if (isPooled) await storeLimits(client, url);
        const execute: Execute = async (statement) => (await client.query(statement)).rows;
        await yieldingToBuyers(() => runMigrations(execute, { folder, lockTimeoutMs, isAlone: false }));
        await client.query(`set lock_timeout = ${lockTimeoutMs}`);
        await runBackfills(async (statement) => (await client.query(statement)).rowCount ?? 0);
      } finally {
        await client.end(); // releases the lock
      }
    },
    // The pooler is tried after `migrate`: a connection that it opens before would lack the limits.
    isReachable: () => succeedsWithin(1_000, isPooled ? selectOnce(options.directUrl ?? url) : db.execute(sql`select 1`)),
    async missingLimits() {
      if (!isPooled) return [];
      const { rows } = await pool.query<{ name: string; setting: string }>("select name, setting from pg_settings where name = any($1)", [
        Object.keys(sessionLimits),
      ]);
      const actual = new Map(rows.map(({ name, setting }) => [name, Number(setting)]));
      return Object.entries(sessionLimits).flatMap(([name, wanted]) =>
        actual.get(name) === wanted ? [] : [`${name} is ${actual.get(name)} instead of ${wanted} ms`],
      );
    },
    waiting: () => pool.waitingCount,
    close: once(() => pool.end()),
  };
}

/**
 * Makes the limits defaults of the role of `url` in this database, if they are not yet: connections of the pooler get them. A role may
 * set its own defaults; for another one the direct address must be that of a superuser.
 */
async function storeLimits(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ database: string; user: string }>('select current_database() as database, current_user as "user"');
  const [here] = rows;
  const role = decodeURIComponent(new URL(url).username) || here?.user || "";
  const stored = await client.query<{ setting: string }>(
    `select unnest(setconfig) as setting from pg_db_role_setting
      where setrole = (select oid from pg_roles where rolname = $1)
        and setdatabase = (select oid from pg_database where datname = current_database())`,
    [role],
  );
  const known = new Set(stored.rows.map(({ setting }) => setting));
  for (const [name, value] of Object.entries({ ...sessionLimits, jit: "off" })) {
    if (known.has(`${name}=${value}`)) continue;
    const [of, at] = [client.escapeIdentifier(role), client.escapeIdentifier(here?.database ?? "")];
    await client.query(`alter role ${of} in database ${at} set ${name} = '${value}'`);
  }
}

/** A trivial query on a connection of its own. */
async function selectOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 1_000 });
  client.on("error", () => {}); // the query fails too
  try {
    await client.connect();
    await client.query("select 1");
  } finally {
    await client.end();
  }
}

/**
 * Two starting processes must not run the same file twice. The lock is tried again and again instead of awaited: a statement that waits has
 * a snapshot, and an index that is built concurrently waits for the end of every older snapshot.
 */
async function lockMigrations(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ isMine: boolean }>(`select pg_try_advisory_lock(748291) as "isMine"`);
    if (rows[0]?.isMine) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * Runs the migrations and yields to buyers. While a migration waits for a table, all later queries on that table wait behind it; so it
 * gives up after `lock_timeout` and tries again, for about four minutes. A failed attempt leaves only whole migrations.
 */
async function yieldingToBuyers(migrate: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrate();
    } catch (error) {
      const { code } = error as { code?: unknown };
      if ((code !== lockNotAvailable && code !== deadlockDetected) || attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 300));
    }
  }
}

/** PostgreSQL error codes: a lock was not available in time, or two connections waited for each other. */
const lockNotAvailable = "55P03";

const deadlockDetected = "40P01";
