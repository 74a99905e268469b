import type { Db, Tx } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { hours } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import type { PreparedPicture } from "./gateway.ts";
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

/** Keeps pictures for good, because something refers to them. Returns those that exist. */
export const use = async (tx: Tx, ctx: Pick<Ctx, "now">, ids: readonly string[]): Promise<StoredPicture[]> =>
  ids.length === 0 ? [] : rows.markUsed(tx, ids, ctx.now());

/** Sizes of stored pictures; unknown ids are left out. */
export const pictures = async (db: Db, ids: readonly string[]): Promise<StoredPicture[]> => (ids.length === 0 ? [] : rows.find(db, ids));

/** The stored WebP; null for an unknown id. */
export const readBytes = (db: Db, id: string): Promise<Buffer | null> => rows.readBytes(db, id);

/** Deletes uploads that no saved form refers to. */
export const deleteUnused = (ctx: Pick<Ctx, "db" | "now">): Promise<number> =>
  rows.deleteUnused(ctx.db, new Date(ctx.now().getTime() - hours(unusedHours)));
