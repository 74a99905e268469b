import { and, asc, eq, isNotNull, like, lt, sql, type SQL } from "drizzle-orm";
import {
  batch,
  deleteInBatches,
  namedStatement,
  pipeline,
  pipelineTransaction,
  preparedQuery,
  waitUpTo,
  writeStatement,
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

/** Only locks the cart's row and reads its version; null for an owner without a cart. Waits as long as the transaction may. */
export const lockVersionBatch = (tx: Tx, owner: OwnerKey): QueryBatch<{ version: number } | null> =>
  batch([lockRow(tx, { owner })], ([[row]]) => row ?? null);

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

/** A line that an owner wants. */
export type WantedLine = StoredCartLine & { owner: OwnerKey };

/**
 * Makes the function that judges and sets one line of each of several carts, and reads the carts with the available pieces of their
 * coins, in one statement. Such a statement sees the carts as they were when it began, so it writes to a cart only when it gets the cart's
 * row without waiting and its version is still the same. No owner occurs twice. Answers in the order of `wanted`.
 */
export function linesSetter(parts: GoodsParts) {
  const statement = setLinesStatement(parts);
  return async (db: Db, wanted: readonly WantedLine[], { limit, now }: { limit: number; now: Date }): Promise<SetLine[]> => {
    const found = await statement(db, {
      owners: wanted.map(({ owner }) => owner),
      coinIds: wanted.map(({ coinId }) => coinId),
      quantities: wanted.map(({ quantity }) => quantity),
      limit,
      now: now.toISOString(),
    });
    const rowOf = new Map(found.map((row) => [row.n, row]));
    return wanted.map((_, index) => toSetLine(rowOf.get(index + 1)));
  };
}

function toSetLine(row: SetLineRow | undefined): SetLine {
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
}

const idOrNull = (id: string | null): number | null => (id === null ? null : Number(id));

type SetLinesValues = {
  owners: readonly OwnerKey[];
  coinIds: readonly number[];
  quantities: readonly number[];
  limit: number;
  now: string;
};
type SetLineRow = {
  n: number;
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

/**
 * New carts are made in the order of their owners, so that two such statements that make the same ones do not wait for each other. The
 * lists are selected, because PostgreSQL would plan the statement anew for each number of elements that it sees.
 */
const setLinesStatement = ({ saleTermsOf, availableOf }: GoodsParts) =>
  namedStatement<SetLinesValues, SetLineRow>("cart_set_lines", (value) => {
    const at = sql`${value("now")}::timestamptz`;
    return sql`
    with judged as materialized (
        select a.n, a.owner, a.coin_id, a.quantity, c.id, c.version, c.touched_at, c.promo_code_id, t.purchase_limit, t.available,
          case when not t.is_published then 'absent' when t.available < a.quantity then 'short'
            when t.purchase_limit < a.quantity then 'limit' when l.others >= ${value("limit")}::int then 'full'
            when l.own = a.quantity then 'unchanged' else 'put' end as verdict
        from unnest((select ${value("owners")}::text[]), (select ${value("coinIds")}::int[]), (select ${value("quantities")}::int[]))
            with ordinality as a (owner, coin_id, quantity, n)
          left join carts c on c.owner = a.owner
          cross join lateral (
            select coalesce(s.is_published, false) as is_published, s.purchase_limit, ${availableOf(sql`a.coin_id`)} as available
            from (values (1)) one left join ${saleTermsOf(sql`a.coin_id`)} s on true) t
          cross join lateral (
            select count(*) filter (where coin_id <> a.coin_id) as others, max(quantity) filter (where coin_id = a.coin_id) as own
            from cart_lines where cart_id = c.id) l),
      locked as (
        select c.id, j.n from judged j join carts c on c.id = j.id and c.version = j.version
        where j.verdict = 'put' for update of c skip locked),
      made as (
        insert into carts (owner, version, touched_at) select owner, 1, ${hourOf(at)} from judged
        where verdict = 'put' and id is null order by owner on conflict (owner) do nothing
        returning id, owner, version, touched_at),
      moved as (
        update carts c set version = c.version + 1, touched_at = ${hourOf(at)} from locked where c.id = locked.id
        returning locked.n, c.id, c.version, c.touched_at),
      written as (
        select n, id, version, touched_at from moved
        union all select j.n, m.id, m.version, m.touched_at from made m join judged j on j.owner = m.owner),
      put as (
        insert into cart_lines (cart_id, coin_id, quantity, added_at) select w.id, j.coin_id, j.quantity, ${at}
        from written w join judged j on j.n = w.n
        on conflict (cart_id, coin_id) do update set quantity = excluded.quantity)
    select j.n::int as n, case when j.verdict = 'put' and w.id is null then 'busy' else j.verdict end as verdict, j.available,
      j.purchase_limit, coalesce(w.id, j.id) as id, coalesce(w.version, j.version) as version,
      coalesce(w.touched_at, j.touched_at)::text as touched, j.promo_code_id,
      coalesce((
        select json_agg(json_build_array(coin_id, quantity, ${availableOf(sql`after.coin_id`)}) order by added_at, coin_id)
        from (
          select coin_id, case when w.id is not null and coin_id = j.coin_id then j.quantity else quantity end as quantity, added_at
            from cart_lines where cart_id = j.id
          union all select j.coin_id, j.quantity, ${at}
            where w.id is not null and not exists (select 1 from cart_lines where cart_id = j.id and coin_id = j.coin_id)) after),
        '[]') as lines
    from judged j left join written w on w.n = j.n`;
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

/** Reads the data of other modules about these coins. */
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
  batch<[...QueryRows[], unknown, unknown], boolean[]>(
    [...lines.map((line) => putLineRow(tx, to, line, limit, now)), movePromo(tx, from, to), deleteLines(tx, from, now)],
    (puts) => lines.map((_, index) => isBelow(puts[index] as QueryRows, limit)),
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
  batch([countRemoval(tx, { owner, now: now.toISOString(), coinIds }), removeSome(tx, { owner, coinIds })], () => {});

/** Both see the lines as they were, also as one statement. The list is selected, because PostgreSQL would plan anew for each list. */
const countRemoval = writeStatement<{ owner: OwnerKey; now: string; coinIds: readonly number[] }>(
  (value) => sql`update carts set version = version + 1, touched_at = ${hourOf(sql`${value("now")}::timestamptz`)}
    where owner = ${value("owner")} and exists (select 1 from cart_lines where cart_id = carts.id and coin_id = any((select ${value("coinIds")}::int[])::int[]))`,
);
const removeSome = writeStatement<{ owner: OwnerKey; coinIds: readonly number[] }>(
  (value) => sql`delete from cart_lines using carts
    where carts.owner = ${value("owner")} and cart_lines.cart_id = carts.id and coin_id = any((select ${value("coinIds")}::int[])::int[])`,
);

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

const deleteLines = (tx: Tx, owner: OwnerKey, now: Date, coinIds?: readonly number[]): BuiltQuery<unknown> =>
  coinIds ? deleteSome(tx, { owner, now: now.toISOString(), coinIds }) : deleteAll(tx, { owner, now: now.toISOString() });

const deletion = (value: (key: "owner" | "now") => SQL, which: SQL): SQL => sql`
  with gone as (
    delete from cart_lines using carts where carts.owner = ${value("owner")} and cart_lines.cart_id = carts.id ${which} returning 1)
  update carts set version = version + 1, touched_at = ${hourOf(sql`${value("now")}::timestamptz`)}
    where owner = ${value("owner")} and exists (select 1 from gone)`;
const deleteAll = namedStatement<{ owner: OwnerKey; now: string }, unknown>("cart_clear", (value) => deletion(value, sql``));
const deleteSome = namedStatement<{ owner: OwnerKey; now: string; coinIds: readonly number[] }, unknown>("cart_take_out", (value) =>
  deletion(value, sql`and coin_id = any(${value("coinIds")}::int[])`),
);

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
