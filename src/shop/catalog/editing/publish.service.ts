import { inTransaction, type Tx } from "#kit/db.ts";
import { done, fail, type Result } from "#kit/result.ts";
import type { Ctx } from "#shop/context.ts";
import type { Coin } from "../coin.ts";
import * as rows from "./edit.repository.ts";
import { readByIds, readExisting } from "../repository.ts";
import { notReady, type EditError, type NotReady } from "./coin-edit.ts";

/** Puts a coin on sale, or takes it off: its page answers as for every coin off sale, orders and carts keep it. Idempotent. */
export function setPublished(
  ctx: Ctx,
  { id, revision, isPublished }: { id: number; revision: number; isPublished: boolean },
): Promise<Result<{ before: Coin; after: Coin }, EditError>> {
  return inTransaction(ctx.db, async (tx) => {
    await rows.lockEdits(tx);
    const [before] = await readByIds(tx, [id]);
    if (!before) return fail({ code: "coin.not_found" });
    if (before.revision !== revision && before.isPublished !== isPublished)
      return fail({ code: "staff.stale", current: before, fields: [] });
    const moved = await publishInside(tx, ctx, id, isPublished);
    return moved.ok ? done({ before, after: await readExisting(tx, id) }) : moved;
  });
}

/** What publishing many coins did with each of them, in the requested order. */
export type Published = { id: number; title: string; outcome: "published" | "already" | "not_ready" | "missing"; reasons: NotReady[] };

/**
 * Puts those of these coins on sale that lack nothing; the others stay as they are and say what is missing. A few statements whatever the
 * number of coins.
 */
export function publishReady(ctx: Pick<Ctx, "db" | "now">, ids: readonly number[]): Promise<Published[]> {
  return inTransaction(ctx.db, async (tx) => {
    await rows.lockEdits(tx);
    const coins = new Map((await readByIds(tx, [...ids])).map((coin) => [coin.id, coin]));
    const results = ids.map((id): Published => {
      const coin = coins.get(id);
      if (!coin) return { id, title: "", outcome: "missing", reasons: [] };
      const reasons = coin.isPublished ? [] : notReady(coin);
      const outcome = coin.isPublished ? "already" : reasons.length > 0 ? "not_ready" : "published";
      return { id, title: coin.title, outcome, reasons };
    });
    const published = results.flatMap(({ id, outcome }) => (outcome === "published" ? [id] : []));
    await rows.publish(tx, published, ctx.now());
    await rows.startSales(
      tx,
      published.map((coinId) => ({ coinId, startedAt: ctx.now() })),
    );
    return results;
  });
}

/** The same inside an edit, for a coin whose edits are locked. Refuses with `coin.not_ready`. */
export async function publishInside(tx: Tx, ctx: Pick<Ctx, "now">, id: number, isPublished: boolean): Promise<Result<true, EditError>> {
  const coin = await readExisting(tx, id);
  if (coin.isPublished === isPublished) return done(true);
  const reasons = isPublished ? notReady(coin) : [];
  if (reasons.length > 0) return fail({ code: "coin.not_ready", reasons });
  await rows.saveCoin(tx, id, { isPublished, publishedAt: coin.publishedAt ?? (isPublished ? ctx.now() : coin.createdAt) });
  if (isPublished) await rows.startSales(tx, [{ coinId: id, startedAt: ctx.now() }]);
  else await rows.endSale(tx, id, ctx.now());
  return done(true);
}
