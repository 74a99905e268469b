import { blankPicture, type PhotoSide } from "#shop/catalog/image.ts";
import type { PictureSource } from "./pictures.ts";

/** A coin's pictures as the shop knows them at one revision. */
export type CoinPictureLookup = (coin: {
  coinId: number;
  side: PhotoSide;
  /** Null: the pictures of the moment. */
  revision: number | null;
}) => Promise<FoundCoinPicture | null>;
export type FoundCoinPicture = {
  slug: string;
  isRound: boolean;
  /** The revision is not newer than the coin's, so its picture will never be another one. */
  isFinal: boolean;
  /** Null: this side has no photograph. */
  photo: { pictureId: string; crop: { left: number; top: number; size: number } } | null;
};

/** The files to try, in order. `isFinal`: the address will never show another picture. */
export type CoinSources = { sources: PictureSource[]; isFinal: boolean };

const coinName = /^([a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){0,30})(?:\.([1-9]\d{0,8})(?:\.([1-9]\d{0,8}))?)?-(obverse|reverse|edge)$/;

/**
 * The pictures behind a name in an address, without the width: `sobol-reverse` is a drawing, `sobol.42.3-reverse` the photograph of coin 42
 * at revision 3 of its pictures, `sobol.42-reverse` its picture of the moment. A side without a photograph shows the drawing, else a
 * neutral disc. Null for anything else.
 */
export async function coinSources(name: string, lookup: CoinPictureLookup): Promise<CoinSources | null> {
  const [, slug = "", id, revision, sideName] = coinName.exec(name) ?? [];
  if (slug === "") return null;
  const side = sideName as PhotoSide;
  if (id === undefined) return side === "edge" ? null : { sources: drawings(slug, side), isFinal: true };
  const found = await lookup({ coinId: Number(id), side, revision: revision === undefined ? null : Number(revision) });
  const isFinal = found?.isFinal ?? false;
  if (found?.photo) {
    const { pictureId, crop } = found.photo;
    return { sources: [{ uploaded: pictureId, cut: { ...crop, isRound: found.isRound && side !== "edge" } }], isFinal };
  }
  if (side === "edge") return null;
  return { sources: [...drawings(found?.slug ?? slug, side), { file: `coins/${blankPicture}-${side}.webp` }], isFinal };
}

/** A further issue (`…-vypusk-2`) without pictures uses those of its design. */
function drawings(slug: string, side: PhotoSide): PictureSource[] {
  const design = slug.replace(/-vypusk-\d{1,4}$/, "");
  return (design === slug ? [slug] : [slug, design]).map((each) => ({ file: `coins/${each}-${side}.webp` }));
}
