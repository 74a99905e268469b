import { createHash } from "node:crypto";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import sharp from "sharp";
import { imageWidths } from "#shop/catalog/image.ts";

export type MediaOptions = {
  /** Holds `coins/{slug}-{side}.webp` and `scenes/{name}.webp`. */
  sourceDir: string;
  /** Where made variants are kept; may be emptied at any time. */
  cacheDir: string;
};

const sceneWidths = [480, 800, 1200] as const;
const maxEncodes = 2;
const maxQueue = 50;
const memoryBytes = 24 * 1024 * 1024;

/** What an address asks for: a source under `sourceDir` and a width, or null for the picture as it is. */
type Variant = { source: string; width: number | null };

/**
 * Pictures at fixed sizes: `/media/coins/{slug}-{obverse|reverse}-{160|320|640}.webp`, `/media/scenes/{name}[-{480|800|1200}].webp`.
 * A size is made once from its source, kept on disk, and the busiest in memory. At most two are made at a time and fifty wait; the next gets 503.
 * Names are words of a fixed alphabet, so that no request can leave the source folder, and only listed sizes exist, so that none can fill the disk.
 */
export async function media(app: FastifyInstance, { sourceDir, cacheDir }: MediaOptions): Promise<void> {
  await mkdir(cacheDir, { recursive: true });
  const pictures = createPictures(sourceDir, cacheDir);

  const serve = (read: (file: string) => Variant[]) => async (request: FastifyRequest<{ Params: { "*": string } }>, reply: FastifyReply) => {
    // The same header on all answers: a picture must never act, whatever its bytes are.
    void reply.headers({ "x-content-type-options": "nosniff", "content-security-policy": "sandbox; default-src 'none'" });
    for (const variant of read(request.params["*"])) {
      const picture = await pictures.get(variant);
      if (picture === "missing") continue;
      if (picture === "busy") return reply.code(503).headers({ "retry-after": "2", "cache-control": "no-store" }).type("text/plain; charset=utf-8").send("Service temporarily unavailable");
      void reply.headers({ "cache-control": "public, max-age=31536000, immutable", etag: picture.etag });
      if (request.headers["if-none-match"] === picture.etag) return reply.code(304).send();
      return reply.type("image/webp").send(picture.bytes);
    }
    return reply.code(404).header("cache-control", "public, max-age=10").type("text/plain; charset=utf-8").send("Not found");
  };

  // Wildcards, for a named parameter may have 100 characters at most and the longest slugs come near that.
  app.get("/media/coins/*", { exposeHeadRoute: true }, serve(coinVariant));
  app.get("/media/scenes/*", { exposeHeadRoute: true }, serve(sceneVariants));
}

const coinName = /^([a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){0,30}-(?:obverse|reverse))-(\d{3})\.webp$/;
const sceneName = /^([a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){0,10})\.webp$/;
const sceneWithWidth = /^(.+)-(\d{3,4})$/;

function coinVariant(file: string): Variant[] {
  const match = coinName.exec(file.slice(0, 200));
  const width = Number(match?.[2]);
  return match && imageWidths.some((each) => each === width) ? [{ source: `coins/${match[1]}.webp`, width }] : [];
}

/** `news-1.webp` is a name and `hero-800.webp` a name with a width: the name as it stands comes first. */
function sceneVariants(file: string): Variant[] {
  const name = sceneName.exec(file.slice(0, 200))?.[1];
  if (name === undefined) return [];
  const sized = sceneWithWidth.exec(name);
  const width = Number(sized?.[2]);
  return [
    { source: `scenes/${name}.webp`, width: null },
    ...(sized && sceneWidths.some((each) => each === width) ? [{ source: `scenes/${sized[1]}.webp`, width }] : []),
  ];
}

type Picture = { bytes: Buffer; etag: string };
class Busy extends Error {}

function createPictures(sourceDir: string, cacheDir: string) {
  const memory = createMemory(memoryBytes);
  const underWay = new Map<string, Promise<Picture>>();
  const turn = createTurns(maxEncodes, maxQueue);

  async function get(variant: Variant): Promise<Picture | "missing" | "busy"> {
    const path = join(sourceDir, variant.source);
    const source = await stat(path).catch(() => null);
    if (!source?.isFile()) return "missing";
    // A replaced source is another picture: its time and size are part of the name.
    const key = createHash("sha256").update(`${variant.source} ${variant.width} ${source.mtimeMs} ${source.size}`).digest("hex");
    const kept = memory.get(key);
    if (kept) return kept;
    let work = underWay.get(key);
    if (!work) {
      work = load(path, key, variant.width).finally(() => underWay.delete(key));
      underWay.set(key, work);
    }
    return work.catch((error: unknown) => {
      if (error instanceof Busy) return "busy" as const;
      throw error;
    });
  }

  async function load(path: string, key: string, width: number | null): Promise<Picture> {
    const cached = join(cacheDir, `${key}.webp`);
    const bytes = width === null ? await readFile(path) : await readFile(cached).catch(() => turn(() => make(path, cached, width)));
    const picture = { bytes, etag: `"${key.slice(0, 32)}"` };
    memory.put(key, picture);
    return picture;
  }

  return { get };
}

async function make(path: string, cached: string, width: number): Promise<Buffer> {
  const image = sharp(path, { limitInputPixels: 25_000_000, animated: false }).timeout({ seconds: 5 });
  const { width: sourceWidth, format, exif } = await image.metadata();
  // The largest size is the source itself: encoding it again would only cost quality.
  const bytes = format === "webp" && !exif && sourceWidth <= width
    ? await readFile(path)
    : await image.resize({ width, withoutEnlargement: true }).webp({ quality: 76, alphaQuality: 80, effort: 4 }).toBuffer();
  await keep(cached, bytes);
  return bytes;
}

/** Written beside and renamed, so that nobody reads half a file. A full disk costs the cache, not the picture. */
async function keep(path: string, bytes: Buffer): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  try {
    await writeFile(draft, bytes);
    await rename(draft, path);
  } catch {
    return;
  }
}

/** Runs at most `atOnce` works, lets `waiting` more queue, and throws `Busy` beyond that. */
function createTurns(atOnce: number, waiting: number) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (queue.length >= waiting) throw new Busy();
      await new Promise<void>((resolve) => queue.push(resolve)); // the one who leaves hands its place over
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** The least recently used go first once the bytes exceed `limit`. */
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
