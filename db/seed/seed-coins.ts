import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chunks } from "#kit/concurrency/chunks.ts";
import { inTransaction } from "#kit/db.ts";
import { readTable } from "#kit/documents/spreadsheet/spreadsheet.ts";
import type { Table } from "#kit/documents/spreadsheet/table.ts";
import type { Coin } from "#shop/catalog/coin.ts";
import { noPictures } from "#shop/catalog/image.ts";
import * as coinSeeding from "#shop/catalog/seeding.ts";
import type { Ctx } from "#shop/context.ts";
import { readFirstCoins, type FirstCoin } from "#shop/exchange/seeding.ts";
import * as stock from "#shop/stock/service.ts";

/** A coin of the demo and its pieces on hand. */
export type SeedCoin = { coin: Coin; pieces: number };

/** The demo's tables of coins and of stock, in the columns of the exchange: a file of the back office can take their place. */
export async function seedTables(): Promise<{ coins: Table; stock: Table }> {
  return { coins: await read("coins.csv"), stock: await read("stock.csv") };
}

/** Larger than any table of the seed. */
const limits = { rows: 100_000, columns: 100, cellLength: 10_000, unzippedBytes: 0 };

async function read(name: string): Promise<Table> {
  const table = await readTable(readFileSync(join(import.meta.dirname, "data", name)), limits);
  if (!table.ok) throw new Error(`${name}: ${table.error.code}${table.error.line === undefined ? "" : ` in row ${table.error.line}`}`);
  return table.value;
}

/** The demo's coins without a database, on sale from `at`. Throws `TableRefused`. */
export const seedCoins = async (at: Date): Promise<SeedCoin[]> => onSale(await readFirstCoins(await seedTables()), at);

/** Coins of tables as the shop begins to sell them at `at`. Each has a drawing, and a place in the catalogue before anything is sold. */
export function onSale(list: readonly FirstCoin[], at: Date): SeedCoin[] {
  const popularity = popularityOf(list);
  return list.map(({ id, facts, prices, pieces }) => ({
    pieces,
    coin: {
      ...facts,
      ...prices,
      premiumBp: prices.premiumBp ?? 0, // of a memorable coin: its price is fixed
      id,
      popularity: popularity.get(id) ?? 0,
      isPublished: true,
      publishedAt: at,
      pictures: noPictures,
      hasDrawing: true,
      revision: 0,
      createdAt: at,
      updatedAt: at,
    },
  }));
}

/**
 * Adds the coins that the shop does not have, with their categories, their stock and its opening entry; the others stay as they are. All
 * or none. Returns how many were added.
 */
export function addSeedCoins(ctx: Pick<Ctx, "db" | "now" | "actor">, list: readonly SeedCoin[]): Promise<number> {
  return inTransaction(ctx.db, async (tx) => {
    const added = new Set((await coinSeeding.addMissingCoins(tx, coinsOf(list))).map(({ id }) => id));
    const opening = list.filter(({ coin }) => added.has(coin.id)).map(({ coin, pieces }) => ({ coinId: coin.id, quantity: pieces }));
    for (const some of chunks(opening, 5000)) await stock.openStock(tx, ctx, some);
    return added.size;
  });
}

export const coinsOf = (list: readonly SeedCoin[]): Coin[] => list.map(({ coin }) => coin);

/**
 * Initial order of the catalogue before anything is sold: coins with a large stock and a recent year first. Each further issue of a design
 * ranks lower, so that the first page does not show twelve years of one coin.
 */
function popularityOf(list: readonly FirstCoin[]): Map<number, number> {
  const latest = Math.max(...list.map(({ facts }) => facts.year));
  const weight = ({ facts, pieces }: FirstCoin) =>
    pieces === 0
      ? 0
      : (Math.log2(1 + pieces) +
          (facts.kind === "bullion" ? 2 : 0) +
          (facts.metal === "gold" ? 2 : 0) +
          (facts.country === "Россия" ? 2 : 0)) /
        (1 + (latest - facts.year) / 12);
  const issuesSeen = new Map<string, number>();
  const result = new Map<number, number>();
  for (const coin of list.toSorted((a, b) => weight(b) - weight(a) || a.id - b.id)) {
    const design = `${coin.facts.motif} ${coin.facts.metal} ${coin.facts.denominationValue}`;
    const seen = issuesSeen.get(design) ?? 0;
    issuesSeen.set(design, seen + 1);
    result.set(coin.id, Math.round((weight(coin) * 1000) / (1 + seen * 0.35)));
  }
  return result;
}
