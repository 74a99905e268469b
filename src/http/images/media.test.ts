import { mkdtemp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { media } from "./media.ts";

const uploadedId = "Zx3_abcdefghijklmnop-q";

describe("pictures", () => {
  let folder: string;
  let app: FastifyInstance;
  let clock = Date.now();
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "media-"));
    await mkdir(join(folder, "source/coins"), { recursive: true });
    await mkdir(join(folder, "source/scenes"), { recursive: true });
    const coin = await sharp({ create: { width: 640, height: 640, channels: 4, background: "#c8a13a" } })
      .webp()
      .toBuffer();
    for (const name of ["sobol-3-rublya-1995-obverse", "sobol-3-rublya-1995-reverse"])
      await writeFile(join(folder, `source/coins/${name}.webp`), coin);
    const scene = await sharp({ create: { width: 1600, height: 900, channels: 3, background: "#334" } })
      .webp()
      .toBuffer();
    await writeFile(join(folder, "source/scenes/news-1.webp"), scene);
    await writeFile(join(folder, "secret.webp"), "kept apart");
    app = Fastify({ exposeHeadRoutes: false });
    await app.register(media, {
      sourceDir: join(folder, "source"),
      cacheDir: join(folder, "cache"),
      now: () => new Date(clock),
      readUploaded: async (id) => (id === uploadedId ? scene : null),
    });
  });
  afterEach(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });
  const get = (url: string, headers = {}) => app.inject({ url, headers });

  test("an uploaded picture of a text is served whole at the listed widths, others are not found", async () => {
    const answer = await get(`/media/pictures/${uploadedId}-800.webp`);
    expect(answer.statusCode).toBe(200);
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ width: 800, height: 450 });
    for (const name of [`${uploadedId}-700.webp`, "Zx3_abcdefghijklmnop-r-800.webp", "../secret-800.webp", `${uploadedId}.webp`])
      expect([name, (await get(`/media/pictures/${name}`)).statusCode]).toEqual([name, 404]);
  });

  test.each([160, 200, 320, 480, 640])(
    "a coin is served %i pixels wide, for a year, with a policy that permits only showing it",
    async (width) => {
      const answer = await get(`/media/coins/sobol-3-rublya-1995-reverse-${width}.webp`);
      expect(answer.statusCode).toBe(200);
      expect((await sharp(answer.rawPayload).metadata()).width).toBe(width);
      expect(answer.headers).toMatchObject({
        "content-type": "image/webp",
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'",
      });
    },
  );

  test("a browser that has the picture gets 304", async () => {
    const { headers } = await get("/media/coins/sobol-3-rublya-1995-reverse-320.webp");
    expect(await get("/media/coins/sobol-3-rublya-1995-reverse-320.webp", { "if-none-match": headers.etag })).toMatchObject({
      statusCode: 304,
      body: "",
    });
  });

  test("a coin with a very long slug has its picture too", async () => {
    const name = `${"a-long-word-".repeat(9)}2026`;
    await writeFile(
      join(folder, `source/coins/${name}-obverse.webp`),
      await sharp({ create: { width: 640, height: 640, channels: 3, background: "#fff" } })
        .webp()
        .toBuffer(),
    );
    expect((await get(`/media/coins/${name}-obverse-160.webp`)).statusCode).toBe(200);
  });

  test("a further issue of a design has the design's picture", async () => {
    expect((await get("/media/coins/sobol-3-rublya-1995-vypusk-12-reverse-320.webp")).statusCode).toBe(200);
    expect((await get("/media/coins/nosuch-vypusk-12-reverse-320.webp")).statusCode).toBe(404);
  });

  test("a HEAD request gets the headers without the bytes", async () => {
    const answer = await app.inject({ method: "HEAD", url: "/media/coins/sobol-3-rublya-1995-reverse-160.webp" });
    expect([answer.statusCode, answer.headers["content-type"], answer.body]).toEqual([200, "image/webp", ""]);
  });

  test("a scene is served in its own size or at one of three widths", async () => {
    expect((await sharp((await get("/media/scenes/news-1.webp")).rawPayload).metadata()).width).toBe(1600);
    expect((await sharp((await get("/media/scenes/news-1-800.webp")).rawPayload).metadata()).width).toBe(800);
    expect((await get("/media/scenes/news-1-801.webp")).statusCode).toBe(404);
  });

  test("two hundred requests for a new size encode it once", async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => get("/media/coins/sobol-3-rublya-1995-obverse-160.webp")));
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    expect(await readdir(join(folder, "cache"))).toHaveLength(1);
  });

  test("when too many new sizes are requested at once, the last requests are refused for now and nothing breaks", async () => {
    const source = await sharp({ create: { width: 640, height: 640, channels: 4, background: "#aaa" } })
      .webp()
      .toBuffer();
    for (let i = 0; i < 80; i += 1) await writeFile(join(folder, `source/coins/coin-${i}-obverse.webp`), source);
    const answers = await Promise.all(Array.from({ length: 80 }, (_, i) => get(`/media/coins/coin-${i}-obverse-160.webp`)));
    const busy = answers.filter((answer) => answer.statusCode === 503);
    expect(busy.length).toBeGreaterThan(0);
    expect(busy[0]?.headers).toMatchObject({ "retry-after": "2", "cache-control": "no-store" });
    expect(answers.filter((answer) => answer.statusCode === 200).length).toBeGreaterThanOrEqual(52);
    expect((await get("/media/coins/coin-79-obverse-160.webp")).statusCode).toBe(200);
  });

  test.each([
    "/media/coins/sobol-3-rublya-1995-reverse-161.webp",
    "/media/coins/sobol-3-rublya-1995-reverse-0160.webp",
    "/media/coins/sobol-3-rublya-1995-edge-160.webp",
    "/media/coins/sobol-3-rublya-1995-reverse.webp",
    "/media/coins/nosuch-reverse-160.webp",
    "/media/coins/..%2f..%2fsecret-obverse-160.webp",
    "/media/coins/..%2f..%2f..%2fsecret.webp",
    "/media/scenes/..%2f..%2fsecret.webp",
    "/media/scenes/%2e%2e/%2e%2e/secret.webp",
    "/media/scenes/..%5csecret.webp",
    "/media/coins/sobol%00-reverse-160.webp",
    "/media/scenes/SECRET.webp",
    `/media/scenes/${"a-".repeat(90)}a.webp`,
  ])("%s is not a picture of ours", async (url) => {
    const answer = await get(url);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
    expect(answer.body).not.toContain("kept apart");
  });

  test("a browser that accepts AVIF gets it at every size, and another one the source itself at the largest", async () => {
    const of = async (width: number, accept: string) => {
      const { headers } = await get(`/media/coins/sobol-3-rublya-1995-reverse-${width}.webp`, { accept });
      return [headers["content-type"], headers.vary];
    };
    expect(await of(320, "image/avif,image/webp,*/*;q=0.8")).toEqual(["image/avif", "Accept"]);
    expect(await of(320, "image/webp,*/*")).toEqual(["image/webp", "Accept"]);
    expect(await of(320, "image/avif;q=0, */*")).toEqual(["image/webp", "Accept"]);
    expect(await of(640, "image/avif,image/webp")).toEqual(["image/avif", "Accept"]);
    expect(await of(640, "image/webp,*/*")).toEqual(["image/webp", "Accept"]);
  });

  test("a source that is not a picture is refused, and served after it was replaced", async () => {
    await writeFile(join(folder, "source/coins/broken-obverse.webp"), "not a picture");
    expect((await get("/media/coins/broken-obverse-160.webp")).statusCode).toBe(415);
    clock += 1_001;
    await writeFile(
      join(folder, "source/coins/broken-obverse.webp"),
      await sharp({ create: { width: 10, height: 10, channels: 3, background: "#fff" } })
        .png()
        .toBuffer(),
    );
    expect((await get("/media/coins/broken-obverse-160.webp")).statusCode).toBe(200);
  });
});
