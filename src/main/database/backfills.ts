/** Rows that one statement may change: its locks last as long as it does. */
const batch = 500;

/**
 * Values that a migration gives to the rows of a large table, in batches after it: within the migration they would be written under the exclusive
 * lock of its `alter table` (migrations.test.ts). Each statement changes at most a batch of what still lacks its value, and nothing when none does.
 */
const backfills: readonly string[] = [
  // 0004: orders of guests keep personal data for five years from the day they were made; an anonymised one has no phone any more.
  `update orders set forget_at = created_at + interval '1826 days' where id in (
     select id from orders where customer_id is null and forget_at is null and "user"->>'phone' <> '' limit ${batch} for update skip locked)`,
];

/** Fills in what is missing. `change` runs one statement in a transaction of its own and returns how many rows it changed. */
export async function fillIn(change: (statement: string) => Promise<number>): Promise<void> {
  for (const statement of backfills) while ((await change(statement)) === batch);
}
