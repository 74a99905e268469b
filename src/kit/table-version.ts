import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";

type Marked = PgTable & { updatedAt: AnyPgColumn };

/**
 * A string that changes whenever a row of the table is added, removed or marked in `updated_at`. The sum sees every change, also one whose
 * transaction set an earlier time than another but committed after it; the newest time alone would miss it.
 */
export const tableVersion = (table: Marked): SQL => versionOf(sql`select ${table.updatedAt} as at from ${table}`);

/**
 * The same of the rows that were marked last, at most `count`: cheap for a table of any length that has an index of `updated_at`. It misses
 * a removed row, and a transaction that committed after `count` later marks; `tableVersion` sees both.
 */
export const newestMarks = (table: Marked, count: number): SQL =>
  versionOf(sql`select ${table.updatedAt} as at from ${table} order by ${table.updatedAt} desc limit ${sql.raw(String(count))}`);

/** `marks`: a query of the times `at`. */
const versionOf = (marks: SQL): SQL =>
  sql`(select coalesce(max(at)::text, '') || '/' || count(*) || '/' || coalesce(sum(at - timestamptz '2020-01-01')::text, '')
    from (${marks}) as marks)`;
