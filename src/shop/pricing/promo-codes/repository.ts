import { and, count, desc, eq, getTableColumns, isNull, lt, or, sql } from "drizzle-orm";
import type { Db, Tx } from "#kit/db.ts";
import { kopecks, type Kopecks } from "#kit/money.ts";
import { promoCodes, promoCodeUses } from "../tables.ts";
import type { PromoCode } from "./promo-code.ts";

const columns = getTableColumns(promoCodes);
const toCode = ({ sumKopecks, minSumKopecks, ...row }: typeof promoCodes.$inferSelect): PromoCode => ({
  ...row,
  sum: sumKopecks === null ? null : kopecks(sumKopecks),
  minSum: kopecks(minSumKopecks),
});

export async function find(db: Db, by: { id: number } | { code: string }): Promise<PromoCode | null> {
  const [row] = await db
    .select(columns)
    .from(promoCodes)
    .where("id" in by ? eq(promoCodes.id, by.id) : eq(promoCodes.code, by.code));
  return row ? toCode(row) : null;
}

export async function list(db: Db, { before, limit }: { before: number | null; limit: number }): Promise<PromoCode[]> {
  const found = await db
    .select(columns)
    .from(promoCodes)
    .where(before === null ? undefined : lt(promoCodes.id, before))
    .orderBy(desc(promoCodes.id))
    .limit(limit);
  return found.map(toCode);
}

export type StoredUse = { orderId: string; discount: Kopecks; usedAt: Date; returnedAt: Date | null };

export async function uses(db: Db, codeId: number, { before, limit }: { before: Date | null; limit: number }): Promise<StoredUse[]> {
  const found = await db
    .select({
      orderId: promoCodeUses.orderId,
      discount: promoCodeUses.discountKopecks,
      usedAt: promoCodeUses.usedAt,
      returnedAt: promoCodeUses.returnedAt,
    })
    .from(promoCodeUses)
    .where(and(eq(promoCodeUses.codeId, codeId), before === null ? undefined : lt(promoCodeUses.usedAt, before)))
    .orderBy(desc(promoCodeUses.usedAt), desc(promoCodeUses.orderId))
    .limit(limit);
  return found.map((row) => ({ ...row, discount: kopecks(row.discount) }));
}

export async function insert(
  tx: Tx,
  { sum, minSum, coinIds, categories, ...code }: Omit<PromoCode, "id" | "used" | "isStopped">,
): Promise<number | null> {
  const [row] = await tx
    .insert(promoCodes)
    .values({
      ...code,
      coinIds: coinIds === null ? null : [...coinIds],
      categories: categories === null ? null : [...categories],
      sumKopecks: sum,
      minSumKopecks: minSum,
    })
    .onConflictDoNothing({ target: promoCodes.code })
    .returning({ id: promoCodes.id });
  return row?.id ?? null;
}

/** Stops a code, also one that is stopped already; false: there is none. */
export async function stop(tx: Tx, id: number): Promise<boolean> {
  const stopped = await tx.update(promoCodes).set({ isStopped: true }).where(eq(promoCodes.id, id)).returning({ id: promoCodes.id });
  return stopped.length === 1;
}

/** Counts one more use while the code may be used; the row stays locked, so uses of one person are counted one after another. */
export async function claim(tx: Tx, id: number, now: Date): Promise<PromoCode | null> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const [row] = await tx
    .update(promoCodes)
    .set({ used: sql`${promoCodes.used} + 1` })
    .where(
      and(
        eq(promoCodes.id, id),
        eq(promoCodes.isStopped, false),
        sql`${promoCodes.startsAt} <= ${at} and (${promoCodes.endsAt} is null or ${promoCodes.endsAt} > ${at})`,
        sql`(${promoCodes.maxUses} is null or ${promoCodes.used} < ${promoCodes.maxUses})`,
      ),
    )
    .returning();
  return row ? toCode(row) : null;
}

export type CodeUser = { phoneHash: string | null; customerId: string | null };

/** Uses of the code by this phone or account in orders that were not cancelled. */
export async function usesOf(db: Db, codeId: number, { phoneHash, customerId }: CodeUser): Promise<number> {
  const isPerson = or(
    phoneHash === null ? undefined : eq(promoCodeUses.phoneHash, phoneHash),
    customerId === null ? undefined : eq(promoCodeUses.customerId, customerId),
  );
  if (!isPerson) return 0;
  const [row] = await db
    .select({ uses: count() })
    .from(promoCodeUses)
    .where(and(eq(promoCodeUses.codeId, codeId), isNull(promoCodeUses.returnedAt), isPerson));
  return row?.uses ?? 0;
}

export async function addUse(
  tx: Tx,
  use: { orderId: string; codeId: number; phoneHash: string; customerId: string | null; discount: Kopecks; usedAt: Date },
): Promise<void> {
  const { discount, ...row } = use;
  await tx.insert(promoCodeUses).values({ ...row, discountKopecks: discount });
}

/** Marks the use of an order as returned and counts one use less, once. */
export async function giveBack(tx: Tx, orderId: string, at: Date): Promise<void> {
  const [returned] = await tx
    .update(promoCodeUses)
    .set({ returnedAt: at })
    .where(and(eq(promoCodeUses.orderId, orderId), isNull(promoCodeUses.returnedAt)))
    .returning({ codeId: promoCodeUses.codeId });
  if (returned)
    await tx
      .update(promoCodes)
      .set({ used: sql`${promoCodes.used} - 1` })
      .where(eq(promoCodes.id, returned.codeId));
}
