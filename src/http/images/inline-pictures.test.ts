import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createInlinePictures } from "./inline-pictures.ts";
import { openMedia, type Media } from "./media.ts";

let folder: string;
let media: Media;
let isFinal: boolean;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "inline-"));
  isFinal = true;
  await mkdir(join(folder, "coins"));
  const plain = await sharp({ create: { width: 640, height: 640, channels: 4, background: "#c8a13a" } })
    .webp()
    .toBuffer();
  const noise = await sharp(randomBytes(640 * 640 * 3), { raw: { width: 640, height: 640, channels: 3 } })
    .webp()
    .toBuffer();
  await writeFile(join(folder, "coins/sobol-reverse.webp"), plain);
  await writeFile(join(folder, "coins/noise-reverse.webp"), noise);
  media = openMedia({
    sourceDir: folder,
    cacheDir: join(folder, "cache"),
    lookup: async () => ({ slug: "sobol", isRound: true, isFinal, photo: null }),
  });
});
afterEach(async () => {
  await media.pictures.close();
  await rm(folder, { recursive: true });
});

test("a picture is read when a page wants it, and is in the pages after that", async () => {
  const read = createInlinePictures(media);
  const inline = (address: string) => read(address) && Buffer.from(read(address) ?? []).toString();
  const address = "/media/coins/sobol-reverse-320.webp";
  expect(inline(address)).toBeUndefined();
  // An AVIF is encoded in a process of its own: on a busy machine its start takes seconds.
  await vi.waitFor(() => expect(inline(address)).toMatch(/^data:image\/avif;base64,[\w+/]+=*$/), { timeout: 60_000 });
  expect(read(address)).toBe(read(address));
  const [, base64 = ""] = inline(address)?.split(",") ?? [];
  expect(await sharp(Buffer.from(base64, "base64")).metadata()).toMatchObject({ width: 320, height: 320 });
});

test.each([
  ["a picture that would make the document too long", "/media/coins/noise-reverse-320.webp"],
  ["one that does not exist", "/media/coins/unknown-reverse-320.webp"],
  ["an address that is no coin's picture", "/media/scenes/news-1.webp"],
])("%s stays an address", async (_, address) => {
  const [inline, read] = [createInlinePictures(media), vi.spyOn(media.pictures, "get")];
  expect(inline(address)).toBeUndefined();
  await Promise.all(read.mock.results.map(({ value }) => value as Promise<unknown>));
  expect(inline(address)).toBeUndefined();
});

test("an address that shows the picture of the moment stays an address", async () => {
  isFinal = false;
  const [inline, read] = [createInlinePictures(media), vi.spyOn(media.pictures, "get")];
  expect(inline("/media/coins/sobol.42-reverse-320.webp")).toBeUndefined();
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).not.toHaveBeenCalled();
});
