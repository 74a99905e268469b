import { sql, type SQL } from "drizzle-orm";
import { rowsOf, type Db } from "#kit/db.ts";
import { kopecks } from "#kit/money.ts";
import type { EntryKind } from "../stock.ts";
import type { LedgerEntry, Level, LevelFilter, LevelPart, MetalTotal } from "./overview.ts";

const free = sql`(coalesce(i.on_hand, 0) - coalesce(i.reserved, 0))`;
const isLow = (lowAt: number): SQL => sql`(${free} <= coalesce(i.low_at, ${lowAt}::integer))`;

function partCondition(part: LevelPart, lowAt: number): SQL {
  switch (part) {
    case "all":
      return sql`true`;
    case "in_stock":
      return sql`coalesce(i.on_hand, 0) > 0`;
    case "low":
      return sql`${isLow(lowAt)} and ${free} > 0`;
    case "out":
      return sql`${free} <= 0 and c.is_published`;
    case "without_cost":
      return sql`coalesce(i.on_hand, 0) > coalesce(i.costed_pieces, 0)`;
  }
}

type LevelRow = Omit<Level, "cost"> & { cost: string };
const toLevel = (row: LevelRow): Level => ({ ...row, cost: kopecks(Number(row.cost)) });

const levelColumns = (lowAt: number): SQL => sql`c.id as "coinId", c.slug, c.title, c.metal, c.catalogue_number as "catalogueNumber",
  c.pure_mass_mg as "pureMassMg", c.is_published as "isPublished", coalesce(i.on_hand, 0) as "onHand", coalesce(i.reserved, 0) as reserved,
  coalesce(i.costed_pieces, 0) as costed, coalesce(i.cost_kopecks, 0)::text as cost, i.low_at as "lowAt", ${isLow(lowAt)} as "isLow"`;

/** Coins by title, with and without a stock row. One statement. */
export async function levels(db: Db, { part, metal, ids, after, limit, lowAt }: LevelFilter): Promise<Level[]> {
  const rows = await rowsOf<LevelRow>(
    db,
    sql`
    select ${levelColumns(lowAt)}
    from coins c left join stock_items i on i.coin_id = c.id
    where ${partCondition(part, lowAt)} ${metal ? sql`and c.metal = ${metal}` : sql``}
      ${ids ? sql`and c.id in (select id::int from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as t (id))` : sql``}
      ${after !== null ? sql`and (c.title, c.id) > (select title, id from coins where id = ${after})` : sql``}
    order by c.title, c.id limit ${limit}`,
  );
  return rows.map(toLevel);
}

/** Coins in stock, those with the most metal value first, at these rates (0: not known). One statement. */
export async function mostValuable(
  db: Db,
  { goldE4, silverE4, limit, lowAt }: { goldE4: number; silverE4: number; limit: number; lowAt: number },
): Promise<Level[]> {
  const rateE4 = sql`case c.metal when 'gold' then ${goldE4}::numeric else ${silverE4}::numeric end`;
  const rows = await rowsOf<LevelRow>(
    db,
    sql`
    select ${levelColumns(lowAt)}
    from coins c join stock_items i on i.coin_id = c.id
    where ${partCondition("in_stock", lowAt)}
    order by i.on_hand::numeric * c.pure_mass_mg * (${rateE4}) desc, c.title, c.id limit ${limit}`,
  );
  return rows.map(toLevel);
}

export async function level(db: Db, coinId: number, lowAt: number): Promise<Level | null> {
  const [row] = await rowsOf<LevelRow>(
    db,
    sql`select ${levelColumns(lowAt)} from coins c left join stock_items i on i.coin_id = c.id where c.id = ${coinId}`,
  );
  return row ? toLevel(row) : null;
}

export async function totals(db: Db): Promise<MetalTotal[]> {
  const rows = await rowsOf<Record<"metal" | "pieces" | "reserved" | "mass" | "costed" | "cost", string>>(
    db,
    sql`
    select c.metal, sum(i.on_hand)::text as pieces, sum(i.reserved)::text as reserved,
      sum(i.on_hand::bigint * c.pure_mass_mg)::text as mass, sum(i.costed_pieces)::text as costed, sum(i.cost_kopecks)::text as cost
    from stock_items i join coins c on c.id = i.coin_id group by c.metal order by c.metal`,
  );
  return rows.map(({ metal, pieces, reserved, mass, costed, cost }) => ({
    metal: metal as MetalTotal["metal"],
    pieces: Number(pieces),
    reserved: Number(reserved),
    pureMassMg: Number(mass),
    costed: Number(costed),
    cost: kopecks(Number(cost)),
  }));
}

/** How many coins on sale are low, and how many are out. */
export async function counts(db: Db, lowAt: number): Promise<{ low: number; out: number; withoutCost: number }> {
  const [row] = await rowsOf<{ low: number; out: number; withoutCost: number }>(
    db,
    sql`
    select count(*) filter (where ${partCondition("low", lowAt)})::integer as low,
      count(*) filter (where ${partCondition("out", lowAt)})::integer as out,
      count(*) filter (where ${partCondition("without_cost", lowAt)})::integer as "withoutCost"
    from coins c left join stock_items i on i.coin_id = c.id`,
  );
  return row ?? { low: 0, out: 0, withoutCost: 0 };
}

/** Entries of a coin, newest first, each with the pieces on hand after it: those of now without what came later. */
export async function ledger(
  db: Db,
  coinId: number,
  { before, limit }: { before: { id: number; balance: number } | null; limit: number },
): Promise<LedgerEntry[]> {
  type Row = Omit<LedgerEntry, "id" | "cost" | "at" | "documentId" | "balance"> & {
    id: string;
    cost: string;
    at: Date | string;
    documentId: string | null;
  };
  const rows = await rowsOf<Row & { onHand: number }>(
    db,
    sql`
    select e.id::text as id, e.kind, e.quantity, e.costed_pieces as costed, e.cost_kopecks::text as cost, e.order_id as "orderId",
      e.document_id::text as "documentId", e.at, e.actor, i.on_hand as "onHand"
    from stock_entries e join stock_items i on i.coin_id = e.coin_id
    where e.coin_id = ${coinId} ${before ? sql`and e.id < ${before.id}` : sql``} order by e.id desc limit ${limit}`,
  );
  let balance = before?.balance ?? rows[0]?.onHand ?? 0;
  return rows.map(({ onHand: _onHand, ...row }) => {
    const entry: LedgerEntry = {
      ...row,
      id: Number(row.id),
      kind: row.kind as EntryKind,
      cost: kopecks(Number(row.cost)),
      documentId: row.documentId === null ? null : Number(row.documentId),
      at: new Date(row.at),
      balance,
    };
    balance -= row.quantity;
    return entry;
  });
}

/** Ids of coins by title, for the sheet of a count. */
export async function coinIds(
  db: Db,
  { metal, isInStockOnly }: { metal: "gold" | "silver" | null; isInStockOnly: boolean },
): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    db,
    sql`
    select c.id from coins c left join stock_items i on i.coin_id = c.id
    where ${metal ? sql`c.metal = ${metal}` : sql`true`} and ${isInStockOnly ? sql`i.on_hand > 0` : sql`true`} order by c.title, c.id`,
  );
  return rows.map(({ id }) => id);
}
