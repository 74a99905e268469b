import { and, asc, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { privacyRequests } from "../tables.ts";
import type { PrivacyRequest, PrivacyRequestKind } from "./privacy-request.ts";

type Row = typeof privacyRequests.$inferSelect;
/** The table's checks allow only these kinds and states. */
const toRequest = (row: Row): PrivacyRequest => ({
  ...row,
  kind: row.kind as PrivacyRequestKind,
  state: row.state as PrivacyRequest["state"],
});

/** Open ones with the earliest due day first, done ones with the latest first; behind the cursor. */
export async function ofState(
  db: Db,
  state: PrivacyRequest["state"],
  after: { dueOn: string; id: number } | null,
  limit: number,
): Promise<PrivacyRequest[]> {
  const { dueOn, id } = privacyRequests;
  const place = after && sql`(${after.dueOn}::date, ${after.id}::bigint)`;
  const behind: SQL | undefined = place
    ? state === "open"
      ? sql`(${dueOn}, ${id}) > ${place}`
      : sql`(${dueOn}, ${id}) < ${place}`
    : undefined;
  const found = await db
    .select()
    .from(privacyRequests)
    .where(and(eq(privacyRequests.state, state), behind))
    .orderBy(...(state === "open" ? [asc(dueOn), asc(id)] : [desc(dueOn), desc(id)]))
    .limit(limit);
  return found.map(toRequest);
}

export async function insert(tx: Tx, row: typeof privacyRequests.$inferInsert): Promise<PrivacyRequest> {
  const [made] = await tx.insert(privacyRequests).values(row).returning();
  if (!made) throw new Error("a request about personal data was not stored");
  return toRequest(made);
}

export async function lock(tx: Tx, id: number): Promise<PrivacyRequest | null> {
  const [row] = await tx.select().from(privacyRequests).where(eq(privacyRequests.id, id)).for("update");
  return row ? toRequest(row) : null;
}

export async function finish(tx: Tx, id: number, done: { outcome: string; doneAt: Date; doneBy: string }): Promise<PrivacyRequest> {
  const [row] = await tx
    .update(privacyRequests)
    .set({ ...done, state: "done", revision: sql`${privacyRequests.revision} + 1` })
    .where(eq(privacyRequests.id, id))
    .returning();
  if (!row) throw new Error(`request ${id} is gone`);
  return toRequest(row);
}
