import { chunks } from "#kit/chunks.ts";
import { inTransaction } from "#kit/db.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import { usualPurchaseLimit, type PurchaseLimits } from "#shop/catalog/coin-rules.ts";
import { noPictures } from "#shop/catalog/image.ts";
import * as coinSeeding from "#shop/catalog/seeding.ts";
import * as catalog from "#shop/catalog/service.ts";
import type { Ctx } from "#shop/context.ts";
import { buybackPrice, sellingPrice } from "#shop/pricing/price.ts";
import { openingRatesE4 } from "#shop/rates/rate.ts";
import { defaultLimits } from "#shop/settings.ts";
import * as stock from "#shop/stock/service.ts";
import { readCoinRows, type CoinRow } from "./coin-row.ts";

export type ImportOutcome = { rows: number; added: number; changed: number };

/**
 * Checks a parsed file and writes its coins, their categories and, for new coins, their opening stock with its stock entry. All or nothing;
 * throws `ImportRefused`. Idempotent: unchanged rows change nothing. Texts and facts of existing coins are updated; stock, prices,
 * premiums, popularity and visibility are not, because the shop changes those. A missing purchase limit is filled in from the file, else by
 * the rule of `limits`.
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
    const { added, changed } = await coinSeeding.writeCoins(tx, coinList);
    for (const some of chunks(rows, 5000))
      await stock.openStock(
        tx,
        ctx,
        some.map((row) => ({ coinId: row.id, quantity: row.stock })),
      );
    return { rows: rows.length, added, changed };
  });
}

/**
 * Rows in the owner's units as coins in the shop's, on sale from `at`. Memorable coins get a fixed price: the price formula at the demo's
 * opening rates.
 */
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
        purchaseLimit: purchaseLimit ?? usualPurchaseLimit(price, limits),
        popularity: popularity.get(same.id) ?? 0,
        featuredPosition: null,
        isPublished: true,
        publishedAt: at,
        pictures: noPictures,
        hasDrawing: true,
        revision: 0,
        createdAt: at,
        updatedAt: at,
      };
    },
  );
}

/**
 * Initial order of the catalogue before anything is sold: coins with a large stock and a recent year first. Each further issue of a design
 * ranks lower, so that the first page does not show twelve years of one coin.
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
