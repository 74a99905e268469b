import type { Db } from "#kit/db.ts";
import * as catalog from "#shop/catalog/service.ts";

/**
 * The coin whose own code was read as the number of a seal: after the last piece the scanner may read one piece too many. `sealNumber` is
 * what `readSealNumber` returned; `isInOrder`: a coin of these lines. Null: no coin has this code.
 */
export async function coinWithCode(
  db: Db,
  sealNumber: string,
  lines: readonly { coinId: number; title: string }[],
): Promise<{ title: string; isInOrder: boolean } | null> {
  const coins = await catalog.coinsByCode(db, sealNumber);
  const [coin] = coins;
  if (!coin) return null;
  const line = lines.find(({ coinId }) => coins.some(({ id }) => id === coinId));
  return line ? { title: line.title, isInOrder: true } : { title: `${coin.title}, ${coin.year}`, isInOrder: false };
}
