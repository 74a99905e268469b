import read from "jsqr";
import sharp from "sharp";

/** The text of a QR code in a picture (SVG or PNG); null if there is none. */
export async function readQr(picture: Buffer): Promise<string | null> {
  const { data, info } = await sharp(picture).flatten({ background: "#fff" }).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const found = read(new Uint8ClampedArray(data), info.width, info.height);
  // Read as bytes: the code does not name its encoding, and every scanner assumes UTF-8.
  return found && new TextDecoder().decode(Uint8Array.from(found.binaryData));
}
