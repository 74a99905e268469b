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
 * Takes statements whose answers decide nothing any more: they leave together with the commit, and nobody waits for them before it.
 * They are done when the transaction is. Whatever is asked in the same turn before and after keeps its place.
 */
export type AtLast = <T>(asked: PromiseLike<T>) => Promise<T>;

/**
 * Runs `work` in one transaction and repeats it up to three times when PostgreSQL broke it off
 * for a deadlock or a serialisation failure, so `work` must have no effect outside `tx`.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx, atLast: AtLast) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const last: Promise<unknown>[] = [];
    const atLast: AtLast = (asked) => {
      const answer = Promise.resolve(asked);
      answer.catch(() => {}); // heard of below
      last.push(answer);
      return answer;
    };
    try {
      const done = await db.transaction((tx) => work(tx as Tx, atLast));
      await Promise.all(last); // had one failed, the database has taken everything back in place of the commit
      return done;
    } catch (error) {
      const state = sqlState(error);
      if ((state !== deadlock && state !== serialisation) || attempt > 3) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20 * attempt));
    }
  }
}

/** Asks several questions in one crossing of the line and on one connection; they are answered in their order, none by an older state than the one before it. */
export async function together<T extends readonly unknown[]>(
  db: Db,
  ask: (tx: Tx) => readonly [...{ [K in keyof T]: PromiseLike<T[K]> }],
): Promise<T> {
  const { answers } = await inTransaction(db, async (tx, atLast) => ({
    answers: atLast(Promise.all<unknown>(ask(tx) as readonly PromiseLike<unknown>[])),
  }));
  return (await answers) as unknown as T;
}

/** Lets this transaction wait longer than others may for the one ahead of it, as the second of two equal calls does. */
export async function waitUpTo(tx: Tx, milliseconds: number): Promise<void> {
  await tx.execute(
    sql`select set_config('lock_timeout', ${String(milliseconds)}, true), set_config('statement_timeout', ${String(milliseconds + 500)}, true)`,
  );
}
