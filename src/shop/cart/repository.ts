import { and, asc, eq, isNotNull, like, lt, sql, type SQL } from "drizzle-orm";
import {
  batch,
  deleteInBatches,
  namedStatement,
  pipeline,
  pipelineTransaction,
  preparedQuery,
  waitUpTo,
  type BuiltQuery,
  type Db,
  type IdQuery,
  type Placeholders,
  type QueryBatch,
  type Tx,
} from "#kit/db.ts";
import { seconds } from "#kit/time.ts";
import type { OwnerKey } from "#shop/context.ts";
import { cartLines, carts } from "./tables.ts";

export type StoredCartLine = { coinId: number; quantity: number };
type FoundCart = { id: number; version: number; touchedAt: Date; promoCodeId: number | null; lines: StoredCartLine[] };

export const find = async (db: Db, owner: OwnerKey): Promise<FoundCart | null> => toCart(await selectCart(db, { owner }));

/** How long a change waits for the same buyer's order or sign-in, which locks the cart and may itself wait for stock rows. */
const lockWait = seconds(5);

export type LockedCart = { version: number; lines: StoredCartLine[] };

/** Locks the cart's row, so that limits and versions are exact, and reads its lines; null for an owner without a cart. */
export const lockBatch = (tx: Tx, owner: OwnerKey): QueryBatch<LockedCart | null> =>
  batch([waitUpTo(tx, lockWait), lockRow(tx, { owner }), selectLines(tx, { owner })], ([, [row], lines]) =>
    row ? { version: row.version, lines } : null,
  );

export async function lock(tx: Tx, owner: OwnerKey): Promise<LockedCart | null> {
  const [locked] = await pipeline([lockBatch(tx, owner)]);
  return locked;
}

/** Does the same and makes the cart when the owner has none. */
export const lockOrCreateBatch = (tx: Tx, owner: OwnerKey, at: Date): QueryBatch<StoredCartLine[]> =>
  batch([waitUpTo(tx, lockWait), lockOrCreateRow(tx, owner, at), selectLines(tx, { owner })], ([, , lines]) => lines);

export async function lockOrCreate(tx: Tx, owner: OwnerKey, at: Date): Promise<StoredCartLine[]> {
  const [lines] = await pipeline([lockOrCreateBatch(tx, owner, at)]);
  return lines;
}

/**
 * What became of a line. `unchanged`: the cart has it already, and nothing is written. `busy`: another change of the cart runs, and nothing
 * was written. The others are refusals.
 */
type Verdict = "put" | "unchanged" | "busy" | "absent" | "short" | "limit" | "full";
type SetLine = { verdict: Verdict; available: number; purchaseLimit: number | null; cart: FoundCart | null; free: Map<number, number> };

/** Parts of other modules in a statement of the cart. */
export type GoodsParts = { saleTermsOf(coinId: SQL): SQL; availableOf(coinId: SQL): SQL };

/**
 * Makes the function that judges and sets one line and reads the cart with the available pieces of its coins, in one statement. Such a
 * statement sees the cart as it was when it began, so it writes only when it gets the cart's row without waiting and its version is still
 * the same.
 */
export function lineSetter(parts: GoodsParts) {
  const statement = setLineStatement(parts);
  return async (
    db: Db,
    owner: OwnerKey,
    { coinId, quantity }: StoredCartLine,
    { limit, now }: { limit: number; now: Date },
  ): Promise<SetLine> => {
    const [row] = await statement(db, { owner, coinId, quantity, limit, now: now.toISOString() });
    if (!row) throw new Error("the change of a cart has no answer");
    const cart =
      row.id === null
        ? null
        : { id: Number(row.id), version: row.version, touchedAt: new Date(row.touched), promoCodeId: idOrNull(row.promo_code_id) };
    return {
      verdict: row.verdict,
      available: row.available,
      purchaseLimit: row.purchase_limit,
      cart: cart && { ...cart, lines: row.lines.map(([id, pieces]) => ({ coinId: id, quantity: pieces })) },
      free: new Map(row.lines.map(([id, , free]) => [id, free])),
    };
  };
}

const idOrNull = (id: string | null): number | null => (id === null ? null : Number(id));

type SetLineValues = { owner: OwnerKey; coinId: number; quantity: number; limit: number; now: string };
type SetLineRow = {
  verdict: Verdict;
  available: number;
  purchase_limit: number | null;
  id: string | null;
  version: number;
  touched: string;
  promo_code_id: string | null;
  lines: [coinId: number, quantity: number, available: number][];
};

/**
 * Carts are touched to the hour: further changes within it leave the index of touches, and with it all indexes of carts, unchanged
 * (PostgreSQL, "Heap-Only Tuples"). Days of Moscow begin with an hour.
 */
const hourOf = (at: SQL): SQL => sql`date_trunc('hour', ${at}, 'UTC')`;

const setLineStatement = ({ saleTermsOf, availableOf }: GoodsParts) =>
  namedStatement<SetLineValues, SetLineRow>("cart_set_line", (value) => {
    const [owner, coinId, quantity] = [value("owner"), sql`${value("coinId")}::int`, sql`${value("quantity")}::int`];
    const at = sql`${value("now")}::timestamptz`;
    return sql`
    with seen as (select id, version, touched_at, promo_code_id from carts where owner = ${owner}),
      lines as (select l.coin_id, l.quantity, l.added_at from seen join cart_lines l on l.cart_id = seen.id),
      terms as materialized (
        select coalesce(t.is_published, false) as is_published, t.purchase_limit, ${availableOf(coinId)} as available
        from (values (1)) one left join ${saleTermsOf(coinId)} t on true),
      judged as materialized (
        select case when not is_published then 'absent' when available < ${quantity} then 'short'
          when purchase_limit < ${quantity} then 'limit'
          when (select count(*) from lines where coin_id <> ${coinId}) >= ${value("limit")}::int then 'full'
          when exists (select 1 from lines where coin_id = ${coinId} and quantity = ${quantity}) then 'unchanged' else 'put' end as verdict
        from terms),
      locked as (
        select c.id from carts c join seen on c.id = seen.id and c.version = seen.version
        where (select verdict from judged) = 'put' for update of c skip locked),
      made as (
        insert into carts (owner, version, touched_at) select ${owner}, 1, ${hourOf(at)}
        where (select verdict from judged) = 'put' and not exists (select 1 from seen) on conflict (owner) do nothing
        returning id, version, touched_at),
      moved as (
        update carts c set version = c.version + 1, touched_at = ${hourOf(at)} from locked where c.id = locked.id
        returning c.id, c.version, c.touched_at),
      written as (select * from moved union all select * from made),
      put as (
        insert into cart_lines (cart_id, coin_id, quantity, added_at) select id, ${coinId}, ${quantity}, ${at} from written
        on conflict (cart_id, coin_id) do update set quantity = excluded.quantity returning coin_id),
      after as (
        select coin_id, case when coin_id in (select coin_id from put) then ${quantity} else quantity end as quantity, added_at from lines
        union all select coin_id, ${quantity}, ${at} from put where coin_id not in (select coin_id from lines))
    select case when j.verdict = 'put' and w.id is null then 'busy' else j.verdict end as verdict, t.available, t.purchase_limit,
      coalesce(w.id, s.id) as id, coalesce(w.version, s.version) as version, coalesce(w.touched_at, s.touched_at)::text as touched,
      s.promo_code_id,
      coalesce((select json_agg(json_build_array(coin_id, quantity, ${availableOf(sql`after.coin_id`)}) order by added_at, coin_id)
        from after), '[]') as lines
    from judged j cross join terms t left join seen s on true left join written w on true`;
  });

/**
 * Locks the cart, waiting for other changes of it, sets one line and reads the cart, all in one round trip. The version increases when the
 * line changed. `isPut` is false when the cart already has `limit` other lines; then nothing is written.
 */
export async function setLineWaiting<Goods>(
  db: Db,
  owner: OwnerKey,
  line: StoredCartLine,
  { limit, now, readGoods }: { limit: number; now: Date; readGoods: ReadGoods<Goods> },
): Promise<{ isPut: boolean; cart: FoundCart | null; goods: Goods }> {
  const [, , put, found, goods] = await pipelineTransaction(db, (tx) => [
    waitUpTo(tx, lockWait),
    lockOrCreateRow(tx, owner, now),
    putLineRow(tx, owner, line, limit, now),
    selectCart(tx, { owner }),
    readGoods(tx, coinIdsOf(owner)),
  ]);
  return { isPut: isBelow(put, limit), cart: toCart(found), goods };
}

/** Reads what other modules know of these coins. */
type ReadGoods<Goods> = (tx: Tx, coinIds: IdQuery) => QueryBatch<Goods>;
const coinIdsOf = (owner: OwnerKey): IdQuery =>
  sql`(select ${cartLines.coinId} from ${cartLines} inner join ${carts} on ${carts.id} = ${cartLines.cartId}
    where ${carts.owner} = ${owner})`;

/** The coins of the cart and one more. */
export const coinIdsWith = (owner: OwnerKey, coinId: number): IdQuery => sql`(select ${coinId}::int union all ${coinIdsOf(owner)})`;

/** Sets one line of a locked cart; false when the cart already has `limit` other lines. */
export const putLine = async (tx: Tx, owner: OwnerKey, line: StoredCartLine, limit: number, now: Date): Promise<boolean> =>
  isBelow(await putLineRow(tx, owner, line, limit, now), limit);

/** Sets lines of one locked cart and empties another one; returns for each line whether it fitted within `limit`. */
export const moveLinesBatch = (
  tx: Tx,
  { from, to }: { from: OwnerKey; to: OwnerKey },
  lines: readonly StoredCartLine[],
  limit: number,
  now: Date,
): QueryBatch<boolean[]> =>
  batch<QueryRows[], boolean[]>(
    [...lines.map((line) => putLineRow(tx, to, line, limit, now)), movePromo(tx, from, to), deleteLines(tx, from, now)],
    (puts) => lines.map((_, index) => isBelow(puts[index], limit)),
  );

/** A cart without a code takes over that of the other one. */
const movePromo = (tx: Tx, from: OwnerKey, to: OwnerKey) =>
  tx.execute(sql`update carts set promo_code_id = (select promo_code_id from carts where owner = ${from})
    where owner = ${to} and promo_code_id is null`) as unknown as BuiltQuery<QueryRows>;

/** Sets or removes the code of a cart; its version increases, so that a quote without the code is no longer live. */
export async function setPromo(db: Db, owner: OwnerKey, promoCodeId: number | null): Promise<void> {
  await db
    .update(carts)
    .set({ promoCodeId, version: sql`${carts.version} + 1` })
    .where(and(eq(carts.owner, owner), sql`${carts.promoCodeId} is distinct from ${promoCodeId}::bigint`));
}

/** Removes the code of a locked cart whose coins become an order. */
export const forgetPromoBatch = (tx: Tx, owner: OwnerKey): QueryBatch<void> =>
  batch(
    [
      tx
        .update(carts)
        .set({ promoCodeId: null })
        .where(and(eq(carts.owner, owner), isNotNull(carts.promoCodeId))),
    ],
    () => {},
  );

/** Removes lines of a locked cart; increases its version if there were any. */
export const deleteLinesBatch = (tx: Tx, owner: OwnerKey, coinIds: readonly number[], now: Date): QueryBatch<void> =>
  batch([deleteLines(tx, owner, now, coinIds)], () => {});

export async function deleteLocked(tx: Tx, owner: OwnerKey, coinIds: readonly number[], now: Date): Promise<void> {
  await deleteLines(tx, owner, now, coinIds);
}

/** Locks the cart, removes these lines or all, increases its version if there were any, and reads the rest, all in one round trip. */
export async function removeLines<Goods>(
  db: Db,
  owner: OwnerKey,
  coinIds: readonly number[] | "all",
  { now, readGoods }: { now: Date; readGoods: ReadGoods<Goods> },
): Promise<{ cart: FoundCart | null; goods: Goods }> {
  const [, , , found, goods] = await pipelineTransaction(db, (tx) => [
    waitUpTo(tx, lockWait),
    lockRow(tx, { owner }),
    deleteLines(tx, owner, now, coinIds === "all" ? undefined : coinIds),
    selectCart(tx, { owner }),
    readGoods(tx, coinIdsOf(owner)),
  ]);
  return { cart: toCart(found), goods };
}

type QueryRows = { rows: unknown[] };

const selectCart = preparedQuery("cart", (db, value: Placeholders<{ owner: OwnerKey }>) =>
  db
    .select({
      id: carts.id,
      version: carts.version,
      touchedAt: carts.touchedAt,
      promoCodeId: carts.promoCodeId,
      coinId: cartLines.coinId,
      quantity: cartLines.quantity,
    })
    .from(carts)
    .leftJoin(cartLines, eq(cartLines.cartId, carts.id))
    .where(eq(carts.owner, value.owner))
    .orderBy(asc(cartLines.addedAt), asc(cartLines.coinId)),
);

function toCart(found: Awaited<ReturnType<typeof selectCart>>): FoundCart | null {
  const [first] = found;
  if (!first) return null;
  const lines = found.flatMap(({ coinId, quantity }) => (coinId === null || quantity === null ? [] : [{ coinId, quantity }]));
  return { id: first.id, version: first.version, touchedAt: first.touchedAt, promoCodeId: first.promoCodeId, lines };
}

const lockRow = preparedQuery("cart_lock", (db, value: Placeholders<{ owner: OwnerKey }>) =>
  db.select({ version: carts.version }).from(carts).where(eq(carts.owner, value.owner)).for("update"),
);

const lockOrCreateRow = (tx: Tx, owner: OwnerKey, at: Date) =>
  tx
    .insert(carts)
    .values({ owner, touchedAt: hourOf(sql`${at.toISOString()}::timestamptz`) })
    .onConflictDoUpdate({ target: carts.owner, set: { touchedAt: hourOf(sql`${at.toISOString()}::timestamptz`) } });

const selectLines = preparedQuery("cart_lines", (db, value: Placeholders<{ owner: OwnerKey }>) =>
  db
    .select({ coinId: cartLines.coinId, quantity: cartLines.quantity })
    .from(cartLines)
    .innerJoin(carts, eq(carts.id, cartLines.cartId))
    .where(eq(carts.owner, value.owner))
    .orderBy(asc(cartLines.addedAt), asc(cartLines.coinId)),
);

const deleteLines = (tx: Tx, owner: OwnerKey, now: Date, coinIds?: readonly number[]) => {
  const which = coinIds ? sql`and coin_id = any(${sql.param([...coinIds])}::int[])` : sql``;
  return tx.execute(sql`
    with gone as (delete from cart_lines using carts where carts.owner = ${owner} and cart_lines.cart_id = carts.id ${which} returning 1)
    update carts set version = version + 1, touched_at = ${hourOf(sql`${now.toISOString()}::timestamptz`)}
      where owner = ${owner} and exists (select 1 from gone)`) as unknown as BuiltQuery<QueryRows>;
};

/** Returns the number of other lines; writes only when it is below the limit. */
const putLineRow = (tx: Tx, owner: OwnerKey, { coinId, quantity }: StoredCartLine, limit: number, now: Date) => {
  const at = sql`${now.toISOString()}::timestamptz`;
  return tx.execute(sql`
    with mine as (select id from carts where owner = ${owner}),
      others as (select count(*)::int as n from cart_lines where cart_id = (select id from mine) and coin_id <> ${coinId}),
      put as (
        insert into cart_lines (cart_id, coin_id, quantity, added_at) select mine.id, ${coinId}::int, ${quantity}::int, ${at}
          from mine, others where n < ${limit}::int
        on conflict (cart_id, coin_id) do update set quantity = excluded.quantity where cart_lines.quantity <> excluded.quantity
          returning 1),
      moved as (update carts set version = version + 1, touched_at = ${hourOf(at)} where owner = ${owner} and exists (select 1 from put))
    select n from others`) as unknown as BuiltQuery<QueryRows>;
};
const isBelow = (answer: QueryRows | undefined, limit: number): boolean => ((answer?.rows[0] as { n: number } | undefined)?.n ?? 0) < limit;

export async function touch(db: Db, cartId: number, at: Date): Promise<void> {
  await db
    .update(carts)
    .set({ touchedAt: at })
    .where(and(eq(carts.id, cartId), lt(carts.touchedAt, at)));
}

/** Deletes guest carts, with their lines, that were not used since this moment; returns their number. */
export async function deleteGuestCarts(db: Db, unusedSince: Date): Promise<number> {
  return deleteInBatches(db, carts, and(like(carts.owner, "visitor:%"), lt(carts.touchedAt, unusedSince)));
}
