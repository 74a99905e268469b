import * as z from "zod";
import type { Db } from "#kit/db.ts";
import { randomId } from "#kit/ids.ts";
import { isSameSecret } from "#kit/security/secrets.ts";
import { minutes, plus } from "#kit/time.ts";
import type { Ctx, PreviewSubject } from "#shop/context.ts";
import type { Coin } from "../coin.ts";
import * as rows from "./edit.repository.ts";
import { altsOf, previewPicture, type PictureAddress, type SidePictures } from "../image.ts";

/**
 * Stores a draft and the photographs that it is seen with, for as long as the address of a preview works. Returns what the token of that
 * address shows.
 */
export async function addPreview(ctx: Pick<Ctx, "db" | "now" | "settings">, coin: Coin, sides: SidePictures): Promise<PreviewSubject> {
  const expiresAt = plus(ctx.now(), minutes(ctx.settings.limits.previewMinutes));
  const pictures = { ...coin.pictures, alts: altsOf(sides) };
  const draft = { ...coin, pictures, photos: { key: randomId(), sides } };
  return `coin-draft:${await rows.addPreview(ctx.db, { draft, expiresAt }, ctx.now())}`;
}

/** The draft that this page request may show for the coin of its address; null: none. Its pictures have addresses of the preview. */
export async function previewedCoin({ db, now, preview }: Pick<Ctx, "db" | "now" | "preview">, slug: string): Promise<Coin | null> {
  const [kind, id] = preview?.split(":") ?? [];
  const draft = kind === "coin-draft" ? await rows.readPreview(db, Number(id), now()) : null;
  if (draft === null) return null;
  const { photos, ...stored } = storedDraft.parse(draft);
  if (stored.slug !== slug) return null;
  const coin = stored as unknown as Coin;
  return photos ? { ...coin, pictures: { ...coin.pictures, preview: previewPicture(Number(id), photos.key) } } : coin;
}

/** The photograph of a draft, with what its address needs; null: no such preview at that time, or another key. */
export async function previewedPicture(db: Db, { previewId, key, side, at }: Extract<PictureAddress, { previewId: number }>) {
  const draft = await rows.readPreview(db, previewId, at);
  if (draft === null) return null;
  const { slug, shape, photos } = storedDraft.parse(draft);
  if (!photos || !isSameSecret(photos.key, key)) return null;
  const photo = photos.sides[side];
  return {
    slug,
    isRound: shape === "round",
    isFinal: false,
    isDraft: true,
    photo: photo && { pictureId: photo.pictureId, crop: photo.crop },
  };
}

const storedSide = z
  .object({ pictureId: z.string(), crop: z.object({ left: z.int(), top: z.int(), size: z.int() }), alt: z.string() })
  .nullable();

/** Times come back from JSON as texts; everything else was checked before it was stored. */
const storedDraft = z.looseObject({
  slug: z.string(),
  shape: z.string().nullable(),
  createdAt: z.coerce.date(),
  updatedAt: z.coerce.date(),
  publishedAt: z.coerce.date().nullable(),
  /** Absent: stored by the release before, which shows the saved pictures. */
  photos: z.object({ key: z.string(), sides: z.object({ obverse: storedSide, reverse: storedSide, edge: storedSide }) }).optional(),
});
