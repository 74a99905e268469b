/**
 * The format of a picture by its first bytes, whatever its name or headers say; null for formats that are not accepted, such as SVG and
 * GIF.
 */
export function kindOfPicture(bytes: Buffer): "jpeg" | "png" | "webp" | "avif" | null {
  if (bytes.length < 16) return null;
  if (bytes.readUIntBE(0, 3) === 0xffd8ff) return "jpeg";
  if (bytes.readUInt32BE(0) === 0x89504e47 && bytes.readUInt32BE(4) === 0x0d0a1a0a) return "png";
  if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP") return "webp";
  // ISO base media: `ftyp`, the major brand, a version, then compatible brands.
  if (bytes.toString("latin1", 4, 8) === "ftyp" && /avif|avis/.test(bytes.toString("latin1", 8, Math.min(bytes.readUInt32BE(0), 64))))
    return "avif";
  return null;
}
