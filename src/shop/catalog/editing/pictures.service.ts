import type { Db, Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import * as media from "#shop/media/service.ts";
import { isInside, type StoredPicture } from "#shop/media/picture.ts";
import * as rows from "./edit.repository.ts";
import { altsOf, photoSides, type PhotoSide, type PictureAddress, type SidePicture, type SidePictures } from "../image.ts";
import { previewedPicture } from "./preview.service.ts";
import type { EditError } from "./coin-edit.ts";
import { readExisting } from "../repository.ts";

/** Makes these the pictures of a coin. A side that changes gets new addresses, an unchanged one keeps its row. */
export async function setPictures(tx: Tx, ctx: Pick<Ctx, "now">, id: number, wanted: SidePictures): Promise<Result<true, EditError>> {
  const current = new Map((await rows.readPictures(tx, id)).map((row) => [row.side, row]));
  const changed = photoSides.filter((side) => !isSamePicture(current.get(side), wanted[side]));
  if (changed.length === 0) return done(true);

  const fresh = changed.flatMap((side) => wanted[side]?.pictureId ?? []);
  const wrong = wrongAmong(changed, wanted, await media.use(tx, ctx, [...new Set(fresh)]));
  if (wrong) return fail({ code: "coin.picture_wrong", side: wrong });

  const revision = (await readExisting(tx, id)).pictures.revision + 1;
  await rows.endPictures(tx, id, changed, revision);
  const added = changed.flatMap((side) => {
    const picture = wanted[side];
    if (!picture) return [];
    const { left, top, size } = picture.crop;
    return [
      { coinId: id, side, since: revision, pictureId: picture.pictureId, cropLeft: left, cropTop: top, cropSize: size, alt: picture.alt },
    ];
  });
  if (added.length > 0) await rows.addPictures(tx, added);
  await rows.saveCoin(tx, id, { pictures: { revision, alts: altsOf(wanted) } });
  return done(true);
}

/** The first of these sides whose picture is not stored, or is cut out beyond its edge. */
function wrongAmong(sides: readonly PhotoSide[], wanted: SidePictures, stored: readonly StoredPicture[]): PhotoSide | null {
  const files = new Map(stored.map((file) => [file.id, file]));
  const isWrong = (side: PhotoSide): boolean => {
    const picture = wanted[side];
    const file = picture && files.get(picture.pictureId);
    return picture !== null && (!file || !isInside(picture.crop, file));
  };
  return sides.find(isWrong) ?? null;
}

/** The side whose picture could not be saved; null: none. Writes nothing. */
export async function wrongSide(db: Db, wanted: SidePictures): Promise<PhotoSide | null> {
  const ids = photoSides.flatMap((side) => wanted[side]?.pictureId ?? []);
  return wrongAmong(photoSides, wanted, await media.pictures(db, ids));
}

const isSamePicture = (row: rows.CoinPictureRow | undefined, picture: SidePicture | null): boolean =>
  row === undefined || picture === null
    ? row === undefined && picture === null
    : row.pictureId === picture.pictureId &&
      row.cropLeft === picture.crop.left &&
      row.cropTop === picture.crop.top &&
      row.cropSize === picture.crop.size &&
      row.alt === picture.alt;

/** The pictures that show a coin now. */
export async function picturesOf(db: Db, id: number): Promise<SidePictures> {
  const found = await rows.readPictures(db, id);
  const side = (name: PhotoSide): SidePicture | null => {
    const row = found.find((each) => each.side === name);
    return row ? { pictureId: row.pictureId, crop: { left: row.cropLeft, top: row.cropTop, size: row.cropSize }, alt: row.alt } : null;
  };
  return { obverse: side("obverse"), reverse: side("reverse"), edge: side("edge") };
}

/**
 * The uploaded picture behind an address: which file, and which square of it. `photo` is null when the side had none at that revision; null
 * as the revision: at the moment. `isFinal`: the address will never show another picture. Null: no such coin, or no such preview.
 */
export async function pictureAt(db: Db, sent: PictureAddress) {
  if ("previewId" in sent) return previewedPicture(db, sent);
  const row = await rows.readPictureAt(db, sent);
  if (!row) return null;
  const { slug, shape, pictures, photo } = row;
  return {
    slug,
    isRound: shape === "round",
    isFinal: sent.revision !== null && sent.revision <= pictures.revision,
    photo: photo && { pictureId: photo.pictureId, crop: { left: photo.cropLeft, top: photo.cropTop, size: photo.cropSize } },
  };
}
