import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CoinPictureLookup } from "./coin-sources.ts";
import { media } from "./media.ts";

/** Coin 7 has a gold photograph of its reverse since revision 2, coin 8 has only its drawing, coin 9 has nothing. */
const crop = { left: 100, top: 0, size: 700 };
const lookup: CoinPictureLookup = async ({ coinId, side, revision }) => {
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
    readUploaded: async (id) => (id === "gold" ? photo : null),
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

test("feeds and link previews get the photograph as JPEG on paper", async () => {
  const url = "/_image?url=/media/coins/sobol.7.2-reverse.webp&width=640&format=jpeg&background=paper";
  const { statusCode, headers, rawPayload } = await app.inject({ url });
  expect([statusCode, headers["content-type"]]).toEqual([200, "image/jpeg"]);
  const { data } = await sharp(rawPayload).raw().toBuffer({ resolveWithObject: true });
  expect([...data.subarray(0, 3)].map((value) => Math.round(value / 16))).toEqual([15, 15, 15]);
});

test.each(["sobol.7.2-side-320", "sobol..2-reverse-320", "sobol.0-reverse-320", "sobol.7.2.1-reverse-320", "sobol.7.2-reverse-321"])(
  "%s is no address of a picture",
  async (name) => {
    expect((await app.inject({ url: `/media/coins/${name}.webp` })).statusCode).toBe(404);
  },
);
