import { getTableColumns, sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/**
 * The update half of an upsert: takes over every column but `kept` (and marks the row in `updated_at`, if it has one),
 * only where one of them differs, so that importing the same file again writes nothing.
 */
export function whereItDiffers(table: PgTable, kept: readonly string[]): { set: Record<string, SQL>; setWhere: SQL } {
  const columns = getTableColumns(table);
  const taken = Object.entries(columns).filter(([key]) => !kept.includes(key) && key !== "updatedAt");
  const excluded = (key: string) => sql`excluded.${sql.identifier(key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))}`;
  return {
    set: {
      ...Object.fromEntries(taken.map(([key]) => [key, excluded(key)])),
      ...("updatedAt" in columns ? { updatedAt: sql`clock_timestamp()` } : {}),
    },
    setWhere: sql`(${sql.join(
      taken.map(([, column]) => sql`${column}`),
      sql`, `,
    )}) is distinct from (${sql.join(
      taken.map(([key]) => excluded(key)),
      sql`, `,
    )})`,
  };
}
