import { pipeline, type Tx } from "#kit/db.ts";
import type { Result } from "#kit/result.ts";
import * as stock from "./service.ts";
import type { StockError, StockLine } from "./stock.ts";

/** Reserves all lines or nothing, as placing an order does. */
export async function reserve(tx: Tx, lines: readonly StockLine[]): Promise<Result<void, StockError>> {
  const [reserved] = await pipeline([stock.reserveBatch(tx, lines)]);
  return stock.unlessShort(tx, reserved);
}
