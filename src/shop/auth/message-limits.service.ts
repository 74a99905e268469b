import { days, hours, minutes, plus, seconds } from "#kit/time.ts";
import type { Ctx } from "#shop/context.ts";
import { isAboutOrder, isSuppressible, type OutgoingMessage, type SendingVerdict } from "#shop/notifications/message.ts";
import type { LimitRule } from "./limit-rule.ts";
import { undoCount, consume } from "./limits.service.ts";
import { raiseBudgetAlarms, smsBudgetRules } from "./sms-budget.service.ts";

/**
 * Counts a message about an order under the limits of its phone or mailbox, of the network address that caused it and, for SMS, of the
 * budget. Orders may use only a share of the SMS budget, so that a flood of orders does not block sign-in codes.
 * Messages that a visitor can cause for free are suppressed beyond a limit; all others are delayed.
 */
export async function limitOrderMessage(ctx: Ctx, message: OutgoingMessage): Promise<SendingVerdict> {
  if (!isAboutOrder(message.kind)) return { kind: "send", undoCount: async () => {} };
  const rules = rulesOf(ctx, message);
  const result = await consume(ctx, rules);
  if (message.channel === "sms") raiseBudgetAlarms(ctx, rules, result);
  if (result.isAllowed) return { kind: "send", undoCount: () => undoCount(ctx, rules) };
  const isShort = result.by.windowSeconds <= inSeconds(minutes(1));
  if (isSuppressible(message.kind) && !isShort) return { kind: "never", because: result.by.key.split(":").slice(0, 2).join(" ") };
  return { kind: "later", at: plus(ctx.now(), seconds(result.retryAfterSeconds)) };
}

const inSeconds = (milliseconds: number): number => milliseconds / 1000;
const [hour, day] = [inSeconds(hours(1)), inSeconds(days(1))];

/** The first two words of a key name the limit. The rows of the whole shop come last, because all messages contend for them. */
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

/** The share of the SMS budget that orders may use; the rest is reserved for sign-in codes. */
function orderShare(ctx: Ctx): LimitRule[] {
  const { smsBudgetDay, smsBudgetMinute, smsBudgetOrdersPercent } = ctx.settings.limits;
  const share = (budget: number): number => Math.floor((budget * smsBudgetOrdersPercent) / 100);
  return [
    { key: "budget:day:orders", windowSeconds: day, limit: share(smsBudgetDay) },
    { key: "budget:minute:orders", windowSeconds: 60, limit: share(smsBudgetMinute) },
  ];
}
