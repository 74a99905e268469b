import { createHash } from "node:crypto";
import { readFile, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { ObjectStorage } from "#kit/network/object-storage.ts";
import { createEncoder, type Cut } from "./encoding/encoder.ts";
import { kindOfPicture } from "./encoding/kind-of-picture.ts";
import type { Modifiers } from "./encoding/modifiers.ts";
import type { ImageOrigin } from "./sources/origin.ts";
import { Busy, createConcurrencyLimit } from "./encoding/concurrency-limit.ts";
import { createVariantStore } from "./storage/variant-store.ts";

/** `key` is its name on the disk. */
export type Picture = { key: string; bytes: Buffer; etag: string; type: string };
export type PictureFault = "missing" | "unreadable" | "too_large" | "unreachable" | "busy";
/**
 * A file below the local folder, an uploaded picture and the square of it that is shown, or a path at the foreign origin. `isDraft`:
 * visitors do not see it yet, so its variants are stored nowhere.
 */
export type PictureSource = { file: string } | { uploaded: string; cut: Cut | null; isDraft?: boolean } | { path: string };
/** `modifiers: null`: the picture unchanged. `keepsFitting`: see encoder.ts. */
export type VariantRequest = { source: PictureSource; modifiers: Modifiers | null; keepsFitting?: boolean };

export type PicturesOptions = {
  /** Contains `coins/{slug}-{side}.webp` and `scenes/{name}.webp`. */
  sourceDir: string;
  /** Folder of encoded variants; may be emptied at any time. */
  cacheDir: string;
  cacheBytes?: number;
  /** Where machines share encoded variants; closed with the pictures. */
  shared?: ObjectStorage | null;
  origin?: ImageOrigin | null;
  /** The bytes of an uploaded picture; null: unknown. */
  readUploaded?: (id: string) => Promise<Buffer | null>;
  now?: () => Date;
};

const memoryBytes = 24 * 1024 * 1024;
/** Lifetime of a cached error. Together with the same time in a browser's cache, an error ends within ten seconds. */
export const faultSeconds = 5;
const maxCachedFaults = 1_000;
const freshMs = 1_000;

/**
 * Serves all pictures. A variant is encoded once for all concurrent requests, cached on disk under the hash of its canonical modifiers, and
 * in memory while it is used often. At most two variants are encoded at a time and fifty wait; the same for four downloads and fifty
 * waiting.
 */
export function createPictures({
  sourceDir,
  cacheDir,
  cacheBytes = 1024 ** 3,
  shared = null,
  origin = null,
  readUploaded = async () => null,
  now = () => new Date(),
}: PicturesOptions) {
  const variants = createVariantStore({ folder: cacheDir, maxBytes: cacheBytes, now, shared });
  const encoder = createEncoder();
  const memory = createMemory(memoryBytes);
  const faults = new Map<string, { fault: PictureFault; until: number }>();
  const underWay = new Map<string, Promise<Picture | PictureFault>>();
  const files = new Map<string, { identity: string | null; until: number }>();
  const encodeTurn = createConcurrencyLimit(2, 50);
  const fetchTurn = createConcurrencyLimit(4, 50);

  async function get(variant: VariantRequest): Promise<Picture | PictureFault> {
    const { source } = variant;
    const identity =
      "file" in source
        ? await identityOf(source.file)
        : "uploaded" in source
          ? `uploaded ${source.uploaded} ${JSON.stringify(source.cut)}`
          : `origin ${source.path}`;
    if (identity === null) return "missing";
    const canonical = JSON.stringify([identity, variant.modifiers, variant.keepsFitting ?? false]);
    const cached = memory.get(canonical);
    if (cached) {
      variants.used(cached.key);
      return cached;
    }
    const key = createHash("sha256").update(canonical).digest("hex");
    const failed = faults.get(key);
    if (failed && failed.until > now().getTime()) return failed.fault;
    let work = underWay.get(key);
    if (!work) {
      work = make(key, canonical, variant).finally(() => underWay.delete(key));
      underWay.set(key, work);
    }
    return work;
  }

  /** Time and size of the source are part of the key, so a replaced file is another picture. Null: no such file. */
  async function identityOf(file: string): Promise<string | null> {
    const known = files.get(file);
    const at = now().getTime();
    if (known && known.until > at) return known.identity;
    const found = await stat(join(sourceDir, file)).catch(() => null);
    const identity = found?.isFile() ? `file ${file} ${found.mtimeMs} ${found.size}` : null;
    if (files.size >= 5_000) files.clear();
    files.set(file, { identity, until: at + freshMs });
    return identity;
  }

  async function make(key: string, canonical: string, variant: VariantRequest): Promise<Picture | PictureFault> {
    try {
      const made = await bytesOf(key, variant);
      if (typeof made === "string") return remember(key, made);
      const picture = { key, bytes: made, etag: `"${key.slice(0, 32)}"`, type: `image/${kindOfPicture(made) ?? "webp"}` };
      if (!isOfDraft(variant)) memory.put(canonical, picture);
      return picture;
    } catch (error) {
      if (error instanceof Busy) return "busy"; // deleted as soon as there is space
      throw error;
    }
  }

  async function bytesOf(key: string, variant: VariantRequest): Promise<Buffer | PictureFault> {
    const { source, modifiers, keepsFitting = false } = variant;
    if (modifiers === null) return readSource(source);
    const cached = await variants.read(key);
    if (cached) return cached;
    const work = async () => {
      const bytes = await readSource(source);
      if (typeof bytes === "string") return bytes;
      if (kindOfPicture(bytes) === null) return "unreadable";
      const cut = "uploaded" in source ? source.cut : null;
      const encoded = await encodeTurn(() => encoder.encode(bytes, modifiers, { keepsFitting, cut }));
      return encoded === "slow" ? "busy" : encoded;
    };
    // A download stays in memory until it is encoded: few at a time.
    const made = await ("path" in source ? fetchTurn(work) : work());
    if (typeof made !== "string" && !isOfDraft(variant)) await variants.put(key, made);
    return made;
  }

  async function readSource(source: PictureSource): Promise<Buffer | PictureFault> {
    if ("path" in source) return origin ? origin.read(source.path) : "missing";
    if ("uploaded" in source) return (await readUploaded(source.uploaded)) ?? "missing";
    // Symbolic links must not lead out of the folder.
    const [root, path] = await Promise.all([realpath(sourceDir), realpath(join(sourceDir, source.file)).catch(() => "")]);
    return path.startsWith(root + sep) ? readFile(path) : "missing";
  }

  function remember(key: string, fault: PictureFault): PictureFault {
    faults.delete(key);
    faults.set(key, { fault, until: now().getTime() + faultSeconds * 1000 });
    const [oldest] = faults.keys();
    if (faults.size > maxCachedFaults && oldest !== undefined) faults.delete(oldest);
    return fault;
  }

  return {
    get,
    async close(): Promise<void> {
      encoder.close();
      await variants.close();
      await origin?.close();
    },
  };
}
export type Pictures = ReturnType<typeof createPictures>;

const isOfDraft = ({ source }: VariantRequest): boolean => "uploaded" in source && source.isDraft === true;

/** The least recently used entries are dropped when the bytes exceed `limit`. */
function createMemory(limit: number) {
  const pictures = new Map<string, Picture>();
  let size = 0;
  return {
    get(key: string): Picture | undefined {
      const picture = pictures.get(key);
      if (picture) {
        pictures.delete(key);
        pictures.set(key, picture);
      }
      return picture;
    },
    put(key: string, picture: Picture): void {
      pictures.set(key, picture);
      size += picture.bytes.length;
      for (const [oldest, { bytes }] of pictures) {
        if (size <= limit) break;
        pictures.delete(oldest);
        size -= bytes.length;
      }
    },
  };
}
