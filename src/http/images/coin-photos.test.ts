import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CoinPictureLookup } from "./sources/coin-sources.ts";
import { media } from "./media.ts";

/**
 * Coin 7 has a gold photograph of its reverse since revision 2, coin 8 has only its drawing, coin 9 has nothing. Preview 12 shows a new
 * photograph of the reverse until `endOfPreview`.
 */
const crop = { left: 100, top: 0, size: 700 };
const key = "k-234567890_2345678901";
const endOfPreview = new Date("2026-11-20T09:30:00Z");
let now = new Date("2026-11-20T09:00:00Z");
const lookup: CoinPictureLookup = async (address) => {
  const { side } = address;
  if ("previewId" in address) {
    if (address.previewId !== 12 || address.key !== key || address.at >= endOfPreview) return null;
    const photo = side === "reverse" ? { pictureId: "new", crop } : null;
    return { slug: "sobol", isRound: true, isFinal: false, isDraft: true, photo };
  }
  const { coinId, revision } = address;
  if (coinId > 9) return null;
  const isFinal = revision !== null && revision <= 2;
  const hasPhoto = coinId === 7 && side === "reverse" && (revision === null || revision >= 2);
  const slug = coinId === 9 ? "bare" : "sobol";
  return { slug, isRound: true, isFinal, photo: hasPhoto ? { pictureId: "gold", crop } : null };
};

let folder: string;
let app: FastifyInstance;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "photos-"));
  await mkdir(join(folder, "source/coins"), { recursive: true });
  const plain = (background: string, width = 640, height = 640) =>
    sharp({ create: { width, height, channels: 3, background } })
      .webp()
      .toBuffer();
  for (const side of ["obverse", "reverse"]) {
    await writeFile(join(folder, `source/coins/sobol-${side}.webp`), await plain("#0000ff"));
    await writeFile(join(folder, `source/coins/no-picture-${side}.webp`), await plain("#888888"));
  }
  const photo = await plain("#c8a13a", 900, 700);
  app = Fastify({ exposeHeadRoutes: false });
  await app.register(media, {
    sourceDir: join(folder, "source"),
    cacheDir: join(folder, "cache"),
    lookup,
    now: () => now,
    readUploaded: async (id) => (id === "gold" || id === "new" ? photo : null),
  });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});
const forEver = "public, max-age=31536000, immutable";
/** Red, green, blue and alpha in the middle and in the corner. */
async function colours(url: string) {
  const { statusCode, rawPayload, headers } = await app.inject({ url });
  if (statusCode !== 200) return { statusCode };
  const { data, info } = await sharp(rawPayload).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  const [red = 0, , blue = 0] = at(info.width / 2, info.height / 2);
  return {
    shows: blue > 200 ? "drawing" : red > 180 ? "photograph" : "nothing",
    corner: at(2, 2)[3],
    width: info.width,
    cache: headers["cache-control"],
  };
}

test.each([160, 320, 640])("a photograph is served %i pixels wide as a disc on a clear ground, and cached permanently", async (width) => {
  const shown = await colours(`/media/coins/sobol.7.2-reverse-${width}.webp`);
  expect(shown).toEqual({ shows: "photograph", corner: 0, width, cache: forEver });
});

test("a side without a photograph shows the drawing, a coin without both the neutral disc", async () => {
  expect(await colours("/media/coins/sobol.7.2-obverse-320.webp")).toMatchObject({ shows: "drawing", cache: forEver });
  expect(await colours("/media/coins/sobol.7.1-reverse-320.webp")).toMatchObject({ shows: "drawing", cache: forEver });
  expect(await colours("/media/coins/bare.9.1-reverse-320.webp")).toMatchObject({ shows: "nothing" });
  expect(await colours("/media/coins/sobol.7.2-edge-320.webp")).toEqual({ statusCode: 404 });
});

test("an address of the moment, and one of a revision still to come, is cached for a minute only", async () => {
  expect(await colours("/media/coins/sobol.7-reverse-320.webp")).toMatchObject({ shows: "photograph", cache: "public, max-age=60" });
  expect(await colours("/media/coins/sobol.8-reverse-320.webp")).toMatchObject({ shows: "drawing", cache: "public, max-age=60" });
  expect(await colours("/media/coins/sobol.7.3-reverse-320.webp")).toMatchObject({ cache: "public, max-age=60" });
});

const variantsOnDisk = async () => (await readdir(join(folder, "cache")).catch(() => [])).length;

test("the photograph of a draft is shown by the key of its preview as long as it works, and stored in no cache", async () => {
  const before = await variantsOnDisk();
  const url = `/media/coins/preview.12.${key}-reverse-480.webp`;
  for (const each of [url, `/_image?url=/media/coins/preview.12.${key}-reverse.webp&width=480`]) {
    const { statusCode, headers } = await app.inject({ url: each });
    expect([each, statusCode, headers["cache-control"], headers["x-robots-tag"]]).toEqual([each, 200, "private, no-store", "noindex"]);
  }
  expect(await colours(url)).toMatchObject({ shows: "photograph", corner: 0, width: 480 });
  expect(await variantsOnDisk()).toBe(before);
  expect(await colours(`/media/coins/preview.12.${key}-obverse-480.webp`)).toMatchObject({ shows: "drawing", cache: "private, no-store" });

  for (const other of [`12.${"A".repeat(22)}`, `13.${key}`, `12.${key.slice(1)}`, `012.${key}`, `.${key}`])
    expect([other, await colours(`/media/coins/preview.${other}-reverse-480.webp`)]).toEqual([other, { statusCode: 404 }]);
  now = endOfPreview;
  expect(await colours(url)).toEqual({ statusCode: 404 });
});

test("feeds and link previews get the photograph as JPEG on paper", async () => {
  const url = "/_image?url=/media/coins/sobol.7.2-reverse.webp&width=640&format=jpeg&background=paper";
  const { statusCode, headers, rawPayload } = await app.inject({ url });
  expect([statusCode, headers["content-type"]]).toEqual([200, "image/jpeg"]);
  const { data } = await sharp(rawPayload).raw().toBuffer({ resolveWithObject: true });
  expect([...data.subarray(0, 3)].map((value) => Math.round(value / 16))).toEqual([15, 15, 15]);
});

test.each(["sobol.7.2-side-320", "sobol..2-reverse-320", "sobol.0-reverse-320", "sobol.7.2.1-reverse-320", "sobol.7.2-reverse-321"])(
  "%s is not an address of a picture",
  async (name) => {
    expect((await app.inject({ url: `/media/coins/${name}.webp` })).statusCode).toBe(404);
  },
);
