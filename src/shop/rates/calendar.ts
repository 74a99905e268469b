import { fromMoscow, moscow, type Weekday } from "#kit/moscow-time.ts";
import { days, plus, type CalendarDate } from "#kit/time.ts";

/** Moscow's wall clock, `10:00`. */
type WallTime = string;

/**
 * When the exchange is expected to trade, in Moscow's days and hours. Whether it does is what the exchange itself says; the calendar tells
 * people until when it is closed and why. `closed` wins over `extra`, a working Saturday of the exchange, which wins over the days of a session.
 */
export type MarketCalendar = {
  sessions: { days: Weekday[]; from: WallTime; till: WallTime }[];
  closed: CalendarDate[];
  extra: CalendarDate[];
};

/** `halt`: it should trade now and does not. */
export type ClosedReason = "weekend" | "holiday" | "night" | "halt";

/** Why the exchange does not trade at this moment, going by the calendar. */
export function reasonAt(calendar: MarketCalendar, at: Date): ClosedReason {
  const { date } = moscow(at);
  if (sessionsOf(calendar, at).some(({ from, till }) => from <= at && at < till)) return "halt";
  if (calendar.closed.includes(date)) return "holiday";
  return sessionsOf(calendar, at).length > 0 ? "night" : "weekend";
}

/** When the next session begins after this moment; null when the calendar knows of none within a month. */
export function nextOpening(calendar: MarketCalendar, at: Date): Date | null {
  for (let ahead = 0; ahead <= 31; ahead += 1) {
    const next = sessionsOf(calendar, plus(at, days(ahead)))
      .map(({ from }) => from)
      .filter((from) => from > at)
      .sort((a, b) => a.getTime() - b.getTime())[0];
    if (next) return next;
  }
  return null;
}

/** When the session that runs at this moment ends; null outside of sessions. */
export function presentClose(calendar: MarketCalendar, at: Date): Date | null {
  return sessionsOf(calendar, at).find(({ from, till }) => from <= at && at < till)?.till ?? null;
}

function sessionsOf(calendar: MarketCalendar, at: Date): { from: Date; till: Date }[] {
  const { date, weekday } = moscow(at);
  if (calendar.closed.includes(date)) return [];
  const isExtra = calendar.extra.includes(date);
  return calendar.sessions
    .filter((session) => isExtra || session.days.includes(weekday))
    .map(({ from, till }) => ({ from: fromMoscow(date, from), till: fromMoscow(date, till) }));
}

/** Days off that are the same each year. Labour Code of the Russian Federation, article 112: New Year holidays and Christmas, then the single holidays. */
const yearlyHolidays: ReadonlySet<string> = new Set([
  "01-01",
  "01-02",
  "01-03",
  "01-04",
  "01-05",
  "01-06",
  "01-07",
  "01-08",
  "02-23",
  "03-08",
  "05-01",
  "05-09",
  "06-12",
  "11-04",
]);

/**
 * Whether banks carry transfers out on this day in Moscow. Days off that are moved by decree stand in the calendar's `closed`;
 * a working Saturday does not count, since not every bank works on it.
 */
export function isBankingDay({ closed }: Pick<MarketCalendar, "closed">, at: Date): boolean {
  const { date, weekday } = moscow(at);
  return weekday !== "Sat" && weekday !== "Sun" && !closed.includes(date) && !yearlyHolidays.has(date.slice(5));
}

/** The moment when so many milliseconds of banking days have passed since `at`; other days pass uncounted. A Friday evening and 24 hours make Monday evening. */
export function plusBankingTime(calendar: Pick<MarketCalendar, "closed">, at: Date, milliseconds: number): Date {
  let from = at;
  let left = milliseconds;
  for (;;) {
    const midnight = plus(fromMoscow(moscow(from).date), days(1));
    const inDay = midnight.getTime() - from.getTime();
    if (isBankingDay(calendar, from)) {
      if (left <= inDay) return plus(from, left);
      left -= inDay;
    }
    from = midnight;
  }
}
