import read from "jsqr";
import sharp from "sharp";

/** What a scanner reads off a picture (SVG or PNG) of a QR code; null: nothing. */
export async function readQr(picture: Buffer): Promise<string | null> {
  const { data, info } = await sharp(picture).flatten({ background: "#fff" }).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const found = read(new Uint8ClampedArray(data), info.width, info.height);
  // Read as bytes: the code says nothing about its letters, and every scanner takes UTF-8.
  return found && new TextDecoder().decode(Uint8Array.from(found.binaryData));
}
