import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import type { FilmType, StoredFilm } from "./film.ts";
import type { StoredPicture } from "./picture.ts";
import { mediaFilms, mediaPictures } from "./tables.ts";

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

/** Deletes pictures and films. */
export async function deleteUnused(db: Db, before: Date): Promise<number> {
  let deleted = 0;
  for (const table of [mediaPictures, mediaFilms]) {
    const gone = await db
      .delete(table)
      .where(and(isNull(table.usedAt), lt(table.createdAt, before)))
      .returning({ id: table.id });
    deleted += gone.length;
  }
  return deleted;
}

export async function addFilm(tx: Tx, row: StoredFilm & { createdAt: Date }): Promise<void> {
  await tx.insert(mediaFilms).values(row);
}

/** As `markUsed` for pictures. */
export async function markFilmsUsed(tx: Tx, ids: readonly string[], at: Date): Promise<number> {
  const kept = await tx
    .update(mediaFilms)
    .set({ usedAt: at })
    .where(inArray(mediaFilms.id, [...ids]))
    .returning({ id: mediaFilms.id });
  return kept.length;
}

export async function readFilmSize(db: Db, filmId: string, type: FilmType): Promise<number | null> {
  const [row] = await db
    .select({ size: sql<number>`length(${mediaFilms.bytes})` })
    .from(mediaFilms)
    .where(and(eq(mediaFilms.id, filmId), eq(mediaFilms.type, type)));
  return row?.size ?? null;
}

/** `length` bytes from `start`, counted from 0. */
export async function readFilmPart(db: Db, filmId: string, start: number, length: number): Promise<Buffer | null> {
  const [row] = await db
    .select({ part: sql<Buffer | Uint8Array>`substring(${mediaFilms.bytes} from ${start + 1} for ${length})` })
    .from(mediaFilms)
    .where(eq(mediaFilms.id, filmId));
  return row ? Buffer.from(row.part) : null;
}
