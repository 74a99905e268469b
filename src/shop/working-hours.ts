import { fromMoscow, moscow, type Weekday } from "#kit/moscow-time.ts";
import { days, plus, type CalendarDate } from "#kit/time.ts";
import { isBankingDay, isHoliday, type MarketCalendar } from "./rates/calendar.ts";

/** When the office answers the phone, in Moscow days and hours (`10:00`). On holidays it is closed. */
export type OfficeHours = readonly { days: readonly Weekday[]; from: string; till: string }[];

/** When the carrier's courier fetches the packed parcels, in Moscow days and hours. On holidays no courier comes. Empty: unknown. */
export type CourierVisits = readonly { days: readonly Weekday[]; at: string }[];

/** What lists the days that are closed besides the yearly holidays. */
type Holidays = Pick<MarketCalendar, "closed">;

/** An office that has no hours within this time would never be open. */
const furthestDays = 60;

/**
 * Adds `milliseconds` to `at`, counting only office hours. Example: with hours 10–18, Friday 17:50 plus 30 minutes is Monday 10:20.
 * Without office hours within two months the time counts through.
 */
export function plusOfficeTime(office: OfficeHours, holidays: Holidays, at: Date, milliseconds: number): Date {
  let left = milliseconds;
  for (let ahead = 0; ahead <= furthestDays; ahead += 1) {
    for (const { from, till } of openTimes(office, holidays, plus(at, days(ahead)))) {
      const start = from > at ? from : at;
      const open = till.getTime() - start.getTime();
      if (open <= 0) continue;
      if (left <= open) return plus(start, left);
      left -= open;
    }
  }
  return plus(at, milliseconds);
}

function openTimes(office: OfficeHours, holidays: Holidays, at: Date): { from: Date; till: Date }[] {
  if (isHoliday(holidays, at)) return [];
  const { date, weekday } = moscow(at);
  return office
    .filter((each) => each.days.includes(weekday))
    .map(({ from, till }) => ({ from: fromMoscow(date, from), till: fromMoscow(date, till) }))
    .toSorted((a, b) => a.from.getTime() - b.from.getTime());
}

/** When the office opens and closes on the day of `at`; null: it stays closed. */
export function openingOf(office: OfficeHours, holidays: Holidays, at: Date): { from: Date; till: Date } | null {
  const times = openTimes(office, holidays, at);
  const [first, last] = [times[0], times.at(-1)];
  return first && last ? { from: first.from, till: last.till } : null;
}

/** The next visit of the courier at or after `at`; null: none within two months. */
export function nextVisit(visits: CourierVisits, holidays: Holidays, at: Date): Date | null {
  for (let ahead = 0; ahead <= furthestDays; ahead += 1) {
    const day = plus(at, days(ahead));
    if (isHoliday(holidays, day)) continue;
    const { date, weekday } = moscow(day);
    const times = visits.filter((each) => each.days.includes(weekday)).map((each) => fromMoscow(date, each.at));
    const [first] = times.filter((time) => time >= at).toSorted((a, b) => a.getTime() - b.getTime());
    if (first) return first;
  }
  return null;
}

/** The day that is `count` working days after the day of `at` in Moscow. */
export function workingDayAfter(holidays: Holidays, at: Date, count: number): CalendarDate {
  let day = at;
  for (let left = count; left > 0;) {
    day = plus(day, days(1));
    if (isBankingDay(holidays, day)) left -= 1;
  }
  return moscow(day).date;
}
