/** Maximum rows of one statement. Its row locks last as long as the statement. */
const batch = 500;

/**
 * Fills new columns of large tables in batches after the migration. Inside the migration the update would run under the exclusive lock of
 * its `alter table` (migrations.test.ts). Each statement changes at most one batch of the rows that lack a value, and none when all have
 * one.
 */
const backfills: readonly string[] = [
  // 0004: personal data in guests' orders is kept for five years from the order. An anonymised order has no phone.
  `update orders set forget_at = created_at + interval '1826 days' where id in (
     select id from orders where customer_id is null and forget_at is null and "user"->>'phone' <> ''
      limit ${batch} for update skip locked)`,
];

/** Runs all backfills. `change` runs one statement in its own transaction and returns how many rows it changed. */
export async function runBackfills(change: (statement: string) => Promise<number>): Promise<void> {
  for (const statement of backfills) while ((await change(statement)) === batch);
}
