import { blankPicture, type PhotoSide, type PictureAddress } from "#shop/catalog/image.ts";
import type { PictureSource } from "../pictures.ts";

/** A coin's pictures as the shop knows them at one revision, or those of a draft that is previewed. */
export type CoinPictureLookup = (address: PictureAddress) => Promise<FoundCoinPicture | null>;
export type FoundCoinPicture = {
  slug: string;
  isRound: boolean;
  /** The revision is not newer than the coin's, so its picture will never be another one. */
  isFinal: boolean;
  /** Shown in a preview only: no other request may get it, now or from a cache. */
  isDraft?: boolean;
  /** Null: this side has no photograph. */
  photo: { pictureId: string; crop: { left: number; top: number; size: number } } | null;
};

/** The files to try, in order. `isFinal`: the address will never show another picture. `isDraft`: no cache may store the answer. */
export type CoinSources = { sources: PictureSource[]; isFinal: boolean; isDraft?: boolean };

/** Finds coins' pictures; `now` decides whether a preview still works. */
export type CoinPictureFinder = { lookup: CoinPictureLookup; now: () => Date };

const coinName = /^([a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){0,30})(?:\.([1-9]\d{0,8})(?:\.([1-9]\d{0,8}))?)?-(obverse|reverse|edge)$/;
const previewName = /^preview\.([1-9]\d{0,8})\.([\w-]{22})-(obverse|reverse|edge)$/;

/**
 * The pictures that a name in an address (without its width) means: `sobol-reverse` is a drawing, `sobol.42.3-reverse` the photograph
 * of coin 42 at revision 3 of its pictures, `sobol.42-reverse` its picture of the moment, `preview.7.<key>-reverse` that of a draft while
 * its preview works. A side without a photograph shows the drawing, else a neutral disc. Null for anything else.
 */
export async function coinSources(name: string, { lookup, now }: CoinPictureFinder): Promise<CoinSources | null> {
  const [, previewId, key = "", draftSide] = previewName.exec(name) ?? [];
  if (previewId !== undefined) {
    const side = draftSide as PhotoSide;
    const found = await lookup({ previewId: Number(previewId), key, side, at: now() });
    return found && sourcesOf(found, found.slug, side);
  }
  const [, slug = "", id, revision, sideName] = coinName.exec(name) ?? [];
  if (slug === "") return null;
  const side = sideName as PhotoSide;
  if (id === undefined) return side === "edge" ? null : { sources: drawings(slug, side), isFinal: true };
  const found = await lookup({ coinId: Number(id), side, revision: revision === undefined ? null : Number(revision) });
  return sourcesOf(found, slug, side);
}

/** `slug`: that of the address, for a coin that is not known. */
function sourcesOf(found: FoundCoinPicture | null, slug: string, side: PhotoSide): CoinSources | null {
  const isFinal = found?.isFinal ?? false;
  const isDraft = found?.isDraft ?? false;
  if (found?.photo) {
    const { pictureId, crop } = found.photo;
    return { sources: [{ uploaded: pictureId, cut: { ...crop, isRound: found.isRound && side !== "edge" }, isDraft }], isFinal, isDraft };
  }
  if (side === "edge") return null;
  return { sources: [...drawings(found?.slug ?? slug, side), { file: `coins/${blankPicture}-${side}.webp` }], isFinal, isDraft };
}

/** A further issue (`…-vypusk-2`) without pictures uses those of its design. */
function drawings(slug: string, side: PhotoSide): PictureSource[] {
  const design = slug.replace(/-vypusk-\d{1,4}$/, "");
  return (design === slug ? [slug] : [slug, design]).map((each) => ({ file: `coins/${each}-${side}.webp` }));
}
