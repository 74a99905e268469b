import { and, eq, inArray, isNull, lt } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { StoredPicture } from "./picture.ts";
import { mediaPictures } from "./tables.ts";

const { id, width, height } = mediaPictures;

export async function add(tx: Tx, row: typeof mediaPictures.$inferInsert): Promise<void> {
  await tx.insert(mediaPictures).values(row);
}

export const find = (db: Db, ids: readonly string[]): Promise<StoredPicture[]> =>
  db
    .select({ id, width, height })
    .from(mediaPictures)
    .where(inArray(id, [...ids]));

export async function readBytes(db: Db, pictureId: string): Promise<Buffer | null> {
  const [row] = await db.select({ bytes: mediaPictures.bytes }).from(mediaPictures).where(eq(id, pictureId));
  return row?.bytes ?? null;
}

/** Marks pictures as used; an unused one may be deleted at the same moment, so the returned ids are those that still exist. */
export async function markUsed(tx: Tx, ids: readonly string[], at: Date): Promise<StoredPicture[]> {
  return tx
    .update(mediaPictures)
    .set({ usedAt: at })
    .where(inArray(id, [...ids]))
    .returning({ id, width, height });
}

export async function deleteUnused(db: Db, before: Date): Promise<number> {
  const gone = await db
    .delete(mediaPictures)
    .where(and(isNull(mediaPictures.usedAt), lt(mediaPictures.createdAt, before)))
    .returning({ id });
  return gone.length;
}
