import { hash } from "node:crypto";
import { inTime, withoutDeadline } from "#kit/concurrency/deadline.ts";
import { compressPage } from "./compress-page.ts";
import { etagOf, gzipOnce, type PackedBody } from "./large-body.ts";

/** `digest`: of the body, if it is known. */
export type RenderedPage = { status: number; headers: Record<string, string>; body: Buffer; digest?: string };
/**
 * A large feed. It is made from the whole catalogue, so one of the present version is served until it is no longer stale, not only while it
 * is fresh; for a day where its version names everything that it is made from.
 */
export type PackedPage = { status: number; headers: Record<string, string>; packed: PackedBody };
/**
 * A page of the cache. Only its compressed form is in memory, a sixth of it: all browsers accept Brotli, and for other clients it is
 * unpacked while it is sent. `isDense`: compressed with the better ratio.
 */
export type CachedPage = { status: number; headers: Record<string, string>; body: null; isDense: boolean } & PackedBody & Made;
type Made = { madeAt: number; version: string };
type Render = () => Promise<RenderedPage | PackedPage>;
type Answer = CachedPage | RenderedPage | PackedPage;

/**
 * Maximum ages of an entry. Fresh: served as it is. Stale: served while one render refreshes it. Old: served only when rendering fails.
 * Exact: of a large feed whose version names everything that it is made from.
 */
export type PageCacheOptions = {
  maxEntries?: number;
  maxBytes?: number;
  freshMs?: number;
  staleMs?: number;
  oldMs?: number;
  exactMs?: number;
  nowMs?: () => number;
};

/**
 * Caches whole public pages, which are the same for every visitor. An entry that was made from another `version` (price list, catalogue),
 * or is older than a few seconds, is refreshed once in the background, however many requests arrive.
 */
export function createPageCache(options: PageCacheOptions = {}) {
  const {
    maxEntries = 3_000,
    maxBytes = 96 * 1024 * 1024,
    freshMs = 5_000,
    staleMs = 60_000,
    oldMs = 600_000,
    exactMs = 86_400_000,
    nowMs = () => performance.now(),
  } = options;
  const entries = new Map<string, CachedPage | (PackedPage & Made)>();
  const rendering = new Map<string, { version: string; page: Promise<Answer> }>();
  let bytes = 0;
  let isRefreshing = false;

  function store(key: string, page: CachedPage | (PackedPage & Made)): void {
    forget(key);
    // It would drop all other pages, and then itself.
    if (sizeOf(page) > maxBytes) return;
    entries.set(key, page);
    bytes += sizeOf(page);
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries && bytes <= maxBytes) break;
      forget(oldest);
    }
  }

  function forget(key: string): void {
    const page = entries.get(key);
    if (page && entries.delete(key)) bytes -= sizeOf(page);
  }

  async function renderOnce(key: string, version: string, render: Render): Promise<Answer> {
    const running = rendering.get(key);
    if (running) return running.page;
    // All waiting requests get this page, so it is finished also when the time of the first of them is over.
    const started = withoutDeadline(render)
      .then(async (page) => {
        if (page.status !== 200) return page;
        if ("packed" in page) {
          store(key, { ...page, madeAt: nowMs(), version });
          return page;
        }
        const { status, headers, body, digest = hash("sha256", body, "base64url") } = page;
        const etag = etagOf(digest);
        const { length } = body; // before it is handed over
        const before = entries.get(key);
        // Unchanged text is not compressed again. An address that nothing has requested before may never be requested again.
        const known = before && "br" in before && before.etag === etag && before.isDense ? before : null;
        const { br, isDense, gzip } = known ?? (await compress(body, before !== undefined));
        const stored = { status, headers, body: null, br, isDense, gzip, etag, length, madeAt: nowMs(), version };
        store(key, stored);
        return stored;
      })
      .finally(() => rendering.delete(key));
    rendering.set(key, { version, page: started });
    return started;
  }

  /** A render that began before the edit does not answer a caller that must have what was edited: after it another one is made. */
  async function renderCurrent(key: string, version: string, render: Render, mustBeCurrent: (version: string) => boolean): Promise<Answer> {
    const running = rendering.get(key);
    if (running && running.version !== version && mustBeCurrent(running.version)) await running.page.catch(() => {});
    return renderOnce(key, version, render);
  }

  /**
   * One refresh at a time: these clients already have an answer. Hot pages become stale together, and renders side by side make every
   * other request wait for all of them at each of its steps (four at a time: p99 of a mixed load 212 to 320 ms, one: 69 to 79 ms).
   */
  function refreshBehind(key: string, version: string, render: Render): void {
    if (isRefreshing || rendering.has(key)) return; // the next request tries again
    isRefreshing = true;
    // The next request past `staleMs` gets the error itself.
    renderOnce(key, version, render)
      .catch(() => {})
      .finally(() => (isRefreshing = false));
  }

  return {
    /**
     * `mustBeCurrent` of an entry of another version: it is not served, the caller waits for the one render. `isExact`: the version names
     * everything that the page is made from.
     */
    async get(
      key: string,
      version: string,
      render: Render,
      { mustBeCurrent = () => false, isExact = false }: { mustBeCurrent?: (storedVersion: string) => boolean; isExact?: boolean } = {},
    ): Promise<Answer> {
      const page = entries.get(key);
      const age = page ? nowMs() - page.madeAt : Infinity;
      const maxAge = page && "packed" in page ? (isExact ? exactMs : staleMs) : freshMs;
      if (page && page.version === version && age <= maxAge) return page;
      if (page && age <= staleMs && !(page.version !== version && mustBeCurrent(page.version))) {
        refreshBehind(key, version, render);
        return page;
      }
      try {
        const fresh = await inTime(renderCurrent(key, version, render, mustBeCurrent));
        return fresh.status >= 500 && page && age <= oldMs ? page : fresh;
      } catch (error) {
        if (page && age <= oldMs) return page;
        throw error;
      }
    },
    /**
     * The entry that `get` would return at once without starting a render: of this version, and fresh or already being refreshed. Never
     * waits and never renders. A large feed is none.
     */
    current(key: string, version: string): CachedPage | null {
      const page = entries.get(key);
      if (!page || page.version !== version || "packed" in page) return null;
      const age = nowMs() - page.madeAt;
      return age <= freshMs || (age <= staleMs && (isRefreshing || rendering.has(key))) ? page : null;
    },
    size: () => ({ entries: entries.size, bytes }),
  };
}
/** Reserves memory for a gzip variant, which is about as long as the Brotli one. */
const sizeOf = (page: CachedPage | PackedPage): number => ("packed" in page ? page.packed : page).br.length * 2;

/**
 * Compresses a page for one answer: quality 4 takes half the time of 5 and makes it a few percent longer. A copy, because requests that
 * waited for the same page share its body.
 */
export const compressOnce = (body: Buffer): Promise<Buffer> => compressPage(Buffer.copyBytesFrom(body), 4);

/** Quality 3 takes less than half of the time of quality 7 and makes a fifth more bytes. */
async function compress(body: Buffer, isDense: boolean): Promise<Pick<CachedPage, "br" | "isDense" | "gzip">> {
  const br = await compressPage(body, isDense ? 7 : 3);
  return { br, isDense, gzip: gzipOnce(br) };
}
