import { moscow } from "#kit/moscow-time.ts";
import { days, plus } from "#kit/time.ts";

export type ArrivalSpan = { first: Date; last: Date };

/**
 * Expected arrival of a parcel that is paid at `from`, counted in working days in Moscow (Saturday and Sunday do not count).
 * Null while the carrier's days are unknown, and for collection at the office, which takes no days.
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
