import { sql } from "drizzle-orm";
import type { Database } from "#main/database/database.ts";

/** Sets this many pieces of every coin, with their stock entries, so that no order is short. */
export async function stockManyPieces({ db }: Pick<Database, "db">): Promise<void> {
  await db.execute(sql`insert into stock_entries (coin_id, kind, quantity, at) select coin_id, 'receipt', 100000, now() from stock_items`);
  await db.execute(sql`update stock_items set on_hand = on_hand + 100000`);
}

/** Sets exactly this many pieces of one coin. */
export async function stockExactly({ db }: Pick<Database, "db">, coinId: number, pieces: number): Promise<void> {
  await db.execute(
    sql`insert into stock_entries (coin_id, kind, quantity, at) select coin_id, 'receipt', ${pieces}::int - on_hand, now()
      from stock_items where coin_id = ${coinId}`,
  );
  await db.execute(sql`update stock_items set on_hand = ${pieces} where coin_id = ${coinId}`);
}
