import type { Tx } from "#kit/db.ts";
import type { AuditEntry } from "./audit.ts";
import { auditEntries } from "./tables.ts";

export async function append(tx: Tx, { origin, before, after, ...entry }: Omit<AuditEntry, "id">): Promise<void> {
  await tx.insert(auditEntries).values({
    ...entry,
    before: before ?? null,
    after: after ?? null,
    address: origin?.address ?? null,
    userAgent: origin?.userAgent ?? null,
  });
}
