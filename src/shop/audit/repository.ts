import { and, desc, eq, gte, like, lt, or } from "drizzle-orm";
import { chunks } from "#kit/concurrency/chunks.ts";
import type { Db, Tx } from "#kit/db.ts";
import type { AuditEntry, AuditFilter } from "./audit.ts";
import { auditEntries } from "./tables.ts";

/** Inserts one entry, with the address and browser of its request where there is one. */
export async function append(tx: Tx, { origin, before, after, ...entry }: Omit<AuditEntry, "id">): Promise<void> {
  await tx.insert(auditEntries).values({
    ...entry,
    before: before ?? null,
    after: after ?? null,
    address: origin?.address ?? null,
    userAgent: origin?.userAgent ?? null,
  });
}

/** The same for many entries, in a few statements. */
export async function appendAll(tx: Tx, entries: readonly Omit<AuditEntry, "id" | "origin">[]): Promise<void> {
  for (const some of chunks(entries, 1_000))
    await tx
      .insert(auditEntries)
      .values(some.map(({ before, after, ...entry }) => ({ ...entry, before: before ?? null, after: after ?? null })));
}

/** Newest first; `before`: the id of the last entry of the page before. */
export async function list(
  db: Db,
  { actor, subject, action, from, till }: AuditFilter,
  { before, limit }: { before: number | null; limit: number },
): Promise<AuditEntry[]> {
  const found = await db
    .select()
    .from(auditEntries)
    .where(
      and(
        actor === null ? undefined : eq(auditEntries.actor, actor),
        subject === null ? undefined : eq(auditEntries.subject, subject),
        action === null ? undefined : or(eq(auditEntries.action, action), like(auditEntries.action, `${action.replaceAll("_", "\\_")}.%`)),
        from === null ? undefined : gte(auditEntries.at, from),
        till === null ? undefined : lt(auditEntries.at, till),
        before === null ? undefined : lt(auditEntries.id, before),
      ),
    )
    .orderBy(desc(auditEntries.id))
    .limit(limit);
  return found.map(({ address, userAgent, before: was, after, ...entry }) => ({
    ...entry,
    ...(was === null ? {} : { before: was as Record<string, unknown> }),
    ...(after === null ? {} : { after: after as Record<string, unknown> }),
    origin: address === null ? null : { address, userAgent: userAgent ?? "" },
  }));
}
