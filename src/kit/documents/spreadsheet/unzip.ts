import { crc32 } from "node:zlib";
import { Unzip, UnzipInflate } from "fflate";
import { readDirectory } from "./zip-directory.ts";

export type UnzipFault = "damaged" | "too_large" | "too_many_files";

/** Bytes that are unpacked before the sum is checked again: deflate grows at most a thousandfold. */
const step = 8 * 1024;

/**
 * Unpacks an archive and counts what really comes out, whatever its directory claims. `wanted` decides by name; other files are counted
 * and dropped. Names are as in the archive: the caller must not use them as paths. What comes out must be exactly the parts of the
 * directory with their checksums, because `fflate` compares neither, and a damaged byte would become another price.
 */
export function unzipWithin(
  bytes: Uint8Array,
  { maxBytes, maxFiles, wanted }: { maxBytes: number; maxFiles: number; wanted: (name: string) => boolean },
): { files: Map<string, Uint8Array> } | { fault: UnzipFault } {
  const files = new Map<string, Uint8Array>();
  // An archive ends with its directory: without it the file was cut off, even if all its parts are there.
  const directory = readDirectory(bytes);
  if (!directory) return { fault: "damaged" };
  const met = new Set<string>();
  let fault: UnzipFault | null = null;
  let total = 0;
  let seen = 0;
  let open = 0;
  const unzip = new Unzip((file) => {
    seen += 1;
    if (seen > maxFiles) fault ??= "too_many_files";
    const parts: Uint8Array[] = [];
    let checksum = 0;
    open += 1;
    file.ondata = (error, data, isLast) => {
      if (error) fault ??= "damaged";
      total += data?.length ?? 0;
      if (total > maxBytes) fault ??= "too_large";
      if (!fault && data) checksum = crc32(data, checksum);
      if (!fault && data && wanted(file.name)) parts.push(data.slice());
      if (!isLast) return;
      open -= 1;
      met.add(file.name);
      if (!directory.get(file.name)?.has(checksum)) fault ??= "damaged";
      if (!fault && wanted(file.name)) files.set(file.name, Buffer.concat(parts));
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    // oxlint-disable-next-line no-unmodified-loop-condition -- set by the callbacks above
    for (let at = 0; at < bytes.length && !fault; at += step) unzip.push(bytes.subarray(at, at + step), at + step >= bytes.length);
  } catch {
    fault ??= "damaged";
  }
  if (!fault && (open > 0 || met.size !== directory.size)) fault = "damaged";
  return fault ? { fault } : { files };
}
