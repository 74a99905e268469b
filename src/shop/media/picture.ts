/**
 * Pictures that staff upload. They are decoded once, turned upright, freed of metadata and stored as WebP; sizes are made from that.
 * Browser-safe.
 */

/** Bytes of an uploaded file. */
export const maxUploadBytes = 20 * 1024 * 1024;
/** The longer side of a stored picture, in pixels. */
export const maxPictureSide = 2_400;
/** The shorter side of an upload must have as many pixels as the largest picture on the site. */
export const minPictureSide = 640;

export type StoredPicture = { id: string; width: number; height: number };

/** A square of a picture, in its pixels. */
export type Crop = { left: number; top: number; size: number };

export type PictureProblem = "media.empty" | "media.too_large" | "media.unreadable" | "media.too_small" | "media.busy";

/** The largest square in the middle. */
export function middleSquare({ width, height }: { width: number; height: number }): Crop {
  const size = Math.min(width, height);
  return { left: Math.floor((width - size) / 2), top: Math.floor((height - size) / 2), size };
}

/** Whether the square lies inside the picture and shows at least 100 pixels. */
export const isInside = ({ left, top, size }: Crop, { width, height }: { width: number; height: number }): boolean =>
  [left, top, size].every(Number.isInteger) && left >= 0 && top >= 0 && size >= 100 && left + size <= width && top + size <= height;
