import { inArray, sql } from "drizzle-orm";
import type { Tx } from "#kit/db.ts";
import { fromRoubles, type Kopecks } from "#kit/money.ts";
import { inTransaction } from "#kit/db.ts";
import { coinCategories, coins } from "#shop/catalog/tables.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { buybackPrice, sellingPrice } from "#shop/pricing/price.ts";
import { openingRatesE4 } from "#shop/rates/rate.ts";
import { defaultLimits, type Limits } from "#shop/settings.ts";
import * as stock from "#shop/stock/service.ts";
import { readCoinRows, type CoinRow } from "./coin-row.ts";
import { whereItDiffers } from "./upsert.ts";

export type ImportOutcome = { rows: number; added: number; changed: number };

/**
 * Checks a parsed file and writes its coins, their categories and, for coins that never had any, their opening stock with its ledger entry.
 * All or nothing; throws `ImportRefused`. May be repeated: rows that say nothing new change nothing. Texts and facts of known coins
 * are brought up to date; stock, prices, premiums, popularity and visibility are not, for the shop itself moves those. A purchase limit is
 * filled in where a coin has none: that of the file, else by the rule of `limits`.
 */
export async function importCoins(
  ctx: Pick<Ctx, "db" | "now" | "actor">,
  file: unknown,
  limits: PurchaseLimits = defaultLimits,
): Promise<ImportOutcome> {
  const known = new Set((await catalog.categories(ctx)).map((category) => category.slug));
  const rows = readCoinRows(file, known);
  const coinList = coinsOf(rows, ctx.now(), limits);
  return inTransaction(ctx.db, async (tx) => {
    const before = new Set((await tx.select({ id: coins.id }).from(coins)).map((row) => row.id));
    let written = 0;
    for (const some of chunks(coinList, 1000)) written += await writeCoins(tx, some);
    for (const some of chunks(rows, 1000)) await writeCategories(tx, some);
    for (const some of chunks(rows, 5000))
      await stock.open(
        tx,
        ctx,
        some.map((row) => ({ coinId: row.id, quantity: row.stock })),
      );
    const added = rows.filter((row) => !before.has(row.id)).length;
    return { rows: rows.length, added, changed: written - added };
  });
}

/** Rows in the owner's units as coins in the shop's, on sale from `at`. Memorable coins get a fixed price: the same formula at the rates the demonstration opens with. */
export function coinsOf(rows: readonly CoinRow[], at: Date, limits: PurchaseLimits = defaultLimits): Coin[] {
  const popularity = popularityOf(rows);
  return rows.map(
    ({
      denomination,
      fineness,
      pureMassG,
      totalMassG,
      premium,
      stock: _stock,
      source: _source,
      verifiedFields: _verifiedFields,
      purchaseLimit,
      ...same
    }) => {
      const pureMassMg = Math.round(pureMassG * 1000);
      const premiumBp = Math.round(premium.typicalPct * 100);
      const buybackBp = premium.buybackPct === null ? null : Math.round(premium.buybackPct * 100);
      const rate = openingRatesE4[same.metal === "gold" ? "XAU_RUB" : "XAG_RUB"];
      const isFixed = same.kind === "memorable";
      const price = sellingPrice(pureMassMg, rate, premiumBp);
      return {
        ...same,
        denominationValue: denomination.value,
        denominationCurrency: denomination.currency,
        finenessTenths: Math.round(fineness * 10),
        pureMassMg,
        totalMassMg: Math.round(totalMassG * 1000),
        premiumBp,
        buybackBp,
        fixedPriceKopecks: isFixed ? price : null,
        fixedBuybackKopecks: isFixed && buybackBp !== null ? buybackPrice(pureMassMg, rate, buybackBp) : null,
        vatCode: 1,
        purchaseLimit: purchaseLimit ?? limitFor(price, limits),
        popularity: popularity.get(same.id) ?? 0,
        isPublished: true,
        createdAt: at,
        updatedAt: at,
      };
    },
  );
}

/** Settings of the rule by which a coin gets its purchase limit. */
type PurchaseLimits = Pick<Limits, "purchaseLimitFromRoubles" | "purchaseLimitPieces">;

/** Dear coins are rare: one buyer must not take them all. */
const limitFor = (price: Kopecks, { purchaseLimitFromRoubles, purchaseLimitPieces }: PurchaseLimits): number | null =>
  purchaseLimitPieces > 0 && price >= fromRoubles(purchaseLimitFromRoubles) ? purchaseLimitPieces : null;

/** What the shop itself moves after the first import. */
const shopsOwn = [
  "premiumBp",
  "buybackBp",
  "fixedPriceKopecks",
  "fixedBuybackKopecks",
  "vatCode",
  "purchaseLimit",
  "popularity",
  "isPublished",
  "createdAt",
];

/** Answers how many rows were added or really changed. */
async function writeCoins(tx: Tx, list: readonly Coin[]): Promise<number> {
  const { set, setWhere } = whereItDiffers(coins, ["id", ...shopsOwn]);
  const isLimitMissing = sql`${coins.purchaseLimit} is null and excluded.purchase_limit is not null`;
  const written = await tx
    .insert(coins)
    .values(list.map(({ categories: _categories, updatedAt: _updatedAt, ...row }) => row))
    .onConflictDoUpdate({
      target: coins.id,
      set: { ...set, purchaseLimit: sql`coalesce(${coins.purchaseLimit}, excluded.purchase_limit)` },
      setWhere: sql`(${setWhere}) or (${isLimitMissing})`,
    })
    .returning({ id: coins.id });
  return written.length;
}

async function writeCategories(tx: Tx, rows: CoinRow[]): Promise<void> {
  const wanted = rows.flatMap((row) => row.categories.map((categorySlug) => ({ coinId: row.id, categorySlug })));
  const key = (pair: { coinId: number; categorySlug: string }) => `${pair.coinId} ${pair.categorySlug}`;
  const had = await tx
    .select()
    .from(coinCategories)
    .where(
      inArray(
        coinCategories.coinId,
        rows.map((row) => row.id),
      ),
    );
  const keep = new Set(wanted.map(key));
  const known = new Set(had.map(key));
  const stale = had.filter((pair) => !keep.has(key(pair)));
  const fresh = wanted.filter((pair) => !known.has(key(pair)));
  if (stale.length > 0) {
    const pairs = sql.join(
      stale.map((pair) => sql`(${pair.coinId}::integer, ${pair.categorySlug}::text)`),
      sql`, `,
    );
    await tx.delete(coinCategories).where(sql`(${coinCategories.coinId}, ${coinCategories.categorySlug}) in (${pairs})`);
  }
  for (const some of chunks(fresh, 20_000)) await tx.insert(coinCategories).values(some);
  const moved = new Set([...stale, ...fresh].map((pair) => pair.coinId));
  if (moved.size > 0)
    await tx
      .update(coins)
      .set({ updatedAt: sql`clock_timestamp()` })
      .where(inArray(coins.id, [...moved]));
}

/**
 * A first order for the catalogue while nothing is sold yet: what is stocked deeply and struck lately comes first, and each further
 * issue of one design steps back, so that the first page shows what the shop has and not twelve years of one coin.
 */
function popularityOf(rows: readonly CoinRow[]): Map<number, number> {
  const latest = Math.max(...rows.map((row) => row.year));
  const weight = (row: CoinRow) =>
    row.stock === 0
      ? 0
      : (Math.log2(1 + row.stock) +
          (row.kind === "bullion" ? 2 : 0) +
          (row.metal === "gold" ? 2 : 0) +
          (row.country === "Россия" ? 2 : 0)) /
        (1 + (latest - row.year) / 12);
  const issuesSeen = new Map<string, number>();
  const result = new Map<number, number>();
  for (const row of rows.toSorted((a, b) => weight(b) - weight(a) || a.id - b.id)) {
    const design = `${row.motif} ${row.metal} ${row.denomination.value}`;
    const seen = issuesSeen.get(design) ?? 0;
    issuesSeen.set(design, seen + 1);
    result.set(row.id, Math.round((weight(row) * 1000) / (1 + seen * 0.35)));
  }
  return result;
}

function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
