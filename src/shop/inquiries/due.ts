import { fromMoscow } from "#kit/moscow-time.ts";
import { hours, minutes, plus } from "#kit/time.ts";
import type { ShopSettings } from "#shop/settings.ts";
import { plusOfficeTime, workingDayAfter } from "#shop/working-hours.ts";
import type { InquiryKind } from "./inquiry.ts";

/** When an answer is due: callbacks after some minutes of office hours, everything else at an hour of the next working day. */
export function dueAt(
  { office, market, limits }: Pick<ShopSettings, "office" | "market" | "limits">,
  { kind, createdAt }: { kind: InquiryKind; createdAt: Date },
): Date {
  return kind === "callback"
    ? plusOfficeTime(office, market, createdAt, minutes(limits.callbackDueMinutes))
    : plus(fromMoscow(workingDayAfter(market, createdAt, 1)), hours(limits.requestDueHour));
}
