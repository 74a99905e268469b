import { and, eq, gt, gte, inArray, max, ne, sql, type SQL } from "drizzle-orm";
import { batch, namedStatement, pipeline, type Db, type Expression, type IdQuery, withFailure, type QueryBatch, type Tx } from "#kit/db.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";
import type { CostPool, MovedCost } from "./cost.ts";
import type { EntryKind, StockLevels, StockLine } from "./stock.ts";
import { stockEntries, stockItems } from "./tables.ts";

export type StoredMove = StockLine & MovedCost;
type Entry = {
  coinId: number;
  kind: EntryKind;
  quantity: number;
  costedPieces?: number;
  costKopecks?: number;
  orderId?: string;
  documentId?: number;
  at: Date;
  actor: string;
};

const available = sql<number>`${stockItems.onHand} - ${stockItems.reserved}`;

/** Available pieces per coin; coins without a row are absent. */
export async function readAvailable(db: Db, ids?: readonly number[]): Promise<Map<number, number>> {
  if (!ids) return readAllAvailable(db);
  if (ids.length === 0) return new Map();
  const [found] = await pipeline([availableBatch(db, ids)]);
  return found;
}

/** `ids`: the coins, or a query of their ids. */
export const availableBatch = (db: Db, ids: readonly number[] | IdQuery): QueryBatch<Map<number, number>> =>
  batch(
    [
      db
        .select({ coinId: stockItems.coinId, available })
        .from(stockItems)
        .where(inArray(stockItems.coinId, "length" in ids ? [...ids] : ids)),
    ],
    ([rows]) => new Map(rows.map((row) => [row.coinId, row.available])),
  );

/** Available pieces of one coin as a part of another module's statement. */
export const availableOf = (coinId: SQL): SQL => sql`coalesce((select on_hand - reserved from stock_items where coin_id = ${coinId}), 0)`;

/** The levels of these coins as a part of another module's statement, for `readLevels`. */
export const levelsOf = (ids: IdQuery): Expression => sql`(
  select string_agg(concat_ws(' ', coin_id, on_hand, on_hand - reserved), ',') from stock_items where coin_id = any(array(${ids})))`;

/** What `levelsOf` found. Coins without a row are absent. */
export const readLevels = (text: string | null): StockLevels =>
  byCoin(text ?? "", (levels) => {
    const [onHand = 0, free = 0] = levels.split(" ").map(Number);
    return { onHand, available: free };
  });

const list = sql`string_agg(${stockItems.coinId} || ' ' || (${available}), ',')`;

/**
 * The available pieces that changed since an earlier read, or of all coins (null), and where the next read begins; see `readChanges`. A
 * part of another statement, read every second. What changed is known by the transaction that wrote each row (`xmin`): every one below
 * the snapshot's oldest was over at that read. Rows may come twice and are never missed, also those whose transaction began earlier and
 * ended later; writers pay nothing for it. The age of the beginning is a query of its own, so that it is not worked out for each row.
 */
export const changesSince = (since: string | null): Expression => sql`(
  select pg_snapshot_xmin(pg_current_snapshot())::text || ';' || coalesce(${list}, '') from ${stockItems}
  ${since === null ? sql`` : sql`where age(${stockItems}.xmin) <= (select age(${since}::xid8::xid))`})`;

/** What `changesSince` found: pieces by coin, and the beginning of the next read. */
export function readChanges(text: string): { pieces: Map<number, number>; until: string } {
  const [until = "", pairs = ""] = text.split(";");
  return { until, pieces: byCoin(pairs, Number) };
}

/** Read as one text: parsing ten thousand rows costs the driver four times as much. */
async function readAllAvailable(db: Db): Promise<Map<number, number>> {
  const [row] = await db.select({ all: sql<string | null>`${list}` }).from(stockItems);
  return byCoin(row?.all ?? "", Number);
}

/**
 * Rows as `1001 12 5,1002 3 3`: the number of the coin and what `read` makes of the rest. No row is split into an array: there may be many.
 */
function byCoin<T>(rows: string, read: (rest: string) => T): Map<number, T> {
  if (rows === "") return new Map();
  return new Map(
    rows.split(",").map((row) => {
      const at = row.indexOf(" ");
      return [Number(row.slice(0, at)), read(row.slice(at + 1))] as const;
    }),
  );
}

/**
 * Divides by the number of reserved rows, so that the statement fails when there is none. PostgreSQL checks the condition again after
 * waiting for another order's row lock.
 */
const reserveLine = namedStatement<StockLine, unknown>(
  "stock_reserve",
  (value) => sql`with reserved as (
      update stock_items set reserved = reserved + ${value("quantity")}::int
      where coin_id = ${value("coinId")}::int and on_hand - reserved >= ${value("quantity")}::int returning 1)
    select 1 / count(*) from reserved`,
);
const divisionByZero = "22012";

/** Reserves the lines in the given order. Where too few pieces are available it fails with `failure`, and so does the transaction. */
export const reserveBatch = (tx: Tx, lines: readonly StockLine[], failure: (refused: StockLine) => Error): QueryBatch<void> =>
  batch<unknown[], void>(
    lines.map((line) => withFailure(reserveLine(tx, { ...line }), divisionByZero, () => failure(line))),
    () => {},
  );

/** Releases reserved pieces of a coin; false: fewer are reserved, and nothing is changed. */
export async function unreserve(tx: Tx, { coinId, quantity }: StockLine): Promise<boolean> {
  const rows = await tx
    .update(stockItems)
    .set({ reserved: sql`${stockItems.reserved} - ${quantity}` })
    .where(and(eq(stockItems.coinId, coinId), gte(stockItems.reserved, quantity)))
    .returning({ coinId: stockItems.coinId });
  return rows.length === 1;
}

/** A stock row that is locked. */
export type LockedRow = CostPool & { coinId: number; reserved: number };

/**
 * Locks the rows of coins in the order of their ids; makes those that are missing. Coins must exist. Code that changes `onHand` or a cost
 * locks so first, therefore what is computed from these rows is still true when it is written.
 */
export async function lockRows(tx: Tx, coinIds: readonly number[]): Promise<Map<number, LockedRow>> {
  const ids = [...new Set(coinIds)].sort((a, b) => a - b);
  if (ids.length === 0) return new Map();
  const list = JSON.stringify(ids);
  await tx.execute(sql`
    insert into stock_items (coin_id, on_hand)
    select id::int, 0 from jsonb_array_elements_text(${list}::jsonb) as t (id)
    where not exists (select 1 from stock_items where coin_id = id::int) order by id::int
    on conflict do nothing`);
  const rows = await tx
    .select()
    .from(stockItems)
    .where(sql`${stockItems.coinId} in ${idList(ids)}`)
    .orderBy(stockItems.coinId)
    .for("update");
  return new Map(
    rows.map(({ coinId, onHand, reserved, costedPieces, costKopecks }) => [
      coinId,
      { coinId, reserved, pieces: onHand, costed: costedPieces, cost: kopecks(costKopecks) },
    ]),
  );
}

/** What changes in a locked row. */
export type StockRowChange = { coinId: number; quantity: number; reserved: number; costed: number; cost: Kopecks };

/** Adds the changes to rows that `lockRows` has locked. One statement; at most one change a coin. */
export async function changeRows(tx: Tx, changes: readonly StockRowChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.execute(sql`
    update stock_items i set on_hand = i.on_hand + c.quantity, reserved = i.reserved + c.reserved,
      costed_pieces = i.costed_pieces + c.costed, cost_kopecks = i.cost_kopecks + c.cost
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as c ("coinId" integer, quantity integer, reserved integer, costed integer, cost bigint)
    where i.coin_id = c."coinId"`);
}

/** Inserts the missing rows and returns their coin ids. */
export async function openRows(tx: Tx, lines: readonly StockLine[]): Promise<Set<number>> {
  if (lines.length === 0) return new Set();
  const rows = await tx
    .insert(stockItems)
    .values(lines.map(({ coinId, quantity }) => ({ coinId, onHand: quantity })))
    .onConflictDoNothing()
    .returning({ coinId: stockItems.coinId });
  return new Set(rows.map((row) => row.coinId));
}

/** One statement, whatever their number. */
export async function addEntries(tx: Tx, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.execute(sql`
    insert into stock_entries (coin_id, kind, quantity, costed_pieces, cost_kopecks, order_id, document_id, at, actor)
    select "coinId", kind, quantity, coalesce("costedPieces", 0), coalesce("costKopecks", 0), "orderId", "documentId", at, actor
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e ("coinId" integer, kind text, quantity integer,
      "costedPieces" integer, "costKopecks" bigint, "orderId" text, "documentId" bigint, at timestamptz, actor text)`);
}

/** What is still out of an order, by coin: sold and not returned, with the cost that the sale took out. */
export async function soldPools(db: Db, orderId: string): Promise<Map<number, CostPool>> {
  const rows = await db
    .select({
      coinId: stockEntries.coinId,
      pieces: sql<number>`-sum(${stockEntries.quantity})::integer`,
      costed: sql<number>`-sum(${stockEntries.costedPieces})::integer`,
      cost: sql<string>`-sum(${stockEntries.costKopecks})`,
    })
    .from(stockEntries)
    .where(eq(stockEntries.orderId, orderId))
    .groupBy(stockEntries.coinId);
  return new Map(rows.map(({ coinId, pieces, costed, cost }) => [coinId, { pieces, costed, cost: kopecks(Number(cost)) }]));
}

/** The entries of a document, by coin. */
export async function entriesOfDocument(db: Db, documentId: number): Promise<StoredMove[]> {
  const rows = await db
    .select({
      coinId: stockEntries.coinId,
      quantity: stockEntries.quantity,
      costed: stockEntries.costedPieces,
      cost: stockEntries.costKopecks,
    })
    .from(stockEntries)
    .where(eq(stockEntries.documentId, documentId))
    .orderBy(stockEntries.coinId);
  return rows.map(({ cost, ...row }) => ({ ...row, cost: kopecks(cost) }));
}

/** Locks the row of a coin, makes it where it is missing, and reads from which number of available pieces the coin counts as low. */
export async function lockLowAt(tx: Tx, coinId: number): Promise<number | null> {
  await lockRows(tx, [coinId]);
  const [row] = await tx.select({ lowAt: stockItems.lowAt }).from(stockItems).where(eq(stockItems.coinId, coinId));
  return row?.lowAt ?? null;
}

export async function setLowAt(tx: Tx, coinId: number, lowAt: number | null): Promise<void> {
  await tx.update(stockItems).set({ lowAt }).where(eq(stockItems.coinId, coinId));
}

/** Pieces on hand of coins; coins without a row are absent. */
export async function readOnHand(db: Db, coinIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .select({ coinId: stockItems.coinId, onHand: stockItems.onHand })
    .from(stockItems)
    .where(sql`${stockItems.coinId} in ${idList(coinIds)}`);
  return new Map(rows.map(({ coinId, onHand }) => [coinId, onHand]));
}

/** When pieces of these coins came or left last, of what happened after a time; other coins are absent. */
export async function readLastMoves(db: Db, coinIds: readonly number[], after: Date): Promise<Map<number, Date>> {
  const rows = await db
    .select({ coinId: stockEntries.coinId, at: max(stockEntries.at) })
    .from(stockEntries)
    .where(and(sql`${stockEntries.coinId} in ${idList(coinIds)}`, gt(stockEntries.at, after), ne(stockEntries.quantity, 0)))
    .groupBy(stockEntries.coinId);
  return new Map(rows.flatMap(({ coinId, at }) => (at === null ? [] : [[coinId, at]])));
}

/** Which of the ids are coins, on sale or not. */
export async function existingCoins(db: Db, coinIds: readonly number[]): Promise<Set<number>> {
  const { rows } = (await db.execute(sql`select id from coins where id in ${idList(coinIds)}`)) as unknown as { rows: { id: number }[] };
  return new Set(rows.map(({ id }) => id));
}

/** Ids as one parameter: statements take no more than 65,535. */
const idList = (ids: readonly number[]): SQL =>
  sql`(select id::int from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as t (id))`;
