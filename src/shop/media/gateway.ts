import type { PictureProblem } from "./picture.ts";

export type PreparedPicture = { bytes: Buffer; width: number; height: number };

/** Decodes foreign pictures outside of the shop's process. */
export type PictureReader = {
  /** The upload as an upright WebP without metadata, not larger than `maxPictureSide`. */
  prepare(bytes: Buffer): Promise<PreparedPicture | PictureProblem>;
};
