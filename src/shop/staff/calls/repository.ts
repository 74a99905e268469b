import { and, eq, lt } from "drizzle-orm";
import { pipeline, waitUpTo, type Db, type Tx } from "#kit/db.ts";
import { staffCallKeys } from "../tables.ts";
import type { CallKey } from "./call-key.ts";

/** How long a second call waits for the first one with its key. */
const keyWaitMs = 4_500;

const isKey = ({ staffId, key }: CallKey) => and(eq(staffCallKeys.staffId, staffId), eq(staffCallKeys.key, key));

export async function find(db: Db, call: CallKey) {
  const [row] = await db
    .select({ hash: staffCallKeys.hash, status: staffCallKeys.status, answer: staffCallKeys.answer })
    .from(staffCallKeys)
    .where(isKey(call));
  return row ?? null;
}

/** False: there is an answer for this key. */
export async function insert(tx: Tx, { staffId, key, hash }: CallKey, at: Date): Promise<boolean> {
  const [, made] = await pipeline<[unknown, { key: string }[]]>([
    waitUpTo(tx, keyWaitMs),
    tx.insert(staffCallKeys).values({ staffId, key, hash, at }).onConflictDoNothing().returning({ key: staffCallKeys.key }),
  ]);
  return made.length > 0;
}

export async function complete(tx: Tx, call: CallKey, status: number, answer: unknown): Promise<void> {
  await tx.update(staffCallKeys).set({ status, answer }).where(isKey(call));
}

export async function deleteOld(db: Db, before: Date): Promise<void> {
  await db.delete(staffCallKeys).where(lt(staffCallKeys.at, before));
}
