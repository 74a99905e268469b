import { inTransaction } from "#kit/db.ts";
import { dayAndTime } from "#kit/format.ts";
import { toRoubles } from "#kit/money.ts";
import type { Table } from "#kit/documents/spreadsheet/table.ts";
import * as catalogPrices from "#shop/catalog/prices/service.ts";
import type { Ctx } from "#shop/context.ts";
import * as stock from "#shop/stock/service.ts";
import type { TableColumn } from "../columns/column.ts";
import { priceColumns } from "../columns/price-columns.ts";
import { stockColumns } from "../columns/stock-columns.ts";
import type { CheckedFile, CheckedRow, Import } from "../imports/import.ts";
import * as imports from "../imports/import.service.ts";
import type { OfferKind } from "./accounting.ts";
import * as rows from "./offers.repository.ts";
import type { PendingOffer } from "./offers.repository.ts";

/**
 * What the accounting system offers, as checked imports. It sends what has changed since its last exchange, in several files, and never
 * again; so each value is kept with its good until an import with it is applied or the shop has the same. There is one waiting import of
 * pieces and one of prices, made of everything that is pending.
 */

/** What the waiting imports should be, and of which offers they were made. */
export type Comparison = { stamp: string; kinds: ComparedKind[] };
/** `held`: goods whose offers the file applies · `settled`: those whose offers change nothing. Offers of wrong rows are in neither. */
type ComparedKind = { kind: OfferKind; file: CheckedFile | null; held: string[]; settled: string[] };

/** What a file is called that was made of all pending offers. */
const fileName = "обмен с 1С";

/** Compares all pending offers with the shop. Changes nothing; takes seconds, so it runs before the transaction of `store`. */
export async function compare(ctx: Ctx): Promise<Comparison> {
  const offers = await rows.pending(ctx.db);
  return { stamp: stampOf(offers), kinds: [await comparePieces(ctx, offers), await comparePrices(ctx, offers)] };
}

const stampOf = (offers: readonly PendingOffer[]): string => JSON.stringify(offers);

/**
 * Puts the imports of a comparison in the place of those that wait; one that would be the same stays. Returns those that wait afterwards.
 * When offers have changed since the comparison, it is made again here.
 */
export function store(ctx: Ctx, compared: Comparison): Promise<Import[]> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    await rows.lock(tx);
    const isCurrent = stampOf(await rows.pending(tx)) === compared.stamp;
    const { kinds } = isCurrent ? compared : await compare(inside);
    const waiting: Import[] = [];
    for (const { kind, file, held, settled } of kinds) {
      const made = await replaceWaiting(inside, kind, file);
      await rows.settle(tx, kind, settled);
      await rows.hold(tx, kind, made?.id ?? null, held);
      if (made) waiting.push(made);
    }
    return waiting;
  });
}

async function replaceWaiting(ctx: Ctx, kind: OfferKind, file: CheckedFile | null): Promise<Import | null> {
  const waiting = await imports.waitingFromAccounting(ctx, kind);
  const same = file && waiting.find(({ hash }) => hash === file.hash);
  const others = waiting.filter((each) => each !== same);
  await imports.discardWaiting(
    ctx,
    others.map(({ id }) => id),
  );
  if (same) return same;
  return file && file.rows.length > 0 ? imports.storeCheck(ctx, file) : null;
}

/** A value of a good. */
type Value = { guid: string; coinId: number; value: number; at: Date };
/** The value of a coin, and the goods that have one for it. */
type CoinValue = { value: number; at: Date; guids: string[] };

/** Of several goods of one coin the newest value counts, and with it all of them are settled. */
function byCoin(values: readonly Value[]): Map<number, CoinValue> {
  const found = new Map<number, CoinValue>();
  for (const { guid, coinId, value, at } of values.toSorted((a, b) => b.at.getTime() - a.at.getTime())) {
    const known = found.get(coinId);
    if (known) known.guids.push(guid);
    else found.set(coinId, { value, at, guids: [guid] });
  }
  return found;
}

async function comparePieces(ctx: Ctx, offers: readonly PendingOffer[]): Promise<ComparedKind> {
  const coins = byCoin(
    offers.flatMap(({ guid, coinId, quantity, quantityAt }) =>
      quantity === null || quantityAt === null ? [] : [{ guid, coinId, value: quantity, at: quantityAt }],
    ),
  );
  const oldest = oldestOf(coins);
  const moves = oldest ? await stock.lastMoves(ctx.db, [...coins.keys()], oldest) : new Map<number, Date>();
  // A number that is older than the last sale would bring back what was sold. The sale reaches 1C as an order, and then it sends a new one.
  const refusalOf = ({ coinId }: CheckedRow): string | null => {
    const [moved, sent] = coinId === null ? [] : [moves.get(coinId), coins.get(coinId)?.at];
    return moved && sent && moved > sent ? `Остаток прислан ${dayAndTime(sent)}, потом монета двигалась: ждём нового остатка` : null;
  };
  return compareKind(ctx, { kind: "stock", columns: stockColumns, column: "counted", coins, refusalOf });
}

async function comparePrices(ctx: Ctx, offers: readonly PendingOffer[]): Promise<ComparedKind> {
  const all = offers.flatMap(({ guid, coinId, price, priceAt }) =>
    price === null || priceAt === null ? [] : [{ guid, coinId, value: toRoubles(price), at: priceAt }],
  );
  const priced = await catalogPrices.pricedCoins(ctx.db, { ids: [...new Set(all.map(({ coinId }) => coinId))] });
  // Prices of bullion follow the metal: a price in roubles is none that the shop could take over.
  const memorable = new Set(priced.filter(({ kind }) => kind === "memorable").map(({ id }) => id));
  const coins = byCoin(all.filter(({ coinId }) => memorable.has(coinId)));
  const compared = await compareKind(ctx, { kind: "prices", columns: priceColumns, column: "fixedPriceKopecks", coins });
  const ignored = all.filter(({ coinId }) => !memorable.has(coinId)).map(({ guid }) => guid);
  return { ...compared, settled: [...compared.settled, ...ignored] };
}

type KindInput = {
  kind: OfferKind;
  columns: readonly TableColumn[];
  /** The column that the values are of. */
  column: string;
  coins: ReadonlyMap<number, CoinValue>;
  refusalOf?: (row: CheckedRow) => string | null;
};

async function compareKind(ctx: Ctx, { kind, columns, column, coins, refusalOf }: KindInput): Promise<ComparedKind> {
  const oldest = oldestOf(coins);
  if (!oldest) return { kind, file: null, held: [], settled: [] };
  const checked = await imports.checkTable(
    ctx,
    { kind, source: "accounting", fileName, format: "xml" },
    tableOf(columns, column, coins),
    refusalOf,
  );
  if (!checked.ok) throw new Error(`the table of pending ${kind} was refused: ${checked.error.code}`);
  const file = { ...checked.value, notes: [...checked.value.notes, `Самое раннее значение 1С прислала ${dayAndTime(oldest)}`] };
  const outcomes = new Map(file.rows.map(({ coinId, outcome }) => [coinId, outcome]));
  const guidsWith = (outcome: CheckedRow["outcome"] | undefined) =>
    [...coins].flatMap(([coinId, { guids }]) => (outcomes.get(coinId) === outcome ? guids : []));
  // A row that is neither changed nor absent was left out as wrong: its offer stays pending.
  return { kind, file, held: guidsWith("changed"), settled: guidsWith(undefined) };
}

const oldestOf = (coins: ReadonlyMap<number, CoinValue>): Date | null =>
  [...coins.values()].reduce<Date | null>((oldest, { at }) => (oldest && oldest <= at ? oldest : at), null);

function tableOf(columns: readonly TableColumn[], column: string, coins: ReadonlyMap<number, CoinValue>): Table {
  const headOf = (wanted: (each: TableColumn) => boolean): string => columns.find(wanted)?.head ?? "";
  return {
    head: [headOf(({ role }) => role === "key"), headOf(({ key }) => key === column)],
    // By article: a row keeps its number when others come and go, so that the same import is known as the same.
    rows: [...coins].toSorted(([a], [b]) => a - b).map(([coinId, { value }]) => ({ line: coinId, cells: [String(coinId), String(value)] })),
  };
}
