import { alias } from "drizzle-orm/pg-core";
import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, min, ne, notInArray, or, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { approvals, staff } from "../tables.ts";
import { actionsAboutMember, unsuccessful, type Approval, type ApprovalPart, type ApprovalState } from "./approval.ts";

/** First number of the advisory locks of askers. */
const askerLocks = 7301;

const asker = alias(staff, "asker");
const decider = alias(staff, "decider");

const select = (db: Db) =>
  db
    .select({
      approval: approvals,
      askedBy: { id: asker.id, login: asker.login, name: asker.name },
      decidedBy: { id: decider.id, login: decider.login, name: decider.name },
    })
    .from(approvals)
    .innerJoin(asker, eq(asker.id, approvals.askedBy))
    .leftJoin(decider, eq(decider.id, approvals.decidedBy));

type Row = Awaited<ReturnType<typeof select>>[number];
const approvalOf = ({ approval: { withdrawnAt, ...approval }, askedBy, decidedBy }: Row): Approval => ({
  ...approval,
  state: withdrawnAt === null ? (approval.state as ApprovalState) : "withdrawn",
  shown: approval.shown as Approval["shown"],
  askedBy,
  decidedBy,
});

type Asked = Pick<Approval, "id" | "call" | "action" | "permission" | "input" | "hash" | "reason" | "askedAt" | "expiresAt"> & {
  askedBy: number;
  /** As it is, or `{ sealed }`. */
  shown: unknown;
};

export async function insert(tx: Tx, row: Asked): Promise<void> {
  await tx.insert(approvals).values({ ...row, state: "waiting" });
}

export async function lockAsker(tx: Tx, staffId: number): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${askerLocks}, ${staffId}::int)`);
}

export async function find(db: Db, id: string): Promise<Approval | null> {
  const [row] = await select(db).where(eq(approvals.id, id));
  return row ? approvalOf(row) : null;
}

export async function lock(tx: Tx, id: string): Promise<Approval | null> {
  const [row] = await select(tx).where(eq(approvals.id, id)).for("update", { of: approvals });
  return row ? approvalOf(row) : null;
}

/** Requested by this member of staff, not done, and not noted as seen. */
const isUnseen = (now: Date, askedBy: number) =>
  and(
    eq(approvals.askedBy, askedBy),
    isNull(approvals.seenAt),
    or(inArray(approvals.state, [...unsuccessful]), and(eq(approvals.state, "waiting"), lte(approvals.expiresAt, now))),
  );

export async function list(
  db: Db,
  filter: {
    part: ApprovalPart;
    viewer: number;
    permissions: readonly string[];
    area: string | null;
    record: string | null;
    before: { askedAt: Date; id: string } | null;
    limit: number;
  },
  now: Date,
): Promise<Approval[]> {
  const { part, viewer, permissions, area, record, before, limit } = filter;
  const isOpen = and(eq(approvals.state, "waiting"), gt(approvals.expiresAt, now));
  const isVisible = or(eq(approvals.askedBy, viewer), permissions.length > 0 ? inArray(approvals.permission, [...permissions]) : undefined);
  const found = await select(db)
    .where(
      and(
        {
          waiting: isOpen,
          decided: or(ne(approvals.state, "waiting"), lte(approvals.expiresAt, now)),
          open: or(isOpen, isUnseen(now, viewer)),
        }[part],
        isVisible,
        area === null ? undefined : sql`split_part(${approvals.action}, '.', 1) = ${area}`,
        record === null
          ? undefined
          : sql`exists (select from jsonb_each_text(${approvals.input} -> 'params') param where param.value = ${record})`,
        before ? sql`(${approvals.askedAt}, ${approvals.id}) < (${before.askedAt.toISOString()}::timestamptz, ${before.id})` : undefined,
      ),
    )
    .orderBy(desc(approvals.askedAt), desc(approvals.id))
    .limit(limit);
  return found.map(approvalOf);
}

export async function listWaiting(db: Db, now: Date, limit: number): Promise<Approval[]> {
  const isOpen = and(eq(approvals.state, "waiting"), gt(approvals.expiresAt, now));
  return (await select(db).where(isOpen).orderBy(desc(approvals.askedAt), desc(approvals.id)).limit(limit)).map(approvalOf);
}

export async function hasWaiting(
  db: Db,
  { action, param, ids }: { action: string; param: string; ids: readonly string[] },
  now: Date,
): Promise<boolean> {
  if (ids.length === 0) return false;
  const isOpen = and(eq(approvals.state, "waiting"), gt(approvals.expiresAt, now), eq(approvals.action, action));
  const found = await db
    .select({ id: approvals.id })
    .from(approvals)
    .where(and(isOpen, inArray(sql`${approvals.input} -> 'params' ->> ${param}::text`, [...ids])))
    .limit(1);
  return found.length > 0;
}

export async function decide(
  tx: Tx,
  id: string,
  { state, by, at, note, answer }: { state: ApprovalState; by: number | null; at: Date; note: string; answer: unknown },
): Promise<void> {
  const stored = state === "withdrawn" ? { state: "refused", withdrawnAt: at, seenAt: at } : { state };
  await tx
    .update(approvals)
    .set({ ...stored, decidedBy: by, decidedAt: at, note, answer })
    .where(eq(approvals.id, id));
}

export async function countWaiting(
  db: Db,
  now: Date,
  viewer: number,
  permissions: readonly string[],
): Promise<{ count: number; endsAt: Date | null; onlyId: string | null }> {
  if (permissions.length === 0) return { count: 0, endsAt: null, onlyId: null };
  const [row] = await db
    .select({ count: count(), endsAt: min(approvals.expiresAt), firstId: min(approvals.id) })
    .from(approvals)
    .where(
      and(
        eq(approvals.state, "waiting"),
        gt(approvals.expiresAt, now),
        ne(approvals.askedBy, viewer),
        or(
          notInArray(approvals.action, actionsAboutMember),
          sql`${approvals.input} -> 'params' ->> 'id' is distinct from ${String(viewer)}`,
        ),
        inArray(approvals.permission, [...permissions]),
      ),
    );
  if (!row) return { count: 0, endsAt: null, onlyId: null };
  const { firstId, ...counted } = row;
  return { ...counted, onlyId: row.count === 1 ? firstId : null };
}

export async function countUnseen(
  db: Db,
  { now, since, askedBy }: { now: Date; since: Date; askedBy: number },
): Promise<{ count: number; onlyId: string | null }> {
  const [row] = await db
    .select({ count: count(), firstId: min(approvals.id) })
    .from(approvals)
    .where(and(isUnseen(now, askedBy), gt(approvals.askedAt, since)));
  return { count: row?.count ?? 0, onlyId: row?.count === 1 ? row.firstId : null };
}

export async function noteSeen(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.update(approvals).set({ seenAt: at }).where(eq(approvals.id, id));
}

export async function expire(db: Db, now: Date): Promise<void> {
  await db
    .update(approvals)
    .set({ state: "expired" })
    .where(and(eq(approvals.state, "waiting"), lte(approvals.expiresAt, now)));
}

export async function eraseInput(db: Db, askedBefore: Date): Promise<void> {
  await db
    .update(approvals)
    .set({ input: null, shown: null, answer: null })
    .where(and(lt(approvals.askedAt, askedBefore), ne(approvals.state, "waiting"), isNotNull(approvals.input)));
}
