import { getTableColumns, sql, type Param, type Placeholder, type SQL } from "drizzle-orm";
import { PgDialect, type PgDatabase, type PgQueryResultHKT, type PgTable } from "drizzle-orm/pg-core";
import { timeForStatements } from "./concurrency/deadline.ts";

/** The database: PostgreSQL through `pg`, or PGlite in the process, with the same SQL. */
export type Db = PgDatabase<PgQueryResultHKT> & {
  sendTransaction?: SendTransaction;
  pipelinedTransaction?: PipelinedTransaction;
  sendNamed?: SendNamed;
  prepared?: PreparedQueries;
};
/** Sends a whole transaction at once, `begin` and `commit` included. Absent where each statement is a round trip of its own. */
export type SendTransaction = (build: (tx: Tx) => readonly BuiltQuery<unknown>[]) => Promise<unknown[]>;
/** Runs `work` in one transaction, see `inPipelinedTransaction`. Absent where each statement is a round trip of its own. */
export type PipelinedTransaction = <T>(work: (tx: Tx) => Promise<T>, limits: PipelineLimits) => Promise<T>;
export type PipelineLimits = { lockMs?: number; startsWithWrites?: boolean };
/**
 * Sends a statement by its text. The server prepares it once on each connection, by its name, or without one when it is sent often.
 * Absent on PGlite.
 */
export type SendNamed = (statement: { name?: string; text: string; values: unknown[] }) => Promise<{ rows: unknown[] }>;
/**
 * `builder` builds queries without a connection; `run` executes such a query on the connection of the caller, in its transaction. Absent on
 * PGlite.
 */
export type PreparedQueries = { builder: Db; run<T>(execute: () => Promise<T>): Promise<T> };
/**
 * A transaction. Its callback must use `tx` only: on PGlite, a query of the outer `db` would wait for the transaction itself.
 */
export type Tx = Db & { ending?: TransactionEnding };
/** For `pipelineAndCommit`: how many statements were sent in the transaction so far, and its end. */
export type TransactionEnding = { sentCount(): number; commit(): Promise<void> };

/** The rows of a statement in SQL. Drizzle types the result of `execute` per driver; both drivers return `rows`. */
export const rowsOf = async <T>(db: Db, query: SQL): Promise<T[]> => ((await db.execute(query)) as unknown as { rows: T[] }).rows;

/** An instant as a value in a statement in SQL. */
export const instant = (moment: Date): SQL => sql`${moment.toISOString()}::timestamptz`;

/** A condition or a value as a part of another module's statement. */
export type Expression = SQL;
/** Whether the table has a row that matches. */
export const hasRow = (table: PgTable, where: SQL | undefined): Expression => sql`exists(select from ${table} where ${where})`;

/** Evaluates a condition by itself. */
export const isTrue = async (db: Db, condition: Expression): Promise<boolean> =>
  (await rowsOf<{ is: boolean }>(db, sql`select ${condition} as "is"`))[0]?.is === true;

/** A query of ids that was built and not sent, for the condition of another module's query. */
export type IdQuery = SQL;

/** SQLSTATE of a failed query, from the driver's error or the one that Drizzle wraps. */
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
 * Runs `work` in one transaction and repeats it up to three times after a deadlock or a serialisation failure,
 * so `work` must have no effects outside `tx`.
 */
export const inTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  withRetries(() => db.transaction((tx) => work(tx as Tx)));

/**
 * The same with fewer round trips: `begin` is sent together with the first statements of `work`, and `pipelineAndCommit` sends `commit`
 * together with the last ones. The server would execute the first statements by themselves if it refused `begin`, so these only lock and
 * read; `startsWithWrites`: they do not, so `begin` is a round trip of its own. `lockMs`: how long a statement waits for a lock; it may
 * take half a second longer, whatever time its request has left. Without it the limits are those of `inTransaction`.
 */
export const inPipelinedTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>, limits: PipelineLimits = {}): Promise<T> =>
  withRetries(() => (db.pipelinedTransaction ? db.pipelinedTransaction(work, limits) : db.transaction((tx) => work(tx as Tx))));

async function withRetries<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      const state = sqlState(error);
      if ((state !== deadlock && state !== serialisation) || attempt > 3) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20 * attempt));
    }
  }
}

/** A query that Drizzle has built and not sent yet. */
export type BuiltQuery<T> = PromiseLike<T> & { execute: (...values: never[]) => unknown };

/** Statements of one module and the result that their answers make: what its service offers to the repository of another module. */
export type QueryBatch<T> = { readonly statements: readonly BuiltQuery<unknown>[]; readonly resultOf: (answers: readonly unknown[]) => T };

type Parts<T extends readonly unknown[]> = readonly [...{ [K in keyof T]: BuiltQuery<T[K]> | QueryBatch<T[K]> }];

/** Puts statements, and batches of other modules, into one batch. Nothing is sent yet; see `pipeline`. */
export function batch<T extends readonly unknown[], R>(parts: Parts<T>, resultOf: (results: T) => R): QueryBatch<R> {
  const batches = (parts as readonly (BuiltQuery<unknown> | QueryBatch<unknown>)[]).map((part): QueryBatch<unknown> => {
    return "statements" in part ? part : { statements: [part], resultOf: ([answer]) => answer };
  });
  return {
    statements: batches.flatMap(({ statements }) => statements),
    resultOf: (answers) => {
      let from = 0;
      const results = batches.map((each) => each.resultOf(answers.slice(from, (from += each.statements.length))));
      return resultOf(results as unknown as T);
    },
  };
}

/** The same statements with another result. */
export const mapBatch = <T, R>(from: QueryBatch<T>, change: (result: T) => R): QueryBatch<R> =>
  batch<[T], R>([from], ([result]) => change(result));

/**
 * For repositories: sends statements of one transaction in one round trip, so none may need the answer of another. The server executes them
 * in the order of the list, each with a snapshot of its own: a read behind a lock sees what the lock waited for. When one fails,
 * PostgreSQL refuses those behind it. (node-postgres, "Pipelining": https://node-postgres.com/features/pipelining; PGlite sends them one by
 * one.)
 */
export const pipeline = <T extends readonly unknown[]>(parts: Parts<T>): Promise<T> => sendAll(parts).results;

function sendAll<T extends readonly unknown[]>(parts: Parts<T>): { count: number; results: Promise<T> } {
  const { statements, resultOf } = batch<T, T>(parts, (results) => results);
  // `then` of a built query sends it at once, so the order of the list is the order on the wire.
  const sent = withJoinedWrites(statements).map(({ query, count }) => ({
    count,
    answer: new Promise<unknown>((resolve, reject) => void query.then(resolve, reject)),
  }));
  return { count: sent.length, results: resultsOf(sent).then(resultOf) };
}

async function resultsOf(sent: readonly { count: number; answer: Promise<unknown> }[]): Promise<unknown[]> {
  // The first error in their order is the cause: PostgreSQL refuses what follows it in the transaction, and that answer may be seen
  // earlier.
  const settled = await Promise.allSettled(sent.map(({ answer }) => answer));
  const answers: unknown[] = [];
  for (const [index, each] of settled.entries()) {
    if (each.status === "rejected") throw each.reason;
    answers.push(...Array<unknown>(sent[index]?.count ?? 0).fill(each.value));
  }
  return answers;
}

/**
 * The same with the end of a transaction (`inPipelinedTransaction`): nothing may follow it. When a statement fails, PostgreSQL refuses
 * those behind it and answers `commit` with a rollback, so each statement must fail when it may not be committed.
 */
export async function pipelineAndCommit<T extends readonly unknown[]>(tx: Tx, parts: Parts<T>): Promise<T> {
  const before = tx.ending?.sentCount() ?? 0;
  const { count, results } = sendAll(parts);
  // A statement that is sent later than it is awaited would come behind the commit; without `ending` the transaction ends by itself.
  if (!tx.ending || tx.ending.sentCount() !== before + count) return results;
  const [answers, committed] = await Promise.allSettled([results, tx.ending.commit()]);
  if (answers.status === "rejected") throw answers.reason;
  if (committed.status === "rejected") throw committed.reason;
  return answers.value;
}

/** The same query; its failures with this SQLSTATE become other errors. */
export const withFailure = <T>(query: BuiltQuery<T>, state: string, failure: () => Error): BuiltQuery<T> =>
  lazily(
    () =>
      new Promise((resolve, reject) => {
        void query.then(resolve, (error: unknown) => reject(sqlState(error) === state ? failure() : error));
      }),
  );

/** Writes (`insertRows`, `writeStatement`) that follow each other become one statement; `count`: how many a query stands for. */
function withJoinedWrites(statements: readonly BuiltQuery<unknown>[]): { query: BuiltQuery<unknown>; count: number }[] {
  const joined: { query: BuiltQuery<unknown>; count: number; writes: Write[] }[] = [];
  for (const query of statements) {
    const write = writeOf.get(query);
    const last = joined.at(-1);
    if (write && last?.writes[0]?.send === write.send) {
      last.writes.push(write);
      last.count += 1;
      last.query = lazily(() => sendWrites(last.writes));
    } else joined.push({ query, count: 1, writes: write ? [write] : [] });
  }
  return joined;
}

/**
 * For repositories: a whole transaction in one round trip, `begin` and `commit` included. Only for statements of which each is right by
 * itself and may be repeated, because nothing can be decided between them, and because the server executes them one by one if it refuses
 * `begin`. Reads see what the statements before them wrote.
 */
export async function pipelineTransaction<T extends readonly unknown[]>(db: Db, parts: (tx: Tx) => Parts<T>): Promise<T> {
  const { sendTransaction } = db;
  if (!sendTransaction) return inTransaction(db, (tx) => pipeline(parts(tx)));
  return withRetries(async () => {
    let resultOf: (answers: readonly unknown[]) => T = () => [] as unknown as T;
    const answers = await sendTransaction((tx) => {
      const all = batch<T, T>(parts(tx), (results) => results);
      resultOf = all.resultOf;
      return all.statements;
    });
    return resultOf(answers);
  });
}

/**
 * For repositories: a statement that is sent very often. Its text is built once, and the server parses it once on each connection. `value`
 * marks the place of a value, with its type (`${value("id")}::int`). Names are unique. Like a query of Drizzle it is sent when it is
 * awaited.
 */
export function namedStatement<Values extends Record<string, unknown>, Row>(
  name: string,
  statement: StatementOf<Values>,
): (db: Db, values: Values) => BuiltQuery<Row[]> {
  const built = builtOnce(statement);
  const send = async (db: Db, values: Values): Promise<Row[]> => {
    // `await` would call `then`, which sends the query, only after the statements that follow this one in a pipeline were sent.
    if (!db.sendNamed) return db.execute(withValues(statement, values)).then((result) => (result as unknown as { rows: Row[] }).rows);
    const { text, keys } = built();
    return (await db.sendNamed({ name, text, values: keys.map((key) => values[key]) })).rows as Row[];
  };
  return (db, values) => lazily(() => send(db, values));
}

type StatementOf<Values> = (value: (key: keyof Values & string) => SQL) => SQL;
const withValues = <Values>(statement: StatementOf<Values>, values: Values): SQL => statement((key) => sql`${sql.param(values[key])}`);

/** The text of a statement and the keys of its values in their order, built with the first call. */
function builtOnce<Values>(statement: StatementOf<Values>): () => { text: string; keys: string[] } {
  let built: { text: string; keys: string[] } | null = null;
  return () => {
    if (built) return built;
    const { sql: text, params } = new PgDialect().sqlToQuery(statement((key) => sql`${sql.placeholder(key)}`));
    built = { text, keys: (params as { name: string }[]).map((each) => each.name) };
    return built;
  };
}

/**
 * For repositories: a write without a result that is sent very often; its text is built once. `pipeline` sends it as one statement with the
 * writes and insertions next to it, so it neither reads nor changes what they write, and has no `with` of its own.
 */
export function writeStatement<Values extends Record<string, unknown>>(
  statement: StatementOf<Values>,
): (db: Db, values: Values) => BuiltQuery<unknown> {
  const built = builtOnce(statement);
  let part: WritePart | null = null;
  return (db, values) => {
    if (!db.sendNamed) return lazily(() => db.execute(withValues(statement, values)));
    const { text, keys } = built();
    part ??= { id: (writePartCount += 1), text, valueCount: keys.length };
    return joinable({ send: db.sendNamed, part, values: () => keys.map((key) => values[key]) });
  };
}

/** The places of values in a prepared query, by their names. */
export type Placeholders<Values> = { readonly [Key in keyof Values]: Placeholder<string, Values[Key]> };
type Preparable<Result> = { prepare(name: string): { execute(values?: Record<string, unknown>): Promise<Result> } };

const placeholders = new Proxy(
  {},
  {
    get: (_, name) => sql.placeholder(String(name)),
    ownKeys() {
      throw new Error("the placeholders of a query are named one by one");
    },
  },
);

/**
 * For repositories: a query of Drizzle that is sent very often. It is built and prepared once (Drizzle, "Prepared statements"), for all
 * connections, and is sent on that of `db` when it is awaited. `build` gets placeholders in place of values; values are not null. Names are
 * unique.
 */
export function preparedQuery<Values extends Record<string, unknown>, Result>(
  name: string,
  build: (db: Db, value: Placeholders<Values>) => Preparable<Result>,
): (db: Db, values: Values) => BuiltQuery<Result> {
  const prepare = (db: Db) => build(db, placeholders as Placeholders<Values>).prepare(name);
  let query: ReturnType<typeof prepare> | null = null;
  return (db, values) =>
    lazily(async () => {
      if (!db.prepared) return prepare(db).execute(values);
      const ready = (query ??= prepare(db.prepared.builder));
      return db.prepared.run(() => ready.execute(values));
    });
}

/** A query that is sent when it is awaited, as those of Drizzle. */
const lazily = <T>(send: () => Promise<T>): BuiltQuery<T> => ({
  execute: send,
  // oxlint-disable-next-line unicorn/no-thenable -- `then` sends a query of Drizzle, too
  then: (onDone, onFailed) => send().then(onDone, onFailed),
});

type Row = Record<string, unknown>;
/** A write that `pipeline` may join with others. */
type Write = { send: SendNamed; part: WritePart; values(): unknown[] };
/** The text of a write with the places `$1` to `$<valueCount>`. Parts with one id are equal. */
type WritePart = { id: number; text: string; valueCount: number };
let writePartCount = 0;
/** The writes behind the queries of `insertRows` and `writeStatement`. */
const writeOf = new WeakMap<BuiltQuery<unknown>, Write>();

function joinable(write: Write): BuiltQuery<unknown> {
  const query = lazily(() => sendWrites([write]));
  writeOf.set(query, write);
  return query;
}

/** At least one, all of one transaction. */
async function sendWrites(writes: readonly Write[]): Promise<unknown> {
  const [{ send } = { send: null }] = writes;
  return send?.({ text: joinedText(writes.map(({ part }) => part)), values: writes.flatMap(({ values }) => values()) });
}

const joinedTexts = new Map<string, string>();

/** One statement that makes all of these writes; the order in which PostgreSQL makes them is not defined. */
function joinedText(parts: readonly WritePart[]): string {
  const [first = { text: "", valueCount: 0 }, ...others] = parts;
  if (others.length === 0) return first.text;
  const key = parts.map(({ id }) => id).join(" ");
  const known = joinedTexts.get(key);
  if (known !== undefined) return known;
  let offset = first.valueCount;
  const named = others.map(({ text, valueCount }, index) => {
    const from = offset;
    offset += valueCount;
    return `write_${index + 2} as (${text.replaceAll(/\$(\d+)/g, (_, place: string) => `$${Number(place) + from}`)})`;
  });
  const joined = `with ${named.join(", ")} ${first.text}`;
  joinedTexts.set(key, joined);
  return joined;
}

type InsertText = WritePart & { places: readonly (readonly [row: number, key: string])[] };
const insertTexts = new Map<PgTable, Map<string, InsertText>>();
/** Insertions of more rows are seldom, and each number of rows has a text of its own. */
const maxCachedRows = 8;

/**
 * For repositories: an insertion that is made very often. Rows have plain values, no expressions, and are as Drizzle's `insert` takes them.
 * `skipExisting`: rows that conflict with stored ones are left out. Its text is built once for each set of columns and number of rows:
 * building it takes Node longer than PostgreSQL needs for the row. Like a query of Drizzle it is sent when it is awaited. `pipeline` sends
 * insertions that follow each other as one statement; PostgreSQL checks foreign keys at its end.
 */
export function insertRows<Table extends PgTable>(
  tx: Tx,
  table: Table,
  rows: readonly Table["$inferInsert"][],
  { skipExisting = false } = {},
): BuiltQuery<unknown> {
  const insertion = (values: readonly Table["$inferInsert"][]) => {
    const query = tx.insert(table).values([...values]);
    return skipExisting ? query.onConflictDoNothing() : query;
  };
  const { sendNamed } = tx;
  if (!sendNamed || rows.length > maxCachedRows) return insertion(rows);
  const text = insertText(table, rows, skipExisting, (values) => insertion(values as Table["$inferInsert"][]).toSQL());
  return joinable({ send: sendNamed, part: text, values: () => valuesOf(table, text, rows) });
}

function valuesOf(table: PgTable, { places }: InsertText, rows: readonly Row[]): unknown[] {
  const columns = getTableColumns(table);
  return places.map(([row, key]) => {
    const value = rows[row]?.[key];
    return value === null ? null : columns[key]?.mapToDriverValue(value);
  });
}

/** The text of an insertion into these columns, and the row and column of each of its values. */
function insertText(
  table: PgTable,
  rows: readonly Row[],
  skipExisting: boolean,
  build: (values: Record<string, Placeholder>[]) => { sql: string; params: unknown[] },
): InsertText {
  const given = rows.map((row) => Object.keys(row).filter((key) => row[key] !== undefined));
  const shape = `${skipExisting} ${given.map((keys) => keys.join()).join(";")}`;
  const texts = insertTexts.get(table) ?? new Map<string, InsertText>();
  insertTexts.set(table, texts);
  const known = texts.get(shape);
  if (known) return known;
  const built = build(given.map((keys, row) => Object.fromEntries(keys.map((key) => [key, sql.placeholder(`${row} ${key}`)]))));
  const places = (built.params as Param<Placeholder>[]).map(({ value: { name } }) => {
    const at = name.indexOf(" ");
    return [Number(name.slice(0, at)), name.slice(at + 1)] as const;
  });
  const made = { id: (writePartCount += 1), text: built.sql, valueCount: places.length, places };
  texts.set(shape, made);
  return made;
}

/** Lets this transaction wait for locks longer than others may, but not longer than its request may send statements. */
export function waitUpTo(tx: Tx, milliseconds: number): BuiltQuery<unknown> {
  const lockMs = Math.max(1, Math.floor(Math.min(milliseconds, timeForStatements())));
  return setTimeouts(tx, { lock: String(lockMs), statement: String(lockMs + 500) });
}

const setTimeouts = namedStatement<{ lock: string; statement: string }, unknown>(
  "lock_timeout",
  (value) =>
    sql`select set_config('lock_timeout', ${value("lock")}::text, true),
      set_config('statement_timeout', ${value("statement")}::text, true)`,
);

const batchRows = 1_000;

/**
 * Deletes the rows of a table that match, in statements of their own of at most a thousand rows, so that no statement is long and other
 * work comes in between. May be interrupted; returns how many were deleted. Not inside a transaction.
 */
export async function deleteInBatches(db: Db, table: PgTable, where: SQL | undefined, limit = batchRows): Promise<number> {
  if (!where) throw new Error("deleteInBatches needs a condition");
  for (let deleted = 0; ;) {
    const result: unknown = await db.execute(
      sql`delete from ${table} where ctid = any(array(select ctid from ${table} where ${where} limit ${limit})) returning 1 as one`,
    );
    const count = (result as { rows: unknown[] }).rows.length;
    deleted += count;
    if (count < limit) return deleted;
  }
}
