import { sql } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

/** One dialect, two engines: PostgreSQL through `pg`, or PGlite inside the process. */
export type Db = PgDatabase<PgQueryResultHKT>;
/** A transaction has the same verbs. Inside a transaction callback use `tx` only: on PGlite the outer `db` would wait for itself. */
export type Tx = Db;

/** SQLSTATE of a failed query, wherever the driver and Drizzle put it. */
export function sqlState(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at && depth < 5; at = (at as { cause?: unknown }).cause, depth += 1) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}

const deadlock = "40P01";
const serialisation = "40001";

/**
 * Runs `work` in one transaction and repeats it up to three times when PostgreSQL broke it off
 * for a deadlock or a serialisation failure, so `work` must have no effect outside `tx`.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction((tx) => work(tx as Tx));
    } catch (error) {
      const state = sqlState(error);
      if ((state !== deadlock && state !== serialisation) || attempt > 3) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20 * attempt));
    }
  }
}

/** Lets this transaction wait longer than others may for the one ahead of it, as the second of two equal calls does. */
export async function waitUpTo(tx: Tx, milliseconds: number): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${String(milliseconds)}, true), set_config('statement_timeout', ${String(milliseconds + 500)}, true)`);
}
