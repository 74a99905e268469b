import { pipeline, type Tx } from "#kit/db.ts";
import * as stock from "./service.ts";
import type { StockLine } from "./stock.ts";

/** Reserves all lines, as placing an order does, or fails with its transaction. */
export async function reserve(tx: Tx, lines: readonly StockLine[]): Promise<void> {
  await pipeline([stock.reserveBatch(tx, lines)]);
}
