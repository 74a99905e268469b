import { inTransaction, type Db } from "#kit/db.ts";
import { coinsOfForms, percent, plural } from "#kit/format.ts";
import { done, fail, type Result } from "#kit/result.ts";
import { actorText } from "#shop/actor.ts";
import * as catalog from "#shop/catalog/prices/service.ts";
import type { Ctx } from "#shop/context.ts";
import type { PriceStep } from "../price.ts";
import * as pricing from "../service.ts";
import * as rows from "./repository.ts";
import { faultOf, type StepFault, type StepScope, type StepSet } from "./steps.ts";

/** The steps of both metals, and of the coins that have own ones. */
export async function list(db: Db): Promise<StepSet[]> {
  const sets = await rows.readSteps(db);
  const titles = await titlesOf(
    db,
    sets.flatMap(({ coinId }) => coinId ?? []),
  );
  return sets.map((set) => ({ ...set, title: set.coinId === null ? null : (titles.get(set.coinId) ?? null) }));
}

const titlesOf = async (db: Db, ids: readonly number[]): Promise<Map<number, string>> =>
  new Map((await catalog.pricedCoins(db, { ids })).map(({ id, title }) => [id, title]));

/** `revision`: that of the steps that were edited, 0 for new ones. `steps` null: a coin takes those of its metal again. */
export type StepsSave = { scope: StepScope; revision: number; steps: readonly PriceStep[] | null };
export type StepsError = { code: "price_steps.coin" } | { code: "price_steps.wrong"; fault: StepFault } | { code: "price_steps.stale" };

/** Why a second person must approve these steps; null: not needed. By the same limits as a change of premiums. */
export async function reasonForSteps(ctx: Ctx, { scope, steps }: StepsSave): Promise<string | null> {
  const { priceApprovalPremiumBp: most, priceApprovalCoins: maxCoins } = ctx.settings.limits;
  const deepest = Math.max(0, ...(steps ?? []).map(({ discountBp }) => discountBp));
  if (deepest > most) return `Скидка за количество ${percent(deepest)} п. п., без согласования — не больше ${percent(most)}`;
  if ("coinId" in scope) return null;
  const coins = await catalog.pricedCoins(ctx.db, { metals: [scope.metal], kinds: ["bullion"] });
  if (coins.length <= maxCoins) return null;
  return `Меняются цены ${coins.length} ${plural(coins.length, coinsOfForms)}, без согласования — не больше ${maxCoins}`;
}

/** Whether steps could be saved, apart from their revision; writes nothing. */
export async function check(db: Db, { scope, steps }: Pick<StepsSave, "scope" | "steps">): Promise<Result<true, StepsError>> {
  const fault = faultOf(steps ?? []);
  if (fault !== null) return fail({ code: "price_steps.wrong", fault });
  if (!("coinId" in scope)) return done(true);
  const [coin] = await catalog.pricedCoins(db, { ids: [scope.coinId] });
  return coin?.kind === "bullion" ? done(true) : fail({ code: "price_steps.coin" });
}

/** The steps of a metal or of a coin; null: the coin has none of its own. */
export async function ofScope(db: Db, scope: StepScope): Promise<PriceStep[] | null> {
  const sets = await rows.readSteps(db);
  const set = sets.find((each) => ("metal" in scope ? each.metal === scope.metal && each.coinId === null : each.coinId === scope.coinId));
  return set?.steps ?? null;
}

/** What the audit calls the steps of a metal or of a coin. */
export const subjectOf = (scope: StepScope): string => ("metal" in scope ? `price-steps:${scope.metal}` : `coin:${scope.coinId}`);

/** `before`: the value until now. */
export type StepsSaved = { sets: StepSet[]; before: PriceStep[] | null };

/**
 * Saves the steps of a metal or of a bullion coin and adds a version of the price list. Refuses with `price_steps.coin` (no such bullion
 * coin), `price_steps.wrong` and `price_steps.stale` (another save came first).
 */
export function save(ctx: Ctx, { scope, revision, steps }: StepsSave): Promise<Result<StepsSaved, StepsError>> {
  return inTransaction(ctx.db, async (tx) => {
    const checked = await check(tx, { scope, steps });
    if (!checked.ok) return checked;
    await pricing.lockPrices(tx);
    const before = await ofScope(tx, scope);
    const isSaved =
      steps === null
        ? await rows.deleteSteps(tx, scope, revision)
        : await rows.writeSteps(tx, scope, revision, { steps, updatedAt: ctx.now(), updatedBy: actorText(ctx.actor) });
    if (!isSaved) return fail({ code: "price_steps.stale" });
    await pricing.appendVersion(tx, ctx);
    pricing.invalidateCache(ctx);
    return done({ sets: await list(tx), before });
  });
}
