import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";

/**
 * A string that changes whenever a row of the table is added, removed or marked in `updated_at`. The sum sees every change, also one whose
 * transaction set an earlier time than another but committed after it; the newest time alone would miss it.
 */
export const tableVersion = (table: PgTable & { updatedAt: AnyPgColumn }): SQL =>
  sql`(select coalesce(max(${table.updatedAt})::text, '') || '/' || count(*) || '/' ||
    coalesce(sum(${table.updatedAt} - timestamptz '2020-01-01')::text, '') from ${table})`;

/**
 * The same of the rows that were marked last, at most `count`: cheap for a table of any length that has an index of `updated_at`. It misses
 * a removed row, and a transaction that committed after `count` later marks; `tableVersion` sees both.
 */
export const newestMarks = (table: PgTable & { updatedAt: AnyPgColumn }, count: number): SQL =>
  sql`(select coalesce(max(at)::text, '') || '/' || count(*) || '/' || coalesce(sum(at - timestamptz '2020-01-01')::text, '')
    from (select ${table.updatedAt} as at from ${table} order by ${table.updatedAt} desc limit ${sql.raw(String(count))}) as newest)`;
