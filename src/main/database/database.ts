import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { drizzle as drizzlePg, type NodePgDatabase } from "drizzle-orm/node-postgres";
import { migrate as migratePg } from "drizzle-orm/node-postgres/migrator";
import { drizzle as drizzlePglite } from "drizzle-orm/pglite";
import { migrate as migratePglite } from "drizzle-orm/pglite/migrator";
import pg from "pg";
import { fromDrizzle, fromPglite, type ConstructorOptions } from "pg-boss";
import type { Db } from "#kit/db.ts";
import type { Log } from "#kit/log.ts";
import { fillIn } from "./backfills.ts";
import { holdFolder } from "../process/folder-lock.ts";

export const migrationsFolder = join(import.meta.dirname, "../../../db/migrations");

export type Database = {
  engine: "postgresql" | "pglite";
  db: Db;
  /** The same database in the job queue's words. */
  jobs: Pick<ConstructorOptions, "db" | "backend">;
  migrate(): Promise<void>;
  /** Whether a trivial query answers within a second. */
  isReachable(): Promise<boolean>;
  /** How many callers wait for a connection: a sign of overload. */
  waiting(): number;
  close(): Promise<void>;
};

/** `casing`: columns are camelCase in code and snake_case in SQL, the same on both engines. */
const casing = "snake_case";

/** Two hundred may wait for a connection; whoever comes then is told at once that the shop is full. */
const longestQueue = 200;

class BoundedPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(heard: (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void): void;
  override connect(
    heard?: (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void,
  ): Promise<pg.PoolClient> | void {
    if (this.waitingCount < longestQueue) return heard ? super.connect(heard) : super.connect();
    const full = new Error(`${longestQueue} callers wait for the database already`);
    if (!heard) return Promise.reject(full);
    heard(full, undefined, () => {});
  }
}

export type PostgresOptions = { log: Log; max?: number; migrations?: { folder: string; lockTimeoutMs: number } };

/**
 * PostgreSQL through a pool of at most `max` connections. Limits are the server's own (statement 5 s, lock 2 s,
 * idle in transaction 10 s), so a hanging query cannot hold a connection; waiting for a connection ends after 2 s.
 */
export function openPostgres(url: string, options: PostgresOptions): Database {
  const { folder, lockTimeoutMs } = options.migrations ?? { folder: migrationsFolder, lockTimeoutMs: 2_000 };
  const pool = new BoundedPool({
    // Those that were opened stay open while nobody needs them: on a far line a new one costs the caller three crossings and more.
    connectionString: url,
    max: options.max ?? 10,
    min: Math.min(8, options.max ?? 10),
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Repositories send several statements of a transaction in one round trip (`pipeline` in kit/db.ts).
    pipeline: true,
    statement_timeout: 5_000,
    query_timeout: 6_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 10_000,
    application_name: "chekan",
  });
  // Without these two a restart of the database would end the process.
  pool.on("error", (error) => options.log.warn({ err: error }, "an idle database connection broke"));
  pool.on("connect", (client) => client.on("error", (error) => options.log.warn({ err: error }, "a database connection broke")));
  const db = drizzlePg(pool, { casing });
  db.transaction = transactionsOf(pool);
  return {
    engine: "postgresql",
    db: db,
    jobs: { db: fromDrizzle(db, sql), backend: "postgres" },
    async migrate() {
      // Drizzle's migrator has no lock of its own: two starting processes would run the same file twice.
      const client = await pool.connect();
      try {
        await client.query("set statement_timeout = 0; set lock_timeout = 0");
        await client.query("select pg_advisory_lock(748291)");
        await client.query(`set lock_timeout = ${lockTimeoutMs}`);
        await letBuyersFirst(() => migratePg(drizzlePg(client, { casing }), { migrationsFolder: folder }));
        await fillIn(async (statement) => (await client.query(statement)).rowCount ?? 0);
      } finally {
        client.release(true); // ends the session and with it the lock
      }
    },
    isReachable: () => answersWithin(1_000, db.execute(sql`select 1`)),
    waiting: () => pool.waitingCount,
    close: () => pool.end(),
  };
}

/**
 * A migration that waits for a table stops everybody who comes after it, so it steps aside after `lock_timeout` and comes again.
 * Pending migrations are one transaction: nothing of the attempt before is left. For at most some four minutes.
 */
async function letBuyersFirst(migrate: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrate();
    } catch (error) {
      const code = (error as { code?: unknown }).code ?? ((error as Error).cause as { code?: unknown } | undefined)?.code;
      if (code !== lockNotAvailable || attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 300));
    }
  }
}

/** PostgreSQL's own code for a lock that did not come in time. */
const lockNotAvailable = "55P03";

/**
 * Drizzle's own transaction takes a connection and forgets it when `begin` fails, which is what a restarted server does to every idle one:
 * ten of those and the pool is empty for good. It also hands a connection back whose rollback failed. Here it is given back or thrown away.
 */
function transactionsOf(pool: pg.Pool): NodePgDatabase["transaction"] {
  return async (work, config) => {
    const client = await pool.connect();
    let refusal: { error: unknown } | null = null;
    let isSound = false;
    const { connection, close } = forOneTransaction(client);
    try {
      const result = await drizzlePg(connection, { casing }).transaction(async (tx) => {
        try {
          return await work(tx);
        } catch (error) {
          refusal = { error };
          throw error;
        }
      }, config);
      isSound = true;
      return result;
    } catch (error) {
      // What comes out is what `work` threw, unless begin, commit or rollback failed; of two faults the first tells more.
      const first = refusal as { error: unknown } | null;
      isSound = first !== null && first.error === error;
      throw first ? first.error : error;
    } finally {
      close();
      client.release(!isSound);
    }
  };
}

/** After `close` the connection refuses statements that were never awaited: they would be executed outside of their transaction. */
function forOneTransaction(client: pg.PoolClient): { connection: pg.PoolClient; close(): void } {
  let isOver = false;
  const connection = {
    query: (asked: pg.QueryConfig, values?: unknown[]) =>
      isOver ? Promise.reject(new Error(`asked after the end of its transaction: ${asked.text}`)) : client.query(asked, values),
  } as pg.PoolClient; // Drizzle calls nothing else
  return {
    connection,
    close: () => {
      isOver = true;
    },
  };
}

/** PGlite in `folder`; the caller holds the folder's lock (see `folder-lock.ts`). */
export async function openPglite(folder: string): Promise<Database> {
  const { PGlite } = await import("@electric-sql/pglite");
  const { pg_trgm } = await import("@electric-sql/pglite/contrib/pg_trgm");
  const client = await PGlite.create({ dataDir: folder, extensions: { pg_trgm } });
  const db = drizzlePglite(client, { casing });
  return {
    engine: "pglite",
    db: db as unknown as Db,
    jobs: { db: fromPglite(client), backend: "pglite" },
    async migrate() {
      await migratePglite(db, { migrationsFolder });
      await fillIn(async (statement) => (await client.query(statement)).affectedRows ?? 0);
    },
    isReachable: () => answersWithin(1_000, db.execute(sql`select 1`)),
    waiting: () => 0,
    close: () => client.close(),
  };
}

export const pgliteFolder = (dataDir: string): string => join(dataDir, "pglite");

/** The configured database for a command beside the shop; null when another process holds the embedded one. */
export async function openOwnDatabase(
  config: { DATABASE_URL?: string; dataDir: string },
  log: Log,
): Promise<{ database: Database; close(): Promise<void> } | null> {
  if (config.DATABASE_URL) {
    const database = openPostgres(config.DATABASE_URL, { log, max: 2 });
    return { database, close: database.close };
  }
  const lock = await holdFolder(pgliteFolder(config.dataDir));
  if (!lock) return null;
  const database = await openPglite(pgliteFolder(config.dataDir));
  return { database, close: () => database.close().then(lock.release) };
}

async function answersWithin(milliseconds: number, query: PromiseLike<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([
      Promise.resolve(query).then(
        () => true,
        () => false,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** Names the schema that this build expects; equal builds have equal fingerprints. */
export function schemaFingerprint(): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(migrationsFolder)
    .filter((each) => each.endsWith(".sql"))
    .toSorted()) {
    hash.update(readFileSync(join(migrationsFolder, name)));
  }
  return hash.digest("hex").slice(0, 16);
}
