import type { Ctx } from "#shop/context.ts";
import type { LimitRule } from "./limit-rule.ts";
import type { Taken } from "./limits.service.ts";

const shopMinute = "codes:shop:minute";
const shopDay = "codes:shop:day";

/** All SMS of the shop, codes and messages about orders alike. */
export function smsBudgetRules({ settings: { limits } }: Ctx): LimitRule[] {
  return [
    { key: shopDay, windowSeconds: 86_400, limit: limits.smsBudgetDay },
    { key: shopMinute, windowSeconds: 60, limit: limits.smsBudgetMinute },
  ];
}

/** Says when a half and when four fifths of the budget are sent, and when it is spent. `taken` answers `rules`. */
export function raiseBudgetAlarms(ctx: Ctx, rules: readonly LimitRule[], taken: Taken): void {
  const isBudget = ({ key }: LimitRule): boolean => key === shopDay || key === shopMinute;
  if (!taken.isAllowed) {
    if (isBudget(taken.by)) ctx.alarm("sms.budget_spent", { window: taken.by.key });
    return;
  }
  for (const [index, rule] of rules.entries()) {
    const sent = taken.counts[index];
    if (!isBudget(rule) || sent === undefined) continue;
    if (sent === Math.ceil(rule.limit * 0.5)) ctx.alarm("sms.budget_half", { window: rule.key, sent });
    if (sent === Math.ceil(rule.limit * 0.8)) ctx.alarm("sms.budget_most", { window: rule.key, sent });
  }
}
