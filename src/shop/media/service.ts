import type { Db, Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { hours } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import type { PreparedPicture } from "./gateway.ts";
import { filmTypeOf, type FilmProblem, type FilmType, type StoredFilm } from "./film.ts";
import type { PictureProblem, StoredPicture } from "./picture.ts";
import * as rows from "./repository.ts";

/** How long an uploaded picture waits for a form to be saved. */
const unusedHours = 48;

/** Decodes an upload. Call it before a transaction: it may take seconds. */
export const prepare = (ctx: Pick<Ctx, "gateways">, bytes: Buffer): Promise<PreparedPicture | PictureProblem> =>
  ctx.gateways.pictures.prepare(bytes);

/** Stores a prepared picture. Until `use` is called for it, it is deleted after two days. */
export async function store(tx: Tx, ctx: Pick<Ctx, "now">, picture: PreparedPicture): Promise<StoredPicture> {
  const id = randomId();
  await rows.add(tx, { id, ...picture, createdAt: ctx.now() });
  return { id, width: picture.width, height: picture.height };
}

/** Keeps pictures permanently, because something refers to them. Returns those that exist. */
export const use = async (tx: Tx, ctx: Pick<Ctx, "now">, ids: readonly string[]): Promise<StoredPicture[]> =>
  ids.length === 0 ? [] : rows.markUsed(tx, ids, ctx.now());

/** Sizes of stored pictures; unknown ids are left out. */
export const pictures = async (db: Db, ids: readonly string[]): Promise<StoredPicture[]> => (ids.length === 0 ? [] : rows.find(db, ids));

/** The stored WebP; null for an unknown id. */
export const readBytes = (db: Db, id: string): Promise<Buffer | null> => rows.readBytes(db, id);

/** Stores a film as it is. Until `useFilms` is called for it, it is deleted after two days. Refuses bytes that are neither MP4 nor WebM. */
export async function storeFilm(tx: Tx, ctx: Pick<Ctx, "now">, bytes: Buffer): Promise<StoredFilm | FilmProblem> {
  if (bytes.length === 0) return "media.empty";
  const type = filmTypeOf(bytes);
  if (!type) return "media.no_film";
  const film = { id: randomId(), type, bytes };
  await rows.addFilm(tx, { ...film, createdAt: ctx.now() });
  return film;
}

/** Keeps films permanently, because something refers to them. Returns whether all of them exist. */
export const useFilms = async (tx: Tx, ctx: Pick<Ctx, "now">, ids: readonly string[]): Promise<boolean> =>
  ids.length === 0 || (await rows.markFilmsUsed(tx, ids, ctx.now())) === ids.length;

/** Bytes of a stored film; null for an unknown one. */
export const filmSize = (db: Db, id: string, type: FilmType): Promise<number | null> => rows.readFilmSize(db, id, type);
/** A part of a film: `length` bytes from `start`. */
export const filmPart = (db: Db, id: string, start: number, length: number): Promise<Buffer | null> =>
  rows.readFilmPart(db, id, start, length);

/** Deletes uploads that no saved form refers to. */
export const deleteUnused = (ctx: Pick<Ctx, "db" | "now">): Promise<number> =>
  rows.deleteUnused(ctx.db, new Date(ctx.now().getTime() - hours(unusedHours)));
