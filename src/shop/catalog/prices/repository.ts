import { and, asc, between, count, eq, inArray, isNotNull, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { categories, coinCategories, coins, coinSalePeriods } from "../tables.ts";
import type { CoinFacets, CoinFilter, PricedRow, PriceWrite, SalePeriod } from "./prices.ts";

const isOneOf = (column: SQL, values: readonly (string | number)[] | undefined): SQL | undefined =>
  values && values.length > 0 ? sql`${column} = any(${sql.param([...values])})` : undefined;

/** The coins of the filter's conditions except its text, by metal, kind and title. */
export async function readPriced(db: Db, filter: CoinFilter): Promise<PricedRow[]> {
  const inCategories = filter.categories?.length
    ? inArray(
        coins.id,
        db
          .select({ id: coinCategories.coinId })
          .from(coinCategories)
          .where(inArray(coinCategories.categorySlug, [...filter.categories])),
      )
    : undefined;
  const order = [asc(coins.metal), asc(coins.kind), asc(coins.title), asc(coins.id)];
  // Read as one text: ten thousand rows cost the driver several times as much.
  const [row] = await db
    .select({
      all: sql<string | null>`json_agg(json_build_object('id', ${coins.id}, 'slug', ${coins.slug}, 'title', ${coins.title},
        'metal', ${coins.metal}, 'kind', ${coins.kind}, 'pureMassMg', ${coins.pureMassMg}, 'isPublished', ${coins.isPublished},
        'premiumBp', ${coins.premiumBp}, 'buybackBp', ${coins.buybackBp}, 'fixedPriceKopecks', ${coins.fixedPriceKopecks},
        'fixedBuybackKopecks', ${coins.fixedBuybackKopecks}) order by ${sql.join(order, sql`, `)})::text`,
    })
    .from(coins)
    .where(
      and(
        filter.ids ? sql`${coins.id} = any(${sql.param([...filter.ids])}::int[])` : undefined,
        isOneOf(sql`${coins.metal}`, filter.metals),
        isOneOf(sql`${coins.kind}`, filter.kinds),
        isOneOf(sql`${coins.series}`, filter.series),
        isOneOf(sql`${coins.country}`, filter.countries),
        inCategories,
        between(coins.year, filter.yearFrom ?? 0, filter.yearTill ?? 9_999),
        between(coins.pureMassMg, filter.massFromMg ?? 0, filter.massTillMg ?? 2_000_000_000),
      ),
    );
  return row?.all ? (JSON.parse(row.all) as PricedRow[]) : [];
}

/** The periods on sale that were not over at `from`, of coins that are on sale now, oldest first. */
export async function salePeriods(db: Db, ids: readonly number[], from: Date): Promise<(SalePeriod & { coinId: number })[]> {
  return db
    .select({ coinId: coinSalePeriods.coinId, from: coinSalePeriods.startedAt, till: coinSalePeriods.endedAt })
    .from(coinSalePeriods)
    .innerJoin(coins, eq(coins.id, coinSalePeriods.coinId))
    .where(
      and(
        sql`${coinSalePeriods.coinId} = any(${sql.param([...ids])}::int[])`,
        eq(coins.isPublished, true),
        sql`coalesce(${coinSalePeriods.endedAt} > ${from.toISOString()}::timestamptz, true)`,
      ),
    )
    .orderBy(asc(coinSalePeriods.startedAt));
}

/** Ends all that is known of the days on sale of these coins; the present periods begin at this moment. */
export async function restartSales(tx: Tx, ids: readonly number[], at: Date): Promise<void> {
  const isOfCoin = sql`${coinSalePeriods.coinId} = any(${sql.param([...ids])}::int[])`;
  await tx.delete(coinSalePeriods).where(and(isOfCoin, isNotNull(coinSalePeriods.endedAt)));
  await tx.update(coinSalePeriods).set({ startedAt: at }).where(isOfCoin);
}

/** Writes the prices of coins that still have those of `before`, in one statement; returns the coins that were changed. */
export async function writePrices(tx: Tx, list: readonly PriceWrite[]): Promise<number[]> {
  const values = list.map(({ coinId, before, after }) => ({
    id: coinId,
    pb: before.premiumBp,
    bb: before.buybackBp,
    fb: before.fixedPriceKopecks,
    gb: before.fixedBuybackKopecks,
    pa: after.premiumBp,
    ba: after.buybackBp,
    fa: after.fixedPriceKopecks,
    ga: after.fixedBuybackKopecks,
  }));
  const changed = await tx
    .update(coins)
    .set({
      premiumBp: sql`v.pa`,
      buybackBp: sql`v.ba`,
      fixedPriceKopecks: sql`v.fa`,
      fixedBuybackKopecks: sql`v.ga`,
      updatedAt: sql`clock_timestamp()`,
    })
    .from(
      sql`jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
        as v(id int, pb int, bb int, fb bigint, gb bigint, pa int, ba int, fa bigint, ga bigint)`,
    )
    .where(
      sql`${coins.id} = v.id and (${coins.premiumBp}, ${coins.buybackBp}, ${coins.fixedPriceKopecks}, ${coins.fixedBuybackKopecks})
        is not distinct from (v.pb, v.bb, v.fb, v.gb)`,
    )
    .returning({ id: coins.id });
  return changed.map(({ id }) => id);
}

export async function readFacets(db: Db): Promise<CoinFacets> {
  const coinCount = count();
  const [byKind, series, countries, byCategory] = [
    await db.select({ metal: coins.metal, kind: coins.kind, coins: coinCount }).from(coins).groupBy(coins.metal, coins.kind),
    await db
      .select({ name: sql<string>`${coins.series}`, coins: coinCount })
      .from(coins)
      .where(isNotNull(coins.series))
      .groupBy(coins.series),
    await db.select({ name: coins.country, coins: coinCount }).from(coins).groupBy(coins.country),
    await db
      .select({ slug: categories.slug, title: categories.title, coins: count(coinCategories.coinId) })
      .from(categories)
      .innerJoin(coinCategories, eq(coinCategories.categorySlug, categories.slug))
      .groupBy(categories.slug, categories.title, categories.position)
      .orderBy(asc(categories.position)),
  ];
  const sum = (is: (row: (typeof byKind)[number]) => boolean): number => byKind.filter(is).reduce((total, row) => total + row.coins, 0);
  const byCount = <T extends { name: string; coins: number }>(list: T[]): T[] =>
    list.toSorted((a, b) => b.coins - a.coins || a.name.localeCompare(b.name, "ru"));
  return {
    metals: { gold: sum(({ metal }) => metal === "gold"), silver: sum(({ metal }) => metal === "silver") },
    kinds: { bullion: sum(({ kind }) => kind === "bullion"), memorable: sum(({ kind }) => kind === "memorable") },
    series: byCount(series),
    countries: byCount(countries),
    categories: byCategory,
  };
}
