const dayMs = 86_400_000;
/** Moscow is three hours ahead of UTC all year since 2014. */
const moscowOffsetMs = 3 * 3_600_000;

export type ArrivalSpan = { first: Date; last: Date };

/**
 * When a parcel is expected that is paid at `from`, counted in working days of Moscow's calendar (Saturday and Sunday do not count).
 * Null while nobody can say, and for collecting at the office, which takes no days.
 */
export function arrivalSpan(from: Date, { minDays, maxDays }: { minDays: number | null; maxDays: number | null }): ArrivalSpan | null {
  if (minDays === null || maxDays === null || maxDays === 0) return null;
  return { first: afterWorkingDays(from, minDays), last: afterWorkingDays(from, maxDays) };
}

function afterWorkingDays(from: Date, days: number): Date {
  let at = from.getTime();
  for (let left = days; left > 0;) {
    at += dayMs;
    const weekday = new Date(at + moscowOffsetMs).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return new Date(at);
}
