import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { isAboutOrder, isSuppressible, type OutgoingMessage, type SendingVerdict } from "#shop/notifications/notice.ts";
import type { LimitRule } from "./limit-rule.ts";
import { giveBack, take } from "./limits.service.ts";
import { raiseBudgetAlarms, smsBudgetRules } from "./sms-budget.service.ts";

/**
 * Counts a message about an order under the limits of its phone or mailbox, of the address that caused it and, for SMS, of the budget.
 * Orders may use only a share of the SMS budget, and their SMS never count under the limits of codes: a flood of orders keeps nobody
 * from signing in. What anybody can cause for free is suppressed beyond a limit; everything else waits until it may be sent.
 */
export async function limitOrderMessage(ctx: Ctx, message: OutgoingMessage): Promise<SendingVerdict> {
  if (!isAboutOrder(message.kind)) return { kind: "send", unsend: async () => {} };
  const rules = rulesOf(ctx, message);
  const taken = await take(ctx, rules);
  if (message.channel === "sms") raiseBudgetAlarms(ctx, rules, taken);
  if (taken.isAllowed) return { kind: "send", unsend: () => giveBack(ctx, rules) };
  const isShort = taken.by.windowSeconds <= inSeconds(minutes(1));
  if (isSuppressible(message.kind) && !isShort) return { kind: "never", because: taken.by.key.split(":").slice(0, 2).join(" ") };
  return { kind: "later", at: plus(ctx.now(), seconds(taken.retryAfterSeconds)) };
}

const inSeconds = (milliseconds: number): number => milliseconds / 1000;
const [hour, day] = [inSeconds(hours(1)), inSeconds(days(1))];

/** Keys begin with two words that name the limit; the shop's own rows come last, for everybody waits for them. */
function rulesOf(ctx: Ctx, { channel, kind, recipient, origin }: OutgoingMessage): LimitRule[] {
  const { limits } = ctx.settings;
  const to = ctx.secrets.sign("limits", channel === "email" ? recipient.toLowerCase() : recipient, 32);
  const own: LimitRule[] =
    channel === "email"
      ? [
          { key: `mailbox:hour:${to}`, windowSeconds: hour, limit: limits.orderLettersPerMailboxHour },
          { key: `mailbox:day:${to}`, windowSeconds: day, limit: limits.orderLettersPerMailboxDay },
        ]
      : [{ key: `phone:day:${to}`, windowSeconds: day, limit: limits.orderSmsPerPhoneDay }];
  const fromAddress: LimitRule[] =
    origin !== null && isSuppressible(kind)
      ? [{ key: `address:hour:${origin}`, windowSeconds: hour, limit: limits.orderMessagesPerAddressHour }]
      : [];
  return [...own, ...fromAddress, ...(channel === "sms" ? [...orderShare(ctx), ...smsBudgetRules(ctx)] : [])];
}

/** Codes are left the rest of the budget, whatever orders send. */
function orderShare(ctx: Ctx): LimitRule[] {
  const { smsBudgetDay, smsBudgetMinute, smsBudgetOrdersPercent } = ctx.settings.limits;
  const share = (budget: number): number => Math.floor((budget * smsBudgetOrdersPercent) / 100);
  return [
    { key: "budget:day:orders", windowSeconds: day, limit: share(smsBudgetDay) },
    { key: "budget:minute:orders", windowSeconds: 60, limit: share(smsBudgetMinute) },
  ];
}
