import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { createPageCache, type RenderedPage, type CachedPage } from "./page-cache.ts";

/** The cache of a test that renders no large feed. */
type WholePages = Omit<ReturnType<typeof createPageCache>, "get"> & {
  get(...parameters: [string, string, () => Promise<RenderedPage>, object?]): Promise<RenderedPage | CachedPage>;
};

function aCache(limits: { maxEntries?: number; maxBytes?: number } = {}) {
  let at = 0;
  const cache = createPageCache({ nowMs: () => at, ...limits });
  return {
    cache: cache as WholePages,
    now: () => at,
    advance: (ms: number) => {
      at += ms;
    },
  };
}
const aPage = (text: string, status = 200): RenderedPage => ({ status, headers: {}, body: Buffer.from(text) });
/** The text of a page as it was rendered, or as it is cached. */
const textOf = (page: RenderedPage | CachedPage): string => ("br" in page ? brotliDecompressSync(page.br) : page.body).toString();
/** Resolves when the page was rendered again behind the back of its reader, and is fresh. */
const refreshed = ({ current }: WholePages, key: string, version: string) =>
  vi.waitFor(() => expect(current(key, version)).not.toBeNull(), { timeout: 60_000 });

test("500 visitors who request one uncached page cost one render", async () => {
  const { cache } = aCache();
  let renders = 0;
  const render = async () => {
    renders += 1;
    return aPage("catalogue");
  };
  const pages = await Promise.all(Array.from({ length: 500 }, () => cache.get("/catalog", "1", render)));
  expect(renders).toBe(1);
  expect(new Set(pages.map(textOf))).toEqual(new Set(["catalogue"]));
});

test("a page made from an older price list is served once more and refreshed in the background", async () => {
  const { cache } = aCache();
  await cache.get("/", "1", async () => aPage("old price"));
  const first = await cache.get("/", "2", async () => aPage("new price"));
  expect(textOf(first)).toBe("old price");
  await refreshed(cache, "/", "2");
  const second = await cache.get("/", "2", async () => aPage("unexpected render"));
  expect(textOf(second)).toBe("new price");
});

test("a page whose render began before an edit is not given to a visitor who comes after it", async () => {
  const { cache } = aCache();
  let finish = (_page: RenderedPage): void => {};
  const slow = cache.get("/", "1", () => new Promise<RenderedPage>((resolve) => (finish = resolve)));
  await new Promise((resolve) => setImmediate(resolve)); // the render has begun
  const after = Array.from({ length: 3 }, () => cache.get("/", "2", async () => aPage("edited"), { mustBeCurrent: () => true }));
  finish(aPage("before the edit"));
  expect(textOf(await slow)).toBe("before the edit");
  expect((await Promise.all(after)).map(textOf)).toEqual(["edited", "edited", "edited"]);
});

test("of a page only its compressed form is cached, and that holds no more memory than it is long", async () => {
  const { cache } = aCache();
  const page = await cache.get("/", "1", async () => aPage("a page ".repeat(5_000)));
  if (!("br" in page)) throw new Error("not cached");
  expect([page.body, page.length, page.br.buffer.byteLength]).toEqual([null, 35_000, page.br.length]);
  expect(cache.size().bytes).toBe(page.br.length * 2);
});

test("when rendering fails, a page up to ten minutes old is served", async () => {
  const { cache, advance } = aCache();
  await cache.get("/", "1", async () => aPage("cached"));
  advance(599_000);
  const away = cache.get("/", "1", async () => {
    throw new Error("database is away");
  });
  expect(textOf(await away)).toBe("cached");
  expect(textOf(await cache.get("/", "1", async () => aPage("503", 503)))).toBe("cached");
  advance(2_000);
  await expect(
    cache.get("/", "1", async () => {
      throw new Error("database is away");
    }),
  ).rejects.toThrow("database is away");
});

test("10,000 different addresses leave the cache within its cap, and errors are not cached", async () => {
  const { cache } = aCache({ maxEntries: 50 });
  for (let n = 0; n < 500; n += 1) await cache.get(`/catalog?page=${n}`, "1", async () => aPage("x".repeat(100)));
  expect(cache.size().entries).toBe(50);
  await cache.get("/nowhere", "1", async () => aPage("404", 404));
  expect(textOf(await cache.get("/nowhere", "1", async () => aPage("found now")))).toBe("found now");
});

test("an open page that reloads its data waits for the new price instead of getting the old one", async () => {
  const { cache } = aCache();
  await cache.get("/catalog.data", "1", async () => aPage("old price"));
  const page = await cache.get("/catalog.data", "2", async () => aPage("new price"), { mustBeCurrent: () => true });
  expect(textOf(page)).toBe("new price");
});

test("when a hundred pages become stale together, one is rendered at a time and readers get the old ones at once", async () => {
  const { cache, advance } = aCache();
  for (let n = 0; n < 100; n += 1) await cache.get(`/products/${n}`, "1", async () => aPage("old"));
  advance(6_000);
  let running = 0;
  let most = 0;
  const open: (() => void)[] = [];
  const render = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => open.push(resolve));
    running -= 1;
    return aPage("new");
  };
  const pages = await Promise.all(Array.from({ length: 100 }, (_, n) => cache.get(`/products/${n}`, "1", render)));
  expect(new Set(pages.map(textOf))).toEqual(new Set(["old"]));
  expect(most).toBe(1);
  for (const finish of open) finish();
  const textNow = () => textOf(cache.current("/products/0", "1") ?? aPage(""));
  await vi.waitFor(() => expect(textNow()).toBe("new"), { timeout: 60_000 });
  expect(textOf(await cache.get("/products/0", "1", render))).toBe("new");
});

test("a stale page is current only while a refresh runs, in its version and up to a minute old", async () => {
  const { cache, advance } = aCache();
  for (const key of ["/", "/about"]) await cache.get(key, "1", async () => aPage("old"));
  const bodies = (version: string) =>
    ["/", "/about"].map((key) => {
      const page = cache.current(key, version);
      return page && textOf(page);
    });
  expect(bodies("1")).toEqual(["old", "old"]);
  advance(6_000);
  expect(bodies("1")).toEqual([null, null]); // the next request must begin the refresh
  let finish = (_page: RenderedPage): void => {};
  await cache.get("/", "1", () => new Promise<RenderedPage>((resolve) => (finish = resolve)));
  await new Promise((resolve) => setImmediate(resolve)); // the render has begun
  expect([bodies("1"), bodies("2")]).toEqual([
    ["old", "old"],
    [null, null],
  ]);
  advance(54_001);
  expect(bodies("1")).toEqual([null, null]);
  finish(aPage("new"));
  await vi.waitFor(() => expect(bodies("1")).toEqual(["new", null]), { timeout: 60_000 });
});

test("a page is compressed better when rendered again, and not again while its content is the same; gzip is made on request", async () => {
  const { cache, advance, now } = aCache();
  const made = async (text: string) => {
    advance(6_000);
    // A request that comes before the last refresh has ended begins none: the next one does.
    await vi.waitFor(
      async () => {
        await cache.get("/about", "1", async () => aPage(text));
        expect(cache.current("/about", "1")?.madeAt).toBe(now());
      },
      { timeout: 60_000 },
    );
    return (await cache.get("/about", "1", async () => aPage("unexpected render"))) as CachedPage;
  };
  const text = Array.from({ length: 400 }, (_, n) => `<li>coin ${n % 40} ${n * n}</li>`).join(",");
  const [first, again, same, other] = [await made(text), await made(text), await made(text), await made("other text")];
  expect(again.br.length).toBeLessThan(first.br.length);
  expect([same.madeAt > again.madeAt, same.br === again.br, other.br === again.br]).toEqual([true, true, false]);
  expect(gunzipSync(await other.gzip()).toString()).toBe("other text");
  expect(await other.gzip()).toBe(await other.gzip());
});

test("a large feed is made again when it is a minute old or of another version, and never behind its readers", async () => {
  let at = 0;
  const cache = createPageCache({ nowMs: () => at });
  let renders = 0;
  const packed = { br: Buffer.from("br"), length: 5_000_000, etag: 'W/"1"', gzip: async () => Buffer.from("gz") };
  const get = (version: string) =>
    cache.get(
      "/yml.xml",
      version,
      async () => {
        renders += 1;
        return { status: 200, headers: {}, packed };
      },
      { mustBeCurrent: () => true },
    );
  await get("1");
  at = 60_000;
  expect(await get("1")).toMatchObject({ packed });
  expect([renders, cache.current("/yml.xml", "1")]).toEqual([1, null]);
  await get("2");
  at = 120_001;
  await get("2");
  expect(renders).toBe(3);
});

test("a large feed whose version names everything that it is made from is made again with another version, else once a day", async () => {
  let at = 0;
  let renders = 0;
  const cache = createPageCache({ nowMs: () => at });
  const packed = { br: Buffer.from("br"), length: 5_000_000, etag: 'W/"1"', gzip: async () => Buffer.from("gz") };
  const render = async () => {
    renders += 1;
    return { status: 200, headers: {}, packed };
  };
  const get = (version: string) => cache.get("/yml.xml", version, render, { mustBeCurrent: () => true, isExact: true });
  await get("1");
  at = 86_400_000;
  await get("1");
  expect(renders).toBe(1);
  await get("2");
  at += 86_400_001;
  await get("2");
  expect(renders).toBe(3);
});

test("a page that is larger than the cache is answered, and drops no other page", async () => {
  const { cache } = aCache({ maxBytes: 30 });
  await cache.get("/", "1", async () => aPage("home"));
  const feed = await cache.get("/yml.xml", "1", async () => aPage("offer ".repeat(10_000)));
  expect(textOf(feed)).toHaveLength(60_000);
  expect(cache.current("/yml.xml", "1")).toBeNull();
  expect(cache.current("/", "1")?.length).toBe(4);
});
