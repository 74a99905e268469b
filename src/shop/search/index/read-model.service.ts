import { seriesTexts } from "#shop/catalog/editing/sections.service.ts";
import * as catalog from "#shop/catalog/service.ts";
import { entryHref } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import type { Ctx } from "#shop/context.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as settings from "#shop/settings/service.ts";
import * as stock from "#shop/stock/service.ts";
import { withoutDeadline } from "#kit/concurrency/deadline.ts";
import { createBoundedCache, type BoundedCache } from "#kit/bounded-cache.ts";
import { moscow } from "#kit/moscow-time.ts";
import { minutes, seconds } from "#kit/time.ts";
import { createCatalogueIndex, createPriceIndex, type CatalogueIndex, type PriceIndex } from "./catalogue-index.ts";
import type { FilterResult } from "../facets/filter-and-count.ts";
import type { Bits } from "./bits.ts";
import { createVersioned } from "./versioned.ts";
import * as rows from "../repository.ts";
import { sitePages, wordsOfPages } from "../text/texts.ru.ts";

/** Everything that listings are computed from, without a database query. */
export type ReadModel = {
  catalogue: CatalogueIndex;
  pricing: PriceIndex;
  available: Int32Array;
  /** Cached results by filters, dropped when prices or stock change: most visitors open the same few listings. */
  results: BoundedCache<FilterResult>;
  /** The coins of prepared lists by their filters, dropped at the same time. */
  prepared: BoundedCache<Bits>;
};

/** Caches for one state of prices and stock. A stored result takes a bit for each coin. */
export const createResults = (): Pick<ReadModel, "results" | "prepared"> => ({
  results: createBoundedCache({ maxEntries: 200, maxTotalSize: 400_000_000 }),
  prepared: createBoundedCache({ maxEntries: 100, maxTotalSize: 2_000_000 }),
});

type ModelCache = {
  model: ReadModel | null;
  textVersion: string;
  checkedAt: number;
  refreshing: Promise<ReadModel> | null;
  /** The index of coins and texts. `maxAwaitedCoins`: as the constant, unless a test has set another. */
  maxAwaitedCoins: number;
  catalogue: ReturnType<typeof createVersioned<CatalogueIndex>>;
  stock: StockSnapshot;
  /** The version of the catalogue as it was read last. */
  edits: CatalogueVersion | null;
};

/**
 * `newest`: the newest edits when the version was read. While these are the same, the version is too, except for an edit that was committed
 * long after it was made.
 */
type CatalogueVersion = { version: string; newest: string; readAt: number };

/** Available pieces of all coins as they were read last. `since`: where the next read of changes begins; null: everything is read. */
type StockSnapshot = { pieces: Map<number, number>; since: string | null; readAllAt: number };

/**
 * Requests wait until a smaller catalogue that was edited is indexed again, so that an edit is seen at once. A larger one takes seconds:
 * meanwhile they are answered from the earlier index, with present prices and stock.
 */
const maxAwaitedCoins = 20_000;

/** The largest catalogue that speed and memory were measured with. A larger one works as long as the memory suffices. */
const maxMeasuredCoins = 100_000;

/**
 * The model is refreshed behind the requests before its second is over: at 100,000 coins the database takes 50 ms for the versions, which
 * every request would wait for once a second.
 */
const refreshAfterMs = 700;

/** All stock is read again after so long, should the database have been replaced by a copy whose transactions are numbered differently. */
const wholeStockEvery = minutes(10);

/** The version of the whole catalogue is read again after so long: it sees edits that the newest ones do not show. */
const wholeVersionEvery = minutes(1);

/**
 * The read model, at most one second behind the database by the shop's clock. The text index is rebuilt when texts, coins or synonyms were
 * edited, prices when the price list changed; of the stock what changed is read. Concurrent callers share one refresh.
 * Throws when the database is unavailable.
 */
export async function readModel(ctx: Ctx): Promise<ReadModel> {
  const cache = modelCache(ctx);
  const now = ctx.now().getTime();
  const isRecent = cache.model !== null && Math.abs(now - cache.checkedAt) < seconds(1);
  // Never older than the price list that this process shows elsewhere, so that a page has prices of one version.
  if (cache.model && isRecent && cache.model.pricing.list.version === (await pricing.current(ctx)).version) {
    // No request waits for this refresh. If it fails, the first request after the second refreshes again and gets the error.
    if (Math.abs(now - cache.checkedAt) >= refreshAfterMs) startRefresh(ctx, cache, now).catch(() => {});
    return cache.model;
  }
  return refreshed(ctx, cache, now);
}

/** A refresh that began within the last second; one that began earlier may have read the database before a change. */
async function refreshed(ctx: Ctx, cache: ModelCache, now: number): Promise<ReadModel> {
  const model = await startRefresh(ctx, cache, now);
  return Math.abs(now - cache.checkedAt) < seconds(1) ? model : startRefresh(ctx, cache, now);
}

/** Concurrent callers share one refresh. */
const startRefresh = (ctx: Ctx, cache: ModelCache, now: number): Promise<ReadModel> =>
  (cache.refreshing ??= withoutDeadline(() => refresh(ctx, cache, now)).finally(() => (cache.refreshing = null)));

/**
 * What all listings and cards are made from now: another object after each change of coins, texts, prices and stock; null: the read model
 * must be refreshed.
 */
export function basis(ctx: Ctx): object | null {
  const { model, checkedAt } = modelCache(ctx);
  const isRecent = model !== null && Math.abs(ctx.now().getTime() - checkedAt) < seconds(1);
  return isRecent && model.pricing.list.version === pricing.currentVersion(ctx) ? model.results : null;
}

const modelCache = (ctx: Ctx): ModelCache =>
  ctx.singleton("search.model", () => {
    const cache: ModelCache = {
      model: null,
      textVersion: "",
      checkedAt: 0,
      refreshing: null,
      maxAwaitedCoins,
      catalogue: createVersioned({ isAwaited: ({ coins }) => coins.length <= cache.maxAwaitedCoins }),
      stock: { pieces: new Map(), since: null, readAllAt: 0 },
      edits: null,
    };
    return cache;
  });

/** For tests: edits of a catalogue of more coins than this are indexed beside the requests. */
export function setLargestAwaited(ctx: Ctx, coins: number): void {
  modelCache(ctx).maxAwaitedCoins = coins;
}

/**
 * Brings the model up to date now and returns the version of its coins, texts and synonyms. What is rendered afterwards is of this version
 * or a newer one; a version read beside the model could be newer than what a page is made from.
 */
export async function refreshedVersion(ctx: Ctx): Promise<string> {
  const cache = modelCache(ctx);
  await refreshed(ctx, cache, ctx.now().getTime());
  return cache.textVersion;
}

async function refresh(ctx: Ctx, cache: ModelCache, now: number): Promise<ReadModel> {
  const since = Math.abs(now - cache.stock.readAllAt) < wholeStockEvery ? cache.stock.since : null;
  const known = cache.edits !== null && Math.abs(now - cache.edits.readAt) < wholeVersionEvery ? cache.edits : null;
  const [list, versions, contentVersion] = await Promise.all([
    pricing.current(ctx),
    rows.readVersions(ctx.db, {
      catalogue: catalog.version,
      newestEdits: catalog.newestEdits,
      knownEdits: known?.newest ?? null,
      stock: stock.changesSince(since),
    }),
    siteParts.version(ctx),
  ]);
  if (versions.catalogue !== null) cache.edits = { version: versions.catalogue, newest: versions.edits, readAt: now };
  const changes = stock.readChanges(versions.stock);
  const pieces = since === null ? changes.pieces : cache.stock.pieces;
  if (since !== null) for (const [id, free] of changes.pieces) pieces.set(id, free);
  // Cards of this year's coins are marked as new.
  const year = moscow(ctx.now()).date.slice(0, 4);
  const present = `${versions.catalogue ?? known?.version} | ${contentVersion} | ${versions.synonyms} | ${settings.version(ctx)} | ${year}`;
  const { value: catalogue, version: textVersion } = await cache.catalogue.at(present, () => buildCatalogue(ctx));
  const before = cache.model?.catalogue === catalogue ? cache.model : null;
  const isSameList = before !== null && before.pricing.list.version === list.version;
  const available =
    before !== null && since !== null
      ? withChanges(catalogue, before.available, changes.pieces)
      : wholeStock(catalogue, pieces, before?.available ?? null);
  const isSameStock = available === before?.available;
  const model: ReadModel = {
    catalogue,
    pricing: isSameList ? before.pricing : await createPriceIndex(catalogue.coins, list),
    available,
    ...(isSameList && isSameStock ? { results: before.results, prepared: before.prepared } : createResults()),
  };
  // Only now: after a refresh that failed the same changes are read again.
  const readStock: StockSnapshot = { pieces, since: changes.until, readAllAt: since === null ? now : cache.stock.readAllAt };
  Object.assign(cache, { model, textVersion, checkedAt: now, stock: readStock });
  return model;
}

/** The available pieces by the position of the coin: `before` itself when they are the same, so that what was made of them is kept. */
function wholeStock({ coins }: CatalogueIndex, pieces: ReadonlyMap<number, number>, before: Int32Array | null): Int32Array {
  const available = Int32Array.from(coins, (coin) => pieces.get(coin.id) ?? 0);
  return before?.every((free, position) => free === available[position]) ? before : available;
}

/** The same after these changes: `before` itself when no coin on sale has other pieces. */
function withChanges({ positionOf }: CatalogueIndex, before: Int32Array, changes: ReadonlyMap<number, number>): Int32Array {
  let available = before;
  for (const [id, free] of changes) {
    const position = positionOf.get(id);
    if (position === undefined || available[position] === free) continue;
    if (available === before) available = available.slice();
    available[position] = free;
  }
  return available;
}

async function buildCatalogue(ctx: Ctx): Promise<CatalogueIndex> {
  const [coins, categories, series, texts, synonyms] = await Promise.all([
    catalog.allCoins(ctx),
    catalog.categories(ctx),
    seriesTexts(ctx.db),
    content.searchable(ctx),
    rows.readSynonyms(ctx.db),
  ]);
  const articles = texts.flatMap((text) => {
    const href = entryHref(text);
    return href === null
      ? []
      : [
          {
            id: `${text.kind}-${text.id}`,
            title: text.title,
            href,
            lead: [text.lead, wordsOfPages[href] ?? ""].join(" "),
            body: text.body,
          },
        ];
  });
  if (coins.length > maxMeasuredCoins)
    ctx.log.warn(
      { count: coins.length, limit: maxMeasuredCoins },
      "more coins are on sale than this shop is measured with (docs/decisions/0003)",
    );
  const pages = sitePages.map(({ words, ...page }) => ({ ...page, lead: words, body: "" }));
  return createCatalogueIndex({ coins, categories, articles: [...articles, ...pages], synonyms, series });
}
