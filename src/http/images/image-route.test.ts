import { mkdtemp, mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { pngBomb } from "#tests/png-bomb.ts";
import { media, type MediaOptions } from "./media.ts";
import { backgrounds, formats, qualities, sides } from "./encoding/modifiers.ts";

let folder: string;
let clock: number;
const open: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  clock = Date.UTC(2026, 10, 21);
  folder = await mkdtemp(join(tmpdir(), "image-"));
  await mkdir(join(folder, "source/coins"), { recursive: true });
  await writeFile(join(folder, "source/coins/sobol-obverse.webp"), await aPicture(640, 640).webp().toBuffer());
});
afterEach(async () => {
  for (const close of open.splice(0)) await close();
  await rm(folder, { recursive: true });
});

const aPicture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 160, b: 60, alpha: 0.5 } } });
/** Noise, so that a picture is large on the disk. */
const noise = (width: number) =>
  sharp({ create: { width, height: width, channels: 3, background: "#888", noise: { type: "gaussian", mean: 128, sigma: 60 } } });

async function shop(options: Partial<MediaOptions> = {}): Promise<FastifyInstance> {
  const app = Fastify({ exposeHeadRoutes: false });
  await app.register((scope) =>
    media(scope, { sourceDir: join(folder, "source"), cacheDir: join(folder, "cache"), now: () => new Date(clock), ...options }),
  );
  open.push(() => app.close());
  return app;
}

/** A server on this machine that counts its requests. */
async function listen(
  handler: RequestListener,
  host = "127.0.0.1",
): Promise<{ url: string; port: number; hits: () => number; server: Server }> {
  let hits = 0;
  const server = createServer(handler).listen(0, host);
  server.on("connection", () => (hits += 1));
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  open.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${port}`, port, hits: () => hits, server };
}
const serving =
  (bytes: Buffer, type = "image/png"): RequestListener =>
  (_, answer) =>
    void answer.writeHead(200, { "content-type": type }).end(bytes);

const send = (app: FastifyInstance, url: string, modifiers = "", headers: Record<string, string> = {}) =>
  app.inject({ url: `/_image?url=${encodeURIComponent(url)}${modifiers && `&${modifiers}`}`, headers });
const coin = "/media/coins/sobol-obverse.webp";

describe("a requested variant", () => {
  test("is WebP unless the browser accepts AVIF or the address names a format, and is cached for a year", async () => {
    const app = await shop();
    const of = async (modifiers: string, accept: string) => {
      const { headers } = await send(app, coin, modifiers, { accept });
      return [headers["content-type"], headers.vary, headers["cache-control"]];
    };
    const year = "public, max-age=31536000, immutable";
    expect(await of("width=160", "*/*")).toEqual(["image/webp", "Accept", year]);
    expect(await of("width=160", "image/avif,image/webp")).toEqual(["image/avif", "Accept", year]);
    expect(await of("width=160&format=jpeg", "image/avif")).toEqual(["image/jpeg", undefined, year]);
  });

  test("has the requested size, fit and colour", async () => {
    const app = await shop();
    const size = async (modifiers: string) => {
      const { width, height } = await sharp((await send(app, coin, modifiers)).rawPayload).metadata();
      return `${width}x${height}`;
    };
    expect(await size("width=320")).toBe("320x320");
    expect(await size("resize=320x160")).toBe("320x160");
    expect(await size("width=320&height=160&fit=inside")).toBe("160x160");
    expect(await size("width=1920")).toBe("640x640"); // never enlarged
    const boxed = await sharp((await send(app, coin, "resize=320x160&fit=contain&background=black&format=jpeg")).rawPayload)
      .raw()
      .toBuffer();
    expect(Math.max(...boxed.subarray(0, 3))).toBeLessThan(12);
    const edge = async (colour: string) =>
      [
        ...(
          await sharp((await send(app, coin, `resize=320x160&fit=contain&background=${colour}&format=jpeg&quality=100`)).rawPayload)
            .raw()
            .toBuffer()
        ).subarray(0, 3),
      ].map((each) => Math.round(each / 16));
    expect([await edge("%23f00"), await edge("fe0103"), await edge("fff")]).toEqual([
      [16, 0, 0],
      [16, 0, 0],
      [16, 16, 16],
    ]); // any colour becomes one of few
  });

  test.each([
    "width=0",
    "width=-5",
    "width=1e3",
    "width=abc",
    "width=",
    "width=10001",
    "width=160&width=320",
    "height=99999",
    "quality=0",
    "quality=101",
    "quality=high",
    "resize=320",
    "resize=320x",
    "resize=320x0",
    "resize=160x160&width=160",
    "fit=stretch",
    "format=gif",
    "format=svg",
    "background=red",
    "background=%231234",
    "blur=5",
    "width[]=5",
    "constructor=1",
  ])("%s is nonsense", async (modifiers) => {
    const answer = await send(await shop(), coin, modifiers);
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([400, "public, max-age=5"]);
  });

  test("has no foreign source unless one is configured", async () => {
    const app = await shop();
    expect((await send(app, "https://pictures.example/a.png")).statusCode).toBe(400);
    expect((await send(app, "/a.png")).statusCode).toBe(400);
    expect((await app.inject({ url: "/_image" })).statusCode).toBe(400);
  });
});

describe("K1: no request can be made to other hosts", () => {
  test("a hundred spellings of other addresses are refused", async () => {
    const picture = await aPicture(8, 8).png().toBuffer();
    const victim = await listen(serving(picture));
    const origin = await listen((request, answer) =>
      request.url === "/away" ? void answer.writeHead(302, { location: `${victim.url}/secret` }).end() : serving(picture)(request, answer),
    );
    const app = await shop({ origin: { origin: origin.url, allowPrivate: true } });
    const hosts = [
      "127.0.0.1",
      "localhost",
      "LOCALHOST",
      "127.1",
      "127.0.1",
      "2130706433",
      "0x7f000001",
      "0x7f.0.0.1",
      "0177.0.0.1",
      "017700000001",
      "0",
      "0.0.0.0",
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[0:0:0:0:0:ffff:127.0.0.1]",
      "①②⑦.⓪.⓪.①",
      "127。0。0。1",
      "127.0.0.1.",
    ];
    const corpus = hosts.flatMap((host) => [
      `http://${host}:${victim.port}/a`,
      `//${host}:${victim.port}/a`,
      `http://127.0.0.1:${origin.port}@${host}:${victim.port}/a`,
      `http:\\\\${host}:${victim.port}\\a`,
      `/\\${host}:${victim.port}/a`,
    ]);
    corpus.push(
      "/away",
      `${origin.url}/away`,
      `${origin.url}@127.0.0.1:${victim.port}/a`,
      `${origin.url}#@127.0.0.1:${victim.port}/a`,
      `${origin.url}.victim.example/a`,
      `${origin.url}?x=//127.0.0.1:${victim.port}`,
      `https://127.0.0.1:${origin.port}/a`,
      "file:///etc/passwd",
      "ftp://127.0.0.1/a",
      "data:image/png;base64,AAAA",
      "gopher://127.0.0.1/",
      "javascript:1",
      "/a/../../b",
      "/%2e%2e/b",
      "/a%2fb",
      "/a%5cb",
      "/a%00b",
      "/a%0d%0aHost:b",
      "//",
      "/",
      "/a//b",
      "/a?b",
      "/a#b",
      `/${"a".repeat(1_001)}`,
    );
    expect(corpus.length).toBeGreaterThanOrEqual(100);
    for (const url of corpus) expect((await send(app, url, "width=64")).statusCode, url).toBeGreaterThanOrEqual(400);
    expect(victim.hits()).toBe(0);
    expect((await send(app, "/a.png", "width=64")).statusCode).toBe(200);
    expect((await send(app, `${origin.url}/a.png`, "width=64")).statusCode).toBe(200);
  });

  test("an origin that is or resolves to a private address is never connected to", async () => {
    const victim = await listen(serving(await aPicture(8, 8).png().toBuffer()));
    const six = await listen(serving(Buffer.alloc(1)), "::1").catch(() => null);
    for (const origin of [
      victim.url,
      `http://localhost:${victim.port}`,
      `http://2130706433:${victim.port}`,
      `http://0x7f.1:${victim.port}`,
      `http://[::ffff:127.0.0.1]:${victim.port}`,
      ...(six ? [`http://[::1]:${six.port}`] : []),
    ]) {
      const app = await shop({ origin: { origin } });
      expect((await send(app, "/a.png", "width=64")).statusCode, origin).toBe(502);
    }
    expect(victim.hits() + (six?.hits() ?? 0)).toBe(0);
  });

  test("a name that resolves to another address after the check gains nothing: the connection itself is checked", async () => {
    const victim = await listen(serving(await aPicture(8, 8).png().toBuffer()));
    let lookups = 0;
    const addresses = [
      [{ address: "10.0.0.7", family: 4 }],
      [
        { address: "93.184.216.34", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ],
      [{ address: "::ffff:127.0.0.1", family: 6 }],
      [{ address: "fe80::1", family: 6 }],
    ];
    const resolve = ((_: string, __: object, done: (error: null, found: object[]) => void) =>
      done(null, addresses[lookups++ % addresses.length] ?? [])) as unknown as NonNullable<NonNullable<MediaOptions["origin"]>["resolve"]>;
    const app = await shop({ origin: { origin: `http://pictures.example:${victim.port}`, resolve } });
    for (let n = 0; n < 8; n += 1) expect((await send(app, `/a${n}.png`, "width=64")).statusCode).toBe(502);
    expect([lookups >= 8, victim.hits()]).toEqual([true, 0]);
  });
});

describe("K2: a malicious picture", () => {
  const svg = Buffer.from(
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
  );
  const gif = Buffer.concat([
    Buffer.from("GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0", "latin1"),
    ...Array.from({ length: 1_000 }, () => Buffer.from("\x21\xf9\x04\0\0\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0", "latin1")),
    Buffer.from(";"),
  ]);

  test("is refused within a second without a memory leak, and other pictures are served meanwhile", async () => {
    const whole = await noise(400).jpeg().toBuffer();
    const bad: Record<string, Buffer> = {
      "bomb.png": pngBomb(16_000),
      "frames.gif": gif,
      "cut.jpg": whole.subarray(0, whole.length / 2),
      "empty.jpg": Buffer.alloc(0),
      "text.jpg": Buffer.from("this is text, whatever its name says"),
      "active.svg": svg,
      "tail.png": Buffer.concat([(await aPicture(8, 8).png().toBuffer()).subarray(0, 40), svg]),
      "pixels.tiff": await aPicture(8, 8).tiff().toBuffer(),
      "wrong.avif": Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.from("ftypavif\0\0\0\0avif"), Buffer.alloc(100)]),
    };
    const origin = await listen((request, answer) =>
      serving(bad[request.url?.slice(1) ?? ""] ?? Buffer.alloc(0), "image/jpeg")(request, answer),
    );
    const app = await shop({ origin: { origin: origin.url, allowPrivate: true } });
    await send(app, coin, "width=64"); // the encoding process is running
    const before = process.memoryUsage().rss;
    for (const name of Object.keys(bad)) {
      const from = performance.now();
      const [answer, other] = await Promise.all([send(app, `/${name}`, "width=64"), send(app, coin, "width=64")]);
      expect([name, answer.statusCode]).toEqual([name, 415]);
      expect(performance.now() - from, name).toBeLessThan(1_000);
      expect(other.statusCode).toBe(200);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2);
    expect((await send(app, coin, "width=96")).statusCode).toBe(200);
  });

  test("an endless source is abandoned after fifteen megabytes", async () => {
    let sent = 0;
    const origin = await listen((_, answer) => {
      const more = () => {
        while (sent < 200 * 1024 ** 2 && !answer.destroyed) {
          sent += 1024 ** 2;
          if (!answer.write(Buffer.alloc(1024 ** 2, 0xff))) return void answer.once("drain", more);
        }
      };
      more();
    });
    const app = await shop({ origin: { origin: origin.url, allowPrivate: true } });
    expect((await send(app, "/endless.jpg", "width=64")).statusCode).toBe(413);
    expect(sent).toBeLessThan(40 * 1024 ** 2);
  });

  test("only the first frame of an animation is shown", async () => {
    const frames = await sharp(Buffer.concat([Buffer.alloc(64 * 64 * 3, 10), Buffer.alloc(64 * 64 * 3, 240)]), {
      raw: { width: 64, height: 128, channels: 3, pageHeight: 64 },
    })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer();
    const origin = await listen(serving(frames, "image/webp"));
    const answer = await send(await shop({ origin: { origin: origin.url, allowPrivate: true } }), "/a.webp", "width=64");
    const { pages, height } = await sharp(answer.rawPayload, { animated: true }).metadata();
    expect([pages ?? 1, height]).toEqual([1, 64]);
  });
});

describe("K3: endless variants", () => {
  test("ten thousand requested sizes make only as many files as there are sizes", async () => {
    const app = await shop();
    for (let n = 1; n <= 10_000; n += 1) {
      const { statusCode } = await send(app, coin, `width=${n}`);
      if (statusCode !== 200) expect(statusCode, `width ${n}`).toBe(200);
    }
    expect((await readdir(join(folder, "cache"))).length).toBe(sides.length);
  });

  test("all modifiers together have few values", () => {
    expect([sides.length, qualities.length, formats.length, Object.keys(backgrounds).length]).toEqual([12, 6, 3, 5]);
  });

  test("the folder stays below its limit, and used files stay", async () => {
    const app = await shop({ cacheBytes: 1024 ** 2 });
    await writeFile(join(folder, "source/coins/busy-obverse.webp"), await noise(640).webp({ quality: 90 }).toBuffer());
    await send(app, "/media/coins/busy-obverse.webp", "quality=95");
    const [inUse] = await readdir(join(folder, "cache"));
    let most = 0;
    for (let n = 0; n < 40; n += 1) {
      await writeFile(join(folder, `source/coins/noise-${n}-obverse.webp`), await noise(320).webp({ quality: 90 }).toBuffer());
      expect((await send(app, `/media/coins/noise-${n}-obverse.webp`, "quality=95")).statusCode).toBe(200);
      const sizes = await Promise.all(
        (await readdir(join(folder, "cache"))).map(async (name) => (await stat(join(folder, "cache", name))).size),
      );
      most = Math.max(
        most,
        sizes.reduce((sum, size) => sum + size, 0),
      );
      await send(app, "/media/coins/busy-obverse.webp", "quality=95");
    }
    expect(await readdir(join(folder, "cache"))).toContain(inUse);
    expect(most).toBeLessThanOrEqual(1024 ** 2);
    expect(most).toBeGreaterThan(600 * 1024);
  });

  test("after a restart the folder is still below its limit, including files of other processes", async () => {
    await mkdir(join(folder, "cache"));
    for (let n = 0; n < 20; n += 1) await writeFile(join(folder, "cache", `old-${n}`), Buffer.alloc(100 * 1024));
    expect((await send(await shop({ cacheBytes: 1024 ** 2 }), coin, "width=64")).statusCode).toBe(200);
    const names = await readdir(join(folder, "cache"));
    expect([names.length <= 11, names.some((name) => !name.startsWith("old-"))]).toEqual([true, true]);
  });

  test("two hundred concurrent requests for one new variant fetch its source once", async () => {
    let fetched = 0;
    const picture = await aPicture(200, 200).png().toBuffer();
    const origin = await listen((request, answer) => {
      fetched += 1;
      serving(picture)(request, answer);
    });
    const app = await shop({ origin: { origin: origin.url, allowPrivate: true } });
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => send(app, "/one.png", `width=${90 + (n % 10)}`)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(fetched).toBe(1);
  });
});

describe("K4: no way out of the folder", () => {
  test("names with path segments are refused, links out of the folder are not followed, and files are named by hashes", async () => {
    await writeFile(join(folder, "secret.webp"), await aPicture(8, 8).webp().toBuffer());
    await mkdir(join(folder, "source-of-others"));
    await writeFile(join(folder, "source-of-others/a.webp"), await aPicture(8, 8).webp().toBuffer());
    await symlink(join(folder, "secret.webp"), join(folder, "source/coins/link-obverse.webp"));
    await symlink(join(folder, "source-of-others/a.webp"), join(folder, "source/coins/neighbour-obverse.webp"));
    const app = await shop();
    for (const url of [
      "/media/coins/../../secret.webp",
      "/media/coins/..%2f..%2fsecret.webp",
      "/media/../secret.webp",
      "/media/coins/%2e%2e/secret.webp",
      "/media/coins/link-obverse.webp",
      "/media/coins/neighbour-obverse.webp",
      "/media/coins//sobol-obverse.webp",
      "media/coins/sobol-obverse.webp",
      "file:///media/coins/sobol-obverse.webp",
    ])
      expect((await send(app, url, "width=64")).statusCode, url).toBeGreaterThanOrEqual(400);
    await send(app, coin, "width=64");
    expect(await readdir(join(folder, "cache"))).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });
});

describe("K5: one visitor's request does not affect the next", () => {
  test("an error is over within eleven seconds after the origin is repaired", async () => {
    let isWell = false;
    const picture = await aPicture(64, 64).png().toBuffer();
    const origin = await listen((request, answer) =>
      isWell ? serving(picture)(request, answer) : void answer.writeHead(500).end("broken"),
    );
    const app = await shop({ origin: { origin: origin.url, allowPrivate: true } });
    const first = await send(app, "/a.png", "width=64");
    expect([first.statusCode, first.headers["cache-control"]]).toEqual([502, "public, max-age=5"]);
    isWell = true;
    expect((await send(app, "/a.png", "width=64")).statusCode).toBe(502); // not requested again at once
    clock += 5_001;
    expect((await send(app, "/a.png", "width=64")).statusCode).toBe(200);
  });

  test("no data of the visitor is sent to the origin, and no header but Accept changes the answer", async () => {
    const seen: string[] = [];
    const picture = await aPicture(64, 64).png().toBuffer();
    const origin = await listen((request, answer) => {
      seen.push(JSON.stringify(request.headers));
      serving(picture)(request, answer);
    });
    const app = await shop({ origin: { origin: origin.url, allowPrivate: true } });
    const marked = Object.fromEntries(
      ["cookie", "authorization", "referer", "x-forwarded-for", "user-agent", "accept-language", "if-none-match", "x-any"].map((name) => [
        name,
        "marker",
      ]),
    );
    const answer = await send(app, "/a.png", "width=64", marked);
    expect(seen.join()).not.toContain("marker");
    const plain = await send(app, "/a.png", "width=64");
    expect([plain.rawPayload.equals(answer.rawPayload), seen.length]).toEqual([true, 1]);
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  test("modifiers in any order and spelling are one variant", async () => {
    const app = await shop();
    const tags = await Promise.all(
      [
        "width=318&quality=75&format=jpg",
        "format=jpeg&width=320&quality=76",
        "quality=77&fit=contain&width=321&format=jpeg&background=%23FFFFFF",
      ].map(async (each) => (await send(app, coin, each)).headers.etag),
    );
    expect(new Set(tags).size).toBe(1);
  });
});

describe("K6: a picture cannot execute anything", () => {
  test("every answer has its true type and a sandbox policy", async () => {
    const app = await shop();
    for (const answer of [
      await send(app, coin, "width=64"),
      await send(app, coin, "width=0"),
      await send(app, "/media/coins/nosuch-obverse.webp"),
    ]) {
      expect(answer.headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'",
      });
    }
  });

  test("metadata of a photograph is removed, and its orientation is applied", async () => {
    const photo = await sharp({ create: { width: 60, height: 30, channels: 3, background: "#468" } })
      .withExif({ IFD0: { Artist: "Private Person" }, IFD3: { GPSLatitude: "55/1 45/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(photo.includes("Private Person")).toBe(true);
    const origin = await listen(serving(photo, "image/jpeg"));
    const app = await shop({ origin: { origin: origin.url, allowPrivate: true } });
    for (const format of formats) {
      const answer = await send(app, "/photo.jpg", `format=${format}`);
      const { exif, width, height } = await sharp(answer.rawPayload).metadata();
      expect([answer.headers["content-type"], exif, width, height]).toEqual([`image/${format}`, undefined, 30, 60]);
    }
  });
});
