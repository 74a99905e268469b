import * as catalog from "#shop/catalog/service.ts";
import { entryHref } from "#shop/content/entry.ts";
import * as content from "#shop/content/service.ts";
import type { Ctx } from "#shop/context.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as stock from "#shop/stock/service.ts";
import { seconds } from "#kit/time.ts";
import { createCatalogueIndex, createPriceIndex, type CatalogueIndex, type PriceIndex } from "./catalogue-index.ts";
import type { Walk } from "./facets.ts";
import * as rows from "./repository.ts";
import { sitePages, wordsOfPages } from "./texts.ru.ts";

/** Everything listings are answered from, without a query. */
export type ReadModel = {
  catalogue: CatalogueIndex;
  pricing: PriceIndex;
  available: Int32Array;
  /** Listings walked since anything moved, by their filters: most readers open the same few. */
  walks: Map<string, Walk>;
};

type Memory = { model: ReadModel | null; textVersion: string; checkedAt: number; refreshing: Promise<ReadModel> | null };

/**
 * The read model, at most a second behind the database by the shop's clock. Versions are compared first: texts and words are rebuilt when
 * somebody edited them, prices when the price list moved, and the free pieces are read each time. Callers that come together wait for one refresh.
 * Throws when the database cannot be asked: a shop that cannot sell should not pretend to.
 */
export async function readModel(ctx: Ctx): Promise<ReadModel> {
  const memory = ctx.held("search.model", (): Memory => ({ model: null, textVersion: "", checkedAt: 0, refreshing: null }));
  const now = ctx.now().getTime();
  const isRecent = memory.model !== null && Math.abs(now - memory.checkedAt) < seconds(1);
  // Never behind the price list that this process shows elsewhere: a page and its prices are of one version.
  if (memory.model && isRecent && memory.model.pricing.list.version === (await pricing.current(ctx)).version) return memory.model;
  memory.refreshing ??= refresh(ctx, memory, now).finally(() => (memory.refreshing = null));
  return memory.refreshing;
}

async function refresh(ctx: Ctx, memory: Memory, now: number): Promise<ReadModel> {
  const [list, catalogVersion, contentVersion, synonymsVersion, free] = await Promise.all([
    pricing.current(ctx),
    catalog.version(ctx),
    content.version(ctx),
    rows.readSynonymsVersion(ctx.db),
    stock.available(ctx.db),
  ]);
  const textVersion = `${catalogVersion} | ${contentVersion} | ${synonymsVersion}`;
  const before = memory.textVersion === textVersion ? memory.model : null;
  const catalogue = before?.catalogue ?? (await buildCatalogue(ctx));
  const isSameList = before !== null && before.pricing.list.version === list.version;
  const available = Int32Array.from(catalogue.coins, (coin) => free.get(coin.id) ?? 0);
  const isSameStock = before !== null && available.every((pieces, place) => pieces === before.available[place]);
  const model: ReadModel = {
    catalogue,
    pricing: isSameList ? before.pricing : await createPriceIndex(catalogue.coins, list),
    available,
    walks: isSameList && isSameStock ? before.walks : new Map(),
  };
  Object.assign(memory, { model, textVersion, checkedAt: now });
  return model;
}

async function buildCatalogue(ctx: Ctx): Promise<CatalogueIndex> {
  const [coins, categories, texts, synonyms] = await Promise.all([
    catalog.allCoins(ctx),
    catalog.categories(ctx),
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
  return createCatalogueIndex({ coins, categories, articles: [...articles, ...pages], synonyms });
}
