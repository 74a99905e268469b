import { moscow } from "#kit/moscow-time.ts";
import { days, plus } from "#kit/time.ts";

export type ArrivalSpan = { first: Date; last: Date };

/**
 * When a parcel is expected that is paid at `from`, counted in working days of Moscow's calendar (Saturday and Sunday do not count).
 * Null while nobody can say, and for collecting at the office, which takes no days.
 */
export function arrivalSpan(from: Date, { minDays, maxDays }: { minDays: number | null; maxDays: number | null }): ArrivalSpan | null {
  if (minDays === null || maxDays === null || maxDays === 0) return null;
  return { first: afterWorkingDays(from, minDays), last: afterWorkingDays(from, maxDays) };
}

function afterWorkingDays(from: Date, count: number): Date {
  let at = from;
  for (let left = count; left > 0;) {
    at = plus(at, days(1));
    const { weekday } = moscow(at);
    if (weekday !== "Sat" && weekday !== "Sun") left -= 1;
  }
  return at;
}
