import type { Crop } from "#shop/media/picture.ts";

/** Pictures of a coin: photographs that staff uploaded, else our drawings of both sides. Browser-safe. */
export type CoinSide = "obverse" | "reverse";
export const imageWidths = [160, 320, 640] as const;
/** Widths that pages choose from; the API names `imageWidths` only. */
export const pageImageWidths = [160, 320, 480, 640] as const;
/**
 * Widths of the small pictures that the document of a first view contains (web/first-view/main-picture.tsx): as wide as a phone shows them.
 */
export const inlineImageWidths = [200, 320] as const;
export type InlineImageWidth = (typeof inlineImageWidths)[number];
export type ImageWidth = (typeof pageImageWidths)[number] | InlineImageWidth;

/** A side that can be photographed. Without a photograph pages draw the edge themselves. */
export type PhotoSide = CoinSide | "edge";
export const photoSides = ["obverse", "reverse", "edge"] as const satisfies readonly PhotoSide[];

/**
 * The uploaded pictures: each change of one counts the revision; `alts` describes each side that has one. `preview`: the name of a draft's
 * pictures in its preview; coins have none.
 */
export type CoinPictures = { revision: number; alts: Partial<Record<PhotoSide, string>>; preview?: string };
export const noPictures: CoinPictures = { revision: 0, alts: {} };

/** The picture of one side as an editor left it: the square of an upload that is shown, and its description. */
export type SidePicture = { pictureId: string; crop: Crop; alt: string };
/** Null: the side has no photograph. */
export type SidePictures = Record<PhotoSide, SidePicture | null>;

/** The descriptions of the sides that have a picture. */
export function altsOf(sides: SidePictures): CoinPictures["alts"] {
  const alts: CoinPictures["alts"] = {};
  for (const side of photoSides) if (sides[side]) alts[side] = sides[side].alt;
  return alts;
}

type Pictured = { id: number; slug: string; pictures: CoinPictures; hasDrawing: boolean };

/** The name of the neutral picture of coins that have neither photograph nor drawing. */
export const blankPicture = "no-picture";

/**
 * The name of a coin's pictures in their addresses: the slug for drawings, `slug.id.revision` for photographs. A replaced picture gets a
 * new name, so answers may be cached permanently.
 */
export const pictureOf = ({ id, slug, pictures, hasDrawing }: Pictured): string =>
  pictures.preview ?? (pictures.revision > 0 ? `${slug}.${id}.${pictures.revision}` : hasDrawing ? slug : blankPicture);

/**
 * The same for a line of an order, which knows the coin by id and slug: the address shows the picture of the moment, cached for a minute.
 */
export const currentPicture = ({ coinId, slug }: { coinId: number; slug: string }): string => `${slug}.${coinId}`;

/** The name of the pictures of a draft. The key is random: it is known only to those who see the preview. */
export const previewPicture = (previewId: number, key: string): string => `preview.${previewId}.${key}`;

/**
 * What an address names: a side of a coin at a revision of its pictures (null: at the moment), or a side of a draft, if its preview works
 * at this time.
 */
export type PictureAddress =
  | { coinId: number; side: PhotoSide; revision: number | null }
  | { previewId: number; key: string; side: PhotoSide; at: Date };

/** Whether a side is not a photograph but our drawing, which pages say. */
export const isDrawing = ({ pictures: { alts } }: Pick<Pictured, "pictures">): boolean =>
  alts.obverse === undefined || alts.reverse === undefined;

/** Address of a coin's picture at one of the fixed widths, by the name of `pictureOf`. The same address always shows the same picture. */
export const coinImage = (picture: string, side: PhotoSide, width: ImageWidth): string => `/media/coins/${picture}-${side}-${width}.webp`;

/** `srcset` for all densities and for narrow screens: every fixed width with its descriptor. */
export const coinSrcSet = (picture: string, side: PhotoSide): string =>
  pageImageWidths.map((width) => `${coinImage(picture, side, width)} ${width}w`).join(", ");
