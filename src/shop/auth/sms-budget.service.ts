import type { Ctx } from "#shop/context.ts";
import type { LimitRule } from "./limit-rule.ts";
import type { LimitResult } from "./limits.service.ts";

const shopMinute = "codes:shop:minute";
const shopDay = "codes:shop:day";

/** Rate limits on all SMS of the shop, codes and messages about orders. */
export function smsBudgetRules({ settings: { limits } }: Ctx): LimitRule[] {
  return [
    { key: shopDay, windowSeconds: 86_400, limit: limits.smsBudgetDay },
    { key: shopMinute, windowSeconds: 60, limit: limits.smsBudgetMinute },
  ];
}

/** Raises alarms when half, four fifths and all of the SMS budget are used. `result` is that of `consume` for `rules`. */
export function raiseBudgetAlarms(ctx: Ctx, rules: readonly LimitRule[], result: LimitResult): void {
  const isBudget = ({ key }: LimitRule): boolean => key === shopDay || key === shopMinute;
  if (!result.isAllowed) {
    if (isBudget(result.by)) ctx.alarm("sms.budget_spent", { window: result.by.key });
    return;
  }
  for (const [index, rule] of rules.entries()) {
    const sent = result.counts[index];
    if (!isBudget(rule) || sent === undefined) continue;
    if (sent === Math.ceil(rule.limit * 0.5)) ctx.alarm("sms.budget_half", { window: rule.key, sent });
    if (sent === Math.ceil(rule.limit * 0.8)) ctx.alarm("sms.budget_most", { window: rule.key, sent });
  }
}
