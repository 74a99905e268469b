import { inTransaction, type Db, type Tx } from "#kit/db.ts";
import type { Kopecks } from "#kit/money.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { seconds } from "#kit/time.ts";
import { actorText } from "#shop/actor.ts";
import * as catalog from "#shop/catalog/prices/service.ts";
import type { Ctx } from "#shop/context.ts";
import { normaliseCode, promoReasonOf, promoStateFault, type PromoCode, type PromoError } from "./promo-code.ts";
import * as rows from "./repository.ts";

/** The code that a buyer typed, if it can be used now; `customerId`: who is signed in. Refuses with `promo.…`. */
export async function enter(ctx: Ctx, typed: string, customerId: string | null): Promise<Result<PromoCode, PromoError>> {
  const found = await rows.find(ctx.db, { code: normaliseCode(typed) });
  if (!found) return fail({ code: "promo.unknown" });
  const fault = promoStateFault(found, ctx.now());
  if (fault) return fail({ code: `promo.${fault}` });
  const isSpent =
    found.maxUsesPerPerson !== null && (await rows.usesOf(ctx.db, found.id, { phoneHash: null, customerId })) >= found.maxUsesPerPerson;
  return isSpent ? fail({ code: "promo.spent_by_person" }) : done(found);
}

/** The code of a cart, at most one second old in this process; null: none. */
export async function ofCart(ctx: Ctx, id: number | null): Promise<PromoCode | null> {
  if (id === null) return null;
  const cache = ctx.singleton("pricing.promo_codes", () => ({ codes: new Map<number, PromoCode | null>(), since: -Infinity }));
  const now = ctx.now().getTime();
  if (Math.abs(now - cache.since) >= seconds(1)) Object.assign(cache, { codes: new Map(), since: now });
  const known = cache.codes.get(id) ?? (await rows.find(ctx.db, { id }));
  cache.codes.set(id, known);
  return known;
}

/** The same from the database, for amounts that are charged. */
export const current = async (db: Db, id: number | null): Promise<PromoCode | null> => (id === null ? null : rows.find(db, { id }));

/** What an order uses of a code. `phone`: that of the recipient, as it was normalised for the order. */
export type PromoUse = { codeId: number; orderId: string; phone: string; customerId: string | null; discount: Kopecks };

/**
 * Counts the use of a code in the transaction of its order. False: it was stopped, has ended, or its last use was taken meanwhile, by other
 * buyers or by this one; then the caller rolls its transaction back. Locks the code's row until the commit, before any stock row.
 */
export async function claim(tx: Tx, ctx: Ctx, { codeId, orderId, phone, customerId, discount }: PromoUse): Promise<boolean> {
  const claimed = await rows.claim(tx, codeId, ctx.now());
  if (!claimed) return false;
  const phoneHash = ctx.secrets.sign("limits", `promo ${phone}`);
  const { maxUsesPerPerson: most } = claimed;
  if (most !== null && (await rows.usesOf(tx, codeId, { phoneHash, customerId })) >= most) return false;
  await rows.addUse(tx, { orderId, codeId, phoneHash, customerId, discount, usedAt: ctx.now() });
  return true;
}

/** Gives the use of a cancelled order back. Idempotent. */
export const giveBack = (tx: Tx, ctx: Ctx, orderId: string): Promise<void> => rows.giveBack(tx, orderId, ctx.now());

/** Codes, newest first; `before`: the id of the last one of the page before. */
export const list = (db: Db, page: { before: number | null; limit: number }): Promise<PromoCode[]> => rows.list(db, page);
/** A code by its id; null: there is none. */
export const find = (db: Db, id: number): Promise<PromoCode | null> => rows.find(db, { id });

/** The orders that used a code, newest first. */
export const uses = (db: Db, id: number, page: { before: Date | null; limit: number }): Promise<rows.StoredUse[]> =>
  rows.uses(db, id, page);

export type NewPromoCode = Omit<PromoCode, "id" | "used" | "isStopped" | "createdAt" | "createdBy">;

/** Why a second person must approve a new code; null: not needed. */
export const reasonFor = (ctx: Ctx, code: NewPromoCode): string | null => promoReasonOf(code, ctx.settings.limits);

export type PromoCodeError = { code: "promo_code.taken" } | { code: "promo_code.wrong"; field: "coinIds" | "categories"; message: string };

/**
 * Adds a code. Codes are never changed afterwards, only stopped. Refuses with `promo_code.taken` (there is one with this text already) and
 * `promo_code.wrong` (no such coin or category).
 */
export function create(ctx: Ctx, code: NewPromoCode): Promise<Result<PromoCode, PromoCodeError>> {
  return inTransaction(ctx.db, async (tx) => {
    const coins = code.coinIds === null ? [] : await catalog.pricedCoins(tx, { ids: code.coinIds });
    const unknownCoins = (code.coinIds ?? []).filter((id) => !coins.some((coin) => coin.id === id));
    if (unknownCoins.length > 0)
      return fail({ code: "promo_code.wrong", field: "coinIds", message: `Таких монет нет: ${unknownCoins.slice(0, 5).join(", ")}` });
    const slugs = code.categories === null ? [] : (await catalog.facets(tx)).categories.map(({ slug }) => slug);
    const unknownSlugs = (code.categories ?? []).filter((slug) => !slugs.includes(slug));
    if (unknownSlugs.length > 0)
      return fail({
        code: "promo_code.wrong",
        field: "categories",
        message: `В этих разделах нет монет: ${unknownSlugs.slice(0, 5).join(", ")}`,
      });
    const id = await rows.insert(tx, {
      ...code,
      code: normaliseCode(code.code),
      createdAt: ctx.now(),
      createdBy: actorText(ctx.actor),
    });
    const made = id === null ? null : await rows.find(tx, { id });
    return made ? done(made) : fail({ code: "promo_code.taken" });
  });
}

/** Stops a code at once, for quotes that have it too. Idempotent; null: there is no such code. */
export const stop = (ctx: Ctx, id: number): Promise<PromoCode | null> =>
  inTransaction(ctx.db, async (tx) => ((await rows.stop(tx, id)) ? rows.find(tx, { id }) : null));
