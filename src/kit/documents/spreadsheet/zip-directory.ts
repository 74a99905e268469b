/** The checksums (CRC-32) of an archive's parts by name; an archive may contain a name more than once. */
export type Checksums = Map<string, Set<number>>;

const ends = Buffer.from("PK\u0005\u0006");
const end64Locator = Buffer.from("PK\u0006\u0007");
const end64 = Buffer.from("PK\u0006\u0006");
const part = Buffer.from("PK\u0001\u0002");
/** A field of the end that is in the longer end of ZIP64 instead. */
const elsewhere = 0xff_ff_ff_ff;

/**
 * Reads the directory with which an archive ends (APPNOTE.TXT of PKWARE, 4.3.12 to 4.3.16). Null: there is none, or it is damaged. Names
 * that are not marked as UTF-8 are read byte by byte, as `fflate` does.
 */
export function readDirectory(bytes: Uint8Array): Checksums | null {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = archive.lastIndexOf(ends);
  if (end < 0 || end + 22 > archive.length) return null;
  const start = startOf(archive, end);
  if (start === null) return null;
  const found: Checksums = new Map();
  let at = start;
  while (at + 46 <= end && archive.subarray(at, at + 4).equals(part)) {
    const isUtf8 = (archive.readUInt16LE(at + 8) & 0x8_00) !== 0;
    const checksum = archive.readUInt32LE(at + 16);
    const nameLength = archive.readUInt16LE(at + 28);
    const extraLength = archive.readUInt16LE(at + 30);
    const commentLength = archive.readUInt16LE(at + 32);
    const name = archive.toString(isUtf8 ? "utf8" : "latin1", at + 46, at + 46 + nameLength);
    found.set(name, (found.get(name) ?? new Set()).add(checksum));
    at += 46 + nameLength + extraLength + commentLength;
  }
  // The last part is followed by the end of the archive, or that of ZIP64.
  const isWhole = at === end || archive.subarray(at, at + 4).equals(end64);
  return isWhole && found.size > 0 ? found : null;
}

/** Where the directory begins. Null: outside of the archive. */
function startOf(archive: Buffer, end: number): number | null {
  const start = archive.readUInt32LE(end + 16);
  if (start !== elsewhere) return start < end ? start : null;
  const locator = end - 20;
  if (locator < 0 || !archive.subarray(locator, locator + 4).equals(end64Locator)) return null;
  const longEnd = Number(archive.readBigUInt64LE(locator + 8));
  if (longEnd + 56 > locator || !archive.subarray(longEnd, longEnd + 4).equals(end64)) return null;
  const start64 = Number(archive.readBigUInt64LE(longEnd + 48));
  return start64 < longEnd ? start64 : null;
}
