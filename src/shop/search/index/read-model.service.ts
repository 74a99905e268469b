import { seriesTexts } from "#shop/catalog/sections.service.ts";
import * as catalog from "#shop/catalog/service.ts";
import { entryHref } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import type { Ctx } from "#shop/context.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as settings from "#shop/settings/service.ts";
import * as stock from "#shop/stock/service.ts";
import { withoutDeadline } from "#kit/concurrency/deadline.ts";
import { moscow } from "#kit/moscow-time.ts";
import { seconds } from "#kit/time.ts";
import { createCatalogueIndex, createPriceIndex, type CatalogueIndex, type PriceIndex } from "./catalogue-index.ts";
import type { FilterResult } from "../facets/filter-and-count.ts";
import * as rows from "../repository.ts";
import { sitePages, wordsOfPages } from "../text/texts.ru.ts";

/** Everything that listings are computed from, without a database query. */
export type ReadModel = {
  catalogue: CatalogueIndex;
  pricing: PriceIndex;
  available: Int32Array;
  /** The version of the stock that `available` is, or an older one. */
  stockVersion: string;
  /** Cached results by filters, dropped when prices or stock change: most visitors open the same few listings. */
  results: Map<string, FilterResult>;
};

type ModelCache = { model: ReadModel | null; textVersion: string; checkedAt: number; refreshing: Promise<ReadModel> | null };

/**
 * The read model, at most one second behind the database by the shop's clock. The text index is rebuilt when texts, coins or synonyms were
 * edited, prices when the price list changed; the stock is read when its version changed. Concurrent callers share one refresh.
 * Throws when the database is unavailable.
 */
export async function readModel(ctx: Ctx): Promise<ReadModel> {
  const cache = modelCache(ctx);
  const now = ctx.now().getTime();
  const isRecent = cache.model !== null && Math.abs(now - cache.checkedAt) < seconds(1);
  // Never older than the price list that this process shows elsewhere, so that a page has prices of one version.
  if (cache.model && isRecent && cache.model.pricing.list.version === (await pricing.current(ctx)).version) return cache.model;
  cache.refreshing ??= withoutDeadline(() => refresh(ctx, cache, now)).finally(() => (cache.refreshing = null));
  return cache.refreshing;
}

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
  ctx.singleton("search.model", () => ({ model: null, textVersion: "", checkedAt: 0, refreshing: null }));

/**
 * Brings the model up to date now and returns the version of its coins, texts and synonyms. What is rendered afterwards is of this version
 * or a newer one; a version read beside the model could be newer than what a page is made from.
 */
export async function refreshedVersion(ctx: Ctx): Promise<string> {
  const cache = modelCache(ctx);
  cache.refreshing ??= withoutDeadline(() => refresh(ctx, cache, ctx.now().getTime())).finally(() => (cache.refreshing = null));
  await cache.refreshing;
  return cache.textVersion;
}

async function refresh(ctx: Ctx, cache: ModelCache, now: number): Promise<ReadModel> {
  const [list, versions, contentVersion] = await Promise.all([
    pricing.current(ctx),
    rows.readVersions(ctx.db, { catalogue: catalog.version, stock: stock.availableVersion }),
    siteParts.version(ctx),
  ]);
  // Cards of this year's coins are marked as new.
  const year = moscow(ctx.now()).date.slice(0, 4);
  const textVersion = `${versions.catalogue} | ${contentVersion} | ${versions.synonyms} | ${settings.version(ctx)} | ${year}`;
  const before = cache.textVersion === textVersion ? cache.model : null;
  const catalogue = before?.catalogue ?? (await buildCatalogue(ctx));
  const isSameList = before !== null && before.pricing.list.version === list.version;
  const available =
    before !== null && before.stockVersion === versions.stock ? before.available : await availablePieces(ctx, catalogue, before?.available);
  const isSameStock = available === before?.available;
  const model: ReadModel = {
    catalogue,
    pricing: isSameList ? before.pricing : await createPriceIndex(catalogue.coins, list),
    available,
    stockVersion: versions.stock,
    results: isSameList && isSameStock ? before.results : new Map(),
  };
  Object.assign(cache, { model, textVersion, checkedAt: now });
  return model;
}

/** The available pieces by the position of the coin; `before` itself when they are the same. */
async function availablePieces(ctx: Ctx, catalogue: CatalogueIndex, before: Int32Array | undefined): Promise<Int32Array> {
  const free = await stock.available(ctx.db);
  const available = Int32Array.from(catalogue.coins, (coin) => free.get(coin.id) ?? 0);
  return before && available.every((pieces, position) => pieces === before[position]) ? before : available;
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
  const pages = sitePages.map(({ words, ...page }) => ({ ...page, lead: words, body: "" }));
  return createCatalogueIndex({ coins, categories, articles: [...articles, ...pages], synonyms, series });
}
