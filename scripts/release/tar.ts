import { constants, gzipSync } from "node:zlib";

/** `mode` 0o755 for programs, 0o644 for other files. `path` has no leading slash. */
export type TarFile = { path: string; mode: 0o644 | 0o755; bytes: Buffer };

const blockBytes = 512;

/**
 * A tar archive (POSIX ustar) that depends on nothing but its files: sorted by path, one date for all, no owner. Equal files give equal
 * bytes on every machine.
 */
export function tarOf(files: readonly TarFile[], date: Date): Buffer {
  const parts: Buffer[] = [];
  for (const file of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    parts.push(headerOf(file, date), file.bytes, Buffer.alloc(-file.bytes.length & (blockBytes - 1)));
  }
  parts.push(Buffer.alloc(2 * blockBytes));
  return Buffer.concat(parts);
}

/** Node writes neither a date nor a name into the header of gzip. */
export const gzipOf = (bytes: Buffer): Buffer => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });

function headerOf({ path, mode, bytes }: TarFile, date: Date): Buffer {
  const { prefix, name } = splitPath(path);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, offset: number, length: number) => header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, offset);
  header.write(name, 0);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes.length, 124, 12);
  octal(Math.floor(date.getTime() / 1000), 136, 12);
  header.write(" ".repeat(8), 148); // the checksum is counted with spaces in its place
  header.write("0", 156);
  header.write("ustar\u000000", 257);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** ustar stores 100 bytes of the name, and 155 of the folders before it. */
function splitPath(path: string): { prefix: string; name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: "", name: path };
  for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100) return { prefix, name };
  }
  throw new Error(`the path is too long for an archive: ${path}`);
}
