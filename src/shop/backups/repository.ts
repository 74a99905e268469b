import { desc, lt } from "drizzle-orm";
import { deleteInBatches, type Db } from "#kit/db.ts";
import type { Proof } from "./proof.ts";
import { backupProofs } from "./tables.ts";

export async function last(db: Db): Promise<Proof | null> {
  const [row] = await db.select().from(backupProofs).orderBy(desc(backupProofs.provedAt)).limit(1);
  return row ?? null;
}

export async function deleteBefore(db: Db, moment: Date): Promise<void> {
  await deleteInBatches(db, backupProofs, lt(backupProofs.provedAt, moment));
}
