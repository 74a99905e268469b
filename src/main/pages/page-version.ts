import type { Ctx } from "#shop/context.ts";
import * as siteParts from "#shop/content/site/parts.service.ts";
import * as pricing from "#shop/pricing/service.ts";
import * as rates from "#shop/rates/service.ts";
import { refreshedVersion } from "#shop/search/index/read-model.service.ts";
import * as search from "#shop/search/service.ts";

const maxRenders = 5;

/** The version of the current price list; null while the database does not answer. */
export const readPriceListVersion = (ctx: Ctx): Promise<number | null> =>
  pricing.current(ctx).then(
    ({ version }) => version,
    () => null,
  );

/**
 * A page is made from several reads. If the price list changes meanwhile, it is rendered again, so that its text, structured data and cards
 * show one list; the result of attempt `maxRenders` is used as it is.
 */
export async function renderWithOnePriceList<T>(listNow: () => Promise<number | null>, make: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const before = await listNow();
    const made = await make();
    if (tries === maxRenders || before === (await listNow())) return made;
  }
}

/** In place of a version that could not be read. */
export const unknownVersion = "unknown";

/** `list`: the version of the price list. `prices`: that, and whether it is current. `texts`: everything that staff edit. */
export type PageDataVersion = { list: number; prices: string; texts: string };

/**
 * The state of all coins with their prices and stock, as a number of this process; `unknownVersion` without the database. For a page that
 * is made from nothing else besides what `PageDataVersion` names.
 */
export async function readCatalogueState(ctx: Ctx): Promise<string> {
  const known = ctx.singleton("pages.states", () => ({ numbers: new WeakMap<object, number>(), last: 0 }));
  const basis = await search.currentBasis(ctx).catch(() => null);
  if (basis === null) return unknownVersion;
  const number = known.numbers.get(basis) ?? (known.last += 1);
  known.numbers.set(basis, number);
  return String(number);
}

/** The versions as the key of cached pages has them. */
export const versionText = ({ prices, texts }: PageDataVersion): string => `${prices}|${texts}`;

/** Without the database no newer list can be read. */
export const unknownData: PageDataVersion = { list: Infinity, prices: unknownVersion, texts: unknownVersion };

type KnownVersion = { at: number; version: Promise<PageDataVersion>; latest: PageDataVersion | null };

/** The versions that this process read last, and the read that is on its way. */
export const versionOf = (ctx: Ctx): KnownVersion =>
  ctx.singleton("pages.version", () => ({ at: -Infinity, version: Promise.resolve(unknownData), latest: null }));

/** The version that was read within the last second; null: it must be read again. */
export function latestVersion(known: KnownVersion): PageDataVersion | null {
  return performance.now() - known.at < 1_000 ? known.latest : null;
}

/** The same for a client that has seen the price list `seen`: read again if it is newer than what was read within the last second. */
export async function pageDataVersionSince(ctx: Ctx, seen: number): Promise<PageDataVersion> {
  const known = versionOf(ctx);
  const before = readPageDataVersion(ctx);
  const version = await before;
  if (version.list >= seen) return version;
  const isNewer = await pricing.catchUp(ctx, seen).then(
    () => (pricing.currentVersion(ctx) ?? 0) > version.list,
    () => false,
  );
  if (isNewer && known.version === before) known.at = -Infinity;
  return readPageDataVersion(ctx);
}

/** Versions of the data that public pages are made from. Read at most once a second. */
function readPageDataVersion(ctx: Ctx): Promise<PageDataVersion> {
  const known = versionOf(ctx);
  const at = performance.now();
  if (at - known.at >= 1_000) {
    known.at = at;
    known.latest = null;
    known.version = Promise.all([pricing.current(ctx), rates.market(ctx), siteParts.version(ctx), refreshedVersion(ctx)])
      .then(([list, market, ...edits]) => ({
        list: list.version,
        prices: `${list.version}:${list.isStale}:${list.isDead}:${market.isOpen}`,
        texts: edits.join("|"),
      }))
      .catch(() => unknownData); // without the database cached pages are still served
    const read = known.version;
    void read.then((version) => {
      if (known.version === read && version !== unknownData) known.latest = version;
    });
  }
  return known.version;
}
