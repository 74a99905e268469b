/** Reads the tables that a shop begins with: those that the exchange writes. For the seed; no other code imports it. */
import type { Db } from "#kit/db.ts";
import type { Table } from "#kit/documents/spreadsheet/table.ts";
import { factsOf, type CoinFacts, type FirstPrices } from "#shop/catalog/coin-rules.ts";
import * as editing from "#shop/catalog/editing/edit.service.ts";
import { coinColumns } from "./columns/coin-columns.ts";
import type { TableColumn } from "./columns/column.ts";
import { stockColumns } from "./columns/stock-columns.ts";
import { compareTable, type Comparison, type ComparedCoin } from "./imports/compare.ts";
import { messageLines, uncheckedRow, type CheckedRow } from "./imports/import.ts";
import { addPlanFaults, coinRow } from "./imports/kinds.service.ts";

/** A coin of the tables: its article, facts, first prices and the pieces that were counted. */
export type FirstCoin = { id: number; facts: CoinFacts; prices: FirstPrices; pieces: number };

/** A table of a shop without coins is wrong; the message names every fault with its row and column. */
export class TableRefused extends Error {}

/**
 * The coins of an empty shop from its tables of coins and of stock, read by the columns of an import. Throws `TableRefused` for cells that
 * an import refuses. What cells say of each other is left to `checkFirstCoins`.
 */
export async function readFirstCoins(tables: { coins: Table; stock: Table }): Promise<FirstCoin[]> {
  const coinRows = await rowsOf("coins", tables.coins, { columns: coinColumns, subjects: new Map(), allowsNew: true, isEmptyShop: true });
  const coins = coinRows.map((row) => ({ ...coinRow(row, new Map()), id: row.coinId ?? 0 }));
  const subjects = new Map(coins.map(({ id, facts }): [number, ComparedCoin] => [id, { id, title: facts.title, revision: 0, values: {} }]));
  const stockRows = await rowsOf("stock", tables.stock, { columns: stockColumns, subjects, allowsNew: false });
  const counted = new Map(stockRows.map(({ coinId, values }) => [coinId, values["counted"]]));
  return coins.map(({ id, facts, prices }) => {
    const pieces = counted.get(id);
    return { id, facts, prices: prices ?? editing.noPrices, pieces: typeof pieces === "number" ? pieces : 0 };
  });
}

/** Judges coins by the rules of the catalogue, as an import does. Throws `TableRefused`; writes nothing. */
export async function checkFirstCoins(ctx: { db: Db; now: () => Date }, coins: readonly FirstCoin[]): Promise<void> {
  const plans = await editing.planCoins(
    ctx,
    coins.map(({ facts, prices }) => ({ id: null, revision: null, facts: factsOf(facts), prices })),
  );
  const rows = plans.flatMap((plan, index): CheckedRow[] => {
    const coin = coins[index];
    if (!coin || plan.kind === "add") return [];
    const { id, facts } = coin;
    const row: CheckedRow = { ...uncheckedRow(index + 2), coinId: id, title: facts.title, outcome: "new" };
    addPlanFaults(row, plan);
    return [row];
  });
  refuse("coins", rows, coinColumns);
}

async function rowsOf(name: string, table: Table, comparison: Comparison): Promise<CheckedRow[]> {
  const compared = await compareTable(table, comparison);
  if (!compared.ok) throw new TableRefused(`${name}: ${"message" in compared.error ? compared.error.message : compared.error.code}`);
  refuse(name, compared.value.rows, comparison.columns);
  return compared.value.rows;
}

function refuse(name: string, rows: readonly CheckedRow[], columns: readonly TableColumn[]): void {
  const faults = messageLines(rows, columns, true).map((line) => `  ${name}, ${line}`);
  if (faults.length > 0) throw new TableRefused(`nothing was imported:\n${faults.join("\n")}`);
}
