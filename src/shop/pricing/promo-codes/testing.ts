import { kopecks } from "#kit/money.ts";
import type { Ctx } from "#shop/context.ts";
import type { PromoCode } from "./promo-code.ts";
import * as promoCodes from "./service.ts";

/** A code of 1,000 ₽ for every buyer and all coins, without limits. */
export const aPromoCode = (change: Partial<promoCodes.NewPromoCode> = {}): promoCodes.NewPromoCode => ({
  code: "ВЕСНА",
  percentBp: null,
  sum: change.percentBp == null ? kopecks(1_000_00) : null,
  startsAt: new Date("2026-01-01T00:00:00Z"),
  endsAt: null,
  maxUses: null,
  maxUsesPerPerson: null,
  minSum: kopecks(0),
  coinIds: null,
  categories: null,
  isWithPromos: false,
  ...change,
});

export async function putPromoCode(ctx: Ctx, change: Partial<promoCodes.NewPromoCode> = {}): Promise<PromoCode> {
  const made = await promoCodes.create(ctx, aPromoCode(change));
  if (!made.ok) throw new Error(made.error.code);
  return made.value;
}
