import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { NodePgDatabase, NodePgDriver } from "drizzle-orm/node-postgres";
import { PgDialect } from "drizzle-orm/pg-core";
import pg from "pg";
import { fromDrizzle, fromPglite, type ConstructorOptions } from "pg-boss";
import {
  sqlState,
  type Db,
  type PipelinedTransaction,
  type PreparedQueries,
  type SendNamed,
  type SendTransaction,
  type Tx,
} from "#kit/db.ts";
import { DeadlineError, requireTime, timeForStatements } from "#kit/concurrency/deadline.ts";
import type { Log } from "#kit/log.ts";
import { runBackfills } from "./backfills.ts";
import { runMigrations, type Execute } from "./run-migrations.ts";
import { lockFolder } from "../process/folder-lock.ts";
import { once } from "../process/shutdown.ts";

export const migrationsFolder = join(import.meta.dirname, "../../../db/migrations");

export type Database = {
  engine: "postgresql" | "pglite";
  db: Db;
  /** The same connections in the form that the job queue needs. */
  jobs: Pick<ConstructorOptions, "db" | "backend">;
  migrate(): Promise<void>;
  /** Whether a trivial query answers within a second. */
  isReachable(): Promise<boolean>;
  /**
   * Limits that the connections do not have, one line each. Behind a pooler `migrate` stores them; a connection that it opened before has
   * none.
   */
  missingLimits(): Promise<string[]>;
  /** How many callers wait for a connection: a measure of overload. */
  waiting(): number;
  /** A copy of the embedded database, as it was at one moment (`.tar.gz`); absent on PostgreSQL, which has its own tools. */
  dump?: () => Promise<Blob>;
  /** Closes the connections; a second call waits for the first. */
  close(): Promise<void>;
};
export type EmbeddedDatabase = Database & Required<Pick<Database, "dump">>;

/** Columns are camelCase in code and snake_case in SQL, on both engines. */
const casing = "snake_case";

/** One for all transactions: it remembers the names of columns. A new one works out those of every table again. */
const dialect = new PgDialect({ casing });

/** What `drizzle(client, { casing })` returns, with the shared dialect. */
const drizzlePg = (client: pg.Pool | pg.PoolClient): NodePgDatabase =>
  new NodePgDatabase(dialect, new NodePgDriver(client, dialect).createSession(undefined), undefined);

/** The connection, or the pool, on which a prepared query is sent. */
const connectionOfQuery = new AsyncLocalStorage<Pick<pg.PoolClient, "query">>();
/** Prepares queries once for all connections; each is sent on the connection of its caller. */
const builder = drizzlePg({
  query(...query: Parameters<pg.PoolClient["query"]>) {
    const connection = connectionOfQuery.getStore();
    if (!connection) throw new Error("a prepared query has no connection");
    return connection.query(...query);
  },
} as pg.PoolClient);
const preparedOn = (connection: Pick<pg.PoolClient, "query">): PreparedQueries => ({
  builder: builder as Db,
  run: (execute) => connectionOfQuery.run(connection, execute),
});

/** At most two hundred callers wait for a connection. Further calls fail at once: the shop is overloaded. */
const maxWaitingCallers = 200;

type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

/** Also refuses connections to requests whose time is over, before and after the wait for one. */
class BoundedPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(onConnect: Connected): void;
  override connect(onConnect?: Connected): Promise<pg.PoolClient> | void {
    if (!onConnect) return this.#connected();
    this.#connected().then(
      (client) => onConnect(undefined, client, (release) => client.release(release as boolean | undefined)),
      (error: Error) => onConnect(error, undefined, () => {}),
    );
  }

  async #connected(): Promise<pg.PoolClient> {
    if (this.waitingCount >= maxWaitingCallers) throw new Error(`${maxWaitingCallers} callers wait for the database already`);
    requireTime();
    const client = await super.connect();
    if (timeForStatements() > 0) return client;
    client.release();
    throw new DeadlineError();
  }
}

export type PostgresOptions = {
  log: Log;
  max?: number;
  /** Address of the server itself when `url` is that of a pooler: for migrations. */
  directUrl?: string | undefined;
  migrations?: { folder: string; lockTimeoutMs: number };
  /** False behind a pooler that gives each transaction another connection and does not know prepared statements. */
  preparesStatements?: boolean;
};

/** A statement that this process has sent so often is prepared from then on; each connection keeps at most so many. */
const preparedAfter = 100;
const maxPrepared = 64;

/** Names for the texts that are sent most often; undefined: sent as it is. */
function createNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= maxPrepared) return known;
    const count = (counts.get(text) ?? 0) + 1;
    if (counts.size >= 2_000) counts.clear(); // texts with lists of values differ each time
    if (count < preparedAfter) return void counts.set(text, count);
    counts.delete(text);
    const name = `often_${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}

/**
 * Sends all writes of one turn of the event loop as one packet. The driver writes each statement of a pipeline separately; an order has
 * a dozen of them, and each write to a socket costs as much processor time as a statement.
 */
class PacketSocket extends Socket {
  #isTurnCorked = false;
  /** Collects what is written from now to the end of the turn. */
  corkTurn(): void {
    if (this.#isTurnCorked) return;
    this.#isTurnCorked = true;
    this.cork();
    process.nextTick(() => {
      this.#isTurnCorked = false;
      this.uncork();
    });
  }
}

/** The ways around Drizzle's builders. Values are given apart from the statement, so that `clientWith` may name it. */
const statementsOn = (connection: Pick<pg.PoolClient, "query">) => ({
  sendNamed: (({ values, ...statement }) => connection.query(statement, values)) satisfies SendNamed,
  prepared: preparedOn(connection),
});

type Query = (config: string | pg.QueryConfig, values?: unknown, ...rest: unknown[]) => unknown;

/**
 * Connections that send the statements of a turn in one packet. Frequent statements with values are prepared by name, so that the server
 * parses and plans them once a connection; without `prepares` no statement has a name, not even one that its caller has named.
 */
function clientWith(prepares: boolean): typeof pg.Client {
  const nameOf = prepares ? createNames() : () => undefined;
  return class extends pg.Client {
    readonly #socket: PacketSocket;
    constructor(config: pg.ClientConfig) {
      const socket = new PacketSocket();
      super({ ...config, stream: () => socket });
      this.#socket = socket;
    }
    override query = ((config: string | pg.QueryConfig, values?: unknown, ...rest: unknown[]) => {
      const send = super.query.bind(this) as Query;
      this.#socket.corkTurn();
      if (typeof config === "string" || typeof config.text !== "string") return send(config, values, ...rest);
      if (!prepares) return send(config.name === undefined ? config : { ...config, name: undefined }, values, ...rest);
      const hasValues = config.name === undefined && Array.isArray(values) && values.length > 0;
      const name = hasValues ? nameOf(config.text) : undefined;
      return send(name === undefined ? config : { ...config, name }, values, ...rest);
    }) as pg.Client["query"];
  };
}

/** Longest time of a statement; a request has less (`begin` sets what is left of its time). */
const statementMs = 5_000;

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
/** PostgreSQL error code: a write on a standby. The connection is to a server that is no primary any more, so the pool drops it. */
const readOnly = "25006";

/**
 * Replaces Drizzle's transaction. Drizzle loses the connection when `begin` fails, which happens to every idle connection after a restart
 * of the server: ten failures empty the pool permanently. It also returns a connection to the pool whose rollback failed. This function
 * always releases the connection, or destroys it if it is broken.
 */
function createTransaction(pool: pg.Pool): NodePgDatabase["transaction"] {
  return async (work, config) => {
    const client = await pool.connect();
    let refusal: { error: unknown } | null = null;
    let isReadOnly = false;
    const { connection, end } = guardTransaction(client);
    try {
      return await drizzlePg(connection).transaction(async (tx) => {
        try {
          return await work(Object.assign(tx, statementsOn(connection)));
        } catch (error) {
          refusal = { error };
          throw error;
        }
      }, config);
    } catch (error) {
      // Rethrows the error of `work`, unless begin, commit or rollback failed. Of two errors the first says more.
      const first = refusal as { error: unknown } | null;
      isReadOnly = sqlState(first?.error ?? error) === readOnly;
      throw first ? first.error : error;
    } finally {
      client.release(!end() || isReadOnly);
    }
  };
}

/**
 * Whole transactions in one round trip, for `pipelineTransaction`. When one statement fails, the server answers `commit` with a rollback.
 */
function createSendTransaction(pool: pg.Pool): SendTransaction {
  return async (build) => {
    const client = await pool.connect();
    const { connection, end } = guardTransaction(client);
    let isReadOnly = false;
    try {
      const tx = Object.assign(drizzlePg(connection), statementsOn(connection));
      // `then` of a built query sends it at once, so the order of the list is the order on the wire.
      const list = [tx.execute(sql`begin`), ...build(tx as Db), tx.execute(sql`commit`)];
      const answers = await Promise.allSettled(
        list.map((each) => new Promise<unknown>((resolve, reject) => void each.then(resolve, reject))),
      );
      const failed = answers.find((each) => each.status === "rejected");
      isReadOnly = sqlState(failed?.reason) === readOnly;
      if (failed) throw failed.reason;
      return answers.slice(1, -1).map((each) => (each as PromiseFulfilledResult<unknown>).value);
    } finally {
      client.release(!end() || isReadOnly);
    }
  };
}

/** For `inPipelinedTransaction`. */
function createPipelinedTransaction(pool: pg.Pool): PipelinedTransaction {
  return async (work, { lockMs }) => {
    const client = await pool.connect();
    const { connection, isEnded, end } = guardTransaction(client);
    const begun = beginWithFirst(
      connection,
      `begin; set local lock_timeout = ${Math.ceil(lockMs)}; set local statement_timeout = ${Math.ceil(lockMs) + 500}`,
    );
    let committed: Promise<void> | undefined;
    const commit = (): Promise<void> => (committed ??= commitOn(connection));
    let isReadOnly = false;
    try {
      const ending = { sentCount: begun.sentCount, commit };
      const tx = Object.assign(drizzlePg(begun.connection), statementsOn(begun.connection), { ending });
      const result = await work(tx as Tx);
      if (begun.sentCount() > 0) await commit();
      return result;
    } catch (error) {
      isReadOnly = sqlState(error) === readOnly;
      // A rollback that fails leaves the transaction open, so that the connection is destroyed.
      if (begun.sentCount() > 0 && !isEnded()) await connection.query({ text: "rollback" }).catch(() => {});
      throw error;
    } finally {
      client.release(!end() || isReadOnly);
    }
  };
}

/** Sends `begin` in one packet with the first statement, which fails if `begin` does; then nothing more is sent. */
function beginWithFirst(connection: pg.PoolClient, begin: string): { connection: pg.PoolClient; sentCount(): number } {
  let count = 0;
  let refusal: { error: unknown } | null = null;
  async function query(statement: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> {
    if (refusal) throw refusal.error;
    count += 1;
    if (count > 1) return connection.query(statement, values);
    const [begun, answer] = await Promise.allSettled([connection.query({ text: begin }), connection.query(statement, values)]);
    if (begun.status === "rejected") refusal = { error: begun.reason };
    if (begun.status === "rejected") throw begun.reason;
    if (answer.status === "rejected") throw answer.reason;
    return answer.value;
  }
  return { connection: { query } as unknown as pg.PoolClient, sentCount: () => count };
}

/** PostgreSQL answers `commit` with a rollback, and no error, when a statement of the transaction has failed. */
async function commitOn(connection: pg.PoolClient): Promise<void> {
  const { command } = await connection.query({ text: "commit" });
  if (command !== "COMMIT") throw new Error("the transaction was rolled back, because one of its statements had failed");
}

/**
 * The connection as one transaction uses it. When the time of the request is over it refuses every statement but `rollback`, the commit
 * too; a commit that was sent is awaited. After `end` it refuses statements that were never awaited: they would be executed outside of
 * their transaction. `end` returns whether the server has ended the transaction, so that the connection can be used again.
 */
function guardTransaction(client: pg.PoolClient): { connection: pg.PoolClient; isEnded(): boolean; end(): boolean } {
  let isOver = false;
  let isCommitted = false;
  let isEnded = false;
  async function query(statement: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> {
    if (isOver) throw new Error(`query after the end of its transaction: ${statement.text}`);
    if (statement.text === "rollback") return ended(client.query(statement, values));
    if (isCommitted) throw new Error(`query after the commit of its transaction: ${statement.text}`);
    const left = timeForStatements();
    if (left <= 0) throw new DeadlineError();
    isCommitted = statement.text === "commit";
    if (isCommitted) return ended(client.query(statement, values));
    if (!/^begin(?!;)/.test(statement.text) || left >= statementMs) return client.query(statement, values); // `begin;` has its limits
    return client.query({ ...statement, text: `${statement.text}; set local statement_timeout = ${Math.ceil(left)}` }, values);
  }
  async function ended(answer: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    const result = await answer;
    isEnded = true;
    return result;
  }
  return {
    connection: { query } as unknown as pg.PoolClient, // Drizzle calls nothing else
    isEnded: () => isEnded,
    end: () => {
      isOver = true;
      return isEnded;
    },
  };
}

/** PGlite in `folder`. The caller has locked the folder (see `folder-lock.ts`). */
export const openPglite = (folder: string): Promise<EmbeddedDatabase> => createPglite(folder);

/** The same in a new folder, with the content of a copy that `dump` has made. */
export const restorePglite = (folder: string, copy: Buffer<ArrayBuffer>): Promise<EmbeddedDatabase> =>
  createPglite(folder, { loadDataDir: new Blob([copy]) });

async function createPglite(folder: string, options: { loadDataDir?: Blob } = {}): Promise<EmbeddedDatabase> {
  // Loaded here, because a release does not contain the embedded database.
  const { PGlite } = await import("@electric-sql/pglite");
  const { pg_trgm } = await import("@electric-sql/pglite/contrib/pg_trgm");
  const { drizzle: drizzlePglite } = await import("drizzle-orm/pglite");
  const client = await PGlite.create({ dataDir: folder, extensions: { pg_trgm }, ...options });
  const db = drizzlePglite(client, { casing });
  return {
    engine: "pglite",
    db: db as unknown as Db,
    jobs: { db: fromPglite(client), backend: "pglite" },
    async migrate() {
      const execute = async <Row>(statement: string) => ((await client.exec(statement)).at(-1)?.rows ?? []) as Row[];
      await runMigrations(execute, { folder: migrationsFolder, lockTimeoutMs: 0, isAlone: true });
      await runBackfills(async (statement) => (await client.query(statement)).affectedRows ?? 0);
    },
    isReachable: () => succeedsWithin(1_000, db.execute(sql`select 1`)),
    missingLimits: async () => [],
    waiting: () => 0,
    // No statement runs meanwhile. Changes that are not committed are rolled back when the copy is opened, as after a crash.
    dump: () => client.dumpDataDir("gzip"),
    close: once(() => client.close()),
  };
}

/** The folder of the embedded database below the data folder. */
export const pgliteFolder = (dataDir: string): string => join(dataDir, "pglite");

export type DatabaseConfig = {
  DATABASE_URL?: string | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
  DATABASE_PREPARE: boolean;
};

/** How the configured PostgreSQL is reached, for a pool of `max` connections. */
export const configuredOptions = (config: DatabaseConfig, { log, max }: { log: Log; max: number }): PostgresOptions => ({
  log,
  max,
  directUrl: config.DATABASE_DIRECT_URL,
  preparesStatements: config.DATABASE_PREPARE,
});

/** The configured database for a command that runs beside the shop; null when another process has locked the embedded one. */
export async function openConfiguredDatabase(
  config: DatabaseConfig & { dataDir: string },
  log: Log,
): Promise<{ database: Database; close(): Promise<void> } | null> {
  if (config.DATABASE_URL) {
    const database = openPostgres(config.DATABASE_URL, configuredOptions(config, { log, max: 2 }));
    return { database, close: database.close };
  }
  const lock = await lockFolder(pgliteFolder(config.dataDir));
  if (!lock) return null;
  const database = await openPglite(pgliteFolder(config.dataDir));
  return { database, close: () => database.close().then(lock.release) };
}

async function succeedsWithin(milliseconds: number, query: PromiseLike<unknown>): Promise<boolean> {
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

/** Identifies the schema that this build expects. Equal builds have equal fingerprints. */
export function schemaFingerprint(): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(migrationsFolder)
    .filter((each) => each.endsWith(".sql"))
    .toSorted()) {
    hash.update(readFileSync(join(migrationsFolder, name)));
  }
  return hash.digest("hex").slice(0, 16);
}
