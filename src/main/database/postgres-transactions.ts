import { sql } from "drizzle-orm";
import { NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import { sqlState, type Db, type PipelinedTransaction, type SendTransaction, type Tx } from "#kit/db.ts";
import { DeadlineError, timeForStatements } from "#kit/concurrency/deadline.ts";
import { drizzlePg, statementMs, statementsOn } from "./postgres-connections.ts";

/** PostgreSQL error code: a write on a standby. The connection is to a server that is no longer the primary, so the pool drops it. */
const readOnly = "25006";

/**
 * Replaces Drizzle's transaction. Drizzle loses the connection when `begin` fails, which happens to every idle connection after a restart
 * of the server: ten failures empty the pool permanently. It also returns a connection to the pool whose rollback failed. This function
 * always releases the connection, or destroys it if it is broken.
 */
export function createTransaction(pool: pg.Pool): NodePgDatabase["transaction"] {
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
export function createSendTransaction(pool: pg.Pool): SendTransaction {
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
export function createPipelinedTransaction(pool: pg.Pool): PipelinedTransaction {
  return async (work, { lockMs, startsWithWrites = false }) => {
    const client = await pool.connect();
    const { connection, isEnded, end } = guardTransaction(client);
    const limits = (lock: number) => `; set local lock_timeout = ${lock}; set local statement_timeout = ${lock + 500}`;
    const begin = `begin${lockMs === undefined ? "" : limits(Math.ceil(lockMs))}`;
    const begun = startsWithWrites ? counted(connection) : beginWithFirst(connection, begin);
    let committed: Promise<void> | undefined;
    const commit = (): Promise<void> => (committed ??= commitOn(connection));
    let isReadOnly = false;
    try {
      if (startsWithWrites) await connection.query({ text: begin });
      const ending = { sentCount: begun.sentCount, commit };
      const tx = Object.assign(drizzlePg(begun.connection), statementsOn(begun.connection), { ending });
      const result = await work(tx as Tx);
      if (startsWithWrites || begun.sentCount() > 0) await commit();
      return result;
    } catch (error) {
      isReadOnly = sqlState(error) === readOnly;
      // A rollback that fails leaves the transaction open, so that the connection is destroyed.
      if ((startsWithWrites || begun.sentCount() > 0) && !isEnded()) await connection.query({ text: "rollback" }).catch(() => {});
      throw error;
    } finally {
      client.release(!end() || isReadOnly);
    }
  };
}

type CountedConnection = { connection: pg.PoolClient; sentCount(): number };

function counted(connection: pg.PoolClient): CountedConnection {
  let count = 0;
  const query = (statement: pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult> => {
    count += 1;
    return connection.query(statement, values);
  };
  return { connection: { query } as unknown as pg.PoolClient, sentCount: () => count };
}

/** Sends `begin` in one packet with the first statement, which fails if `begin` does; then nothing more is sent. */
function beginWithFirst(connection: pg.PoolClient, begin: string): CountedConnection {
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
