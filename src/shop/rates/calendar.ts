import { fromMoscow, moscow, type Weekday } from "#kit/moscow-time.ts";
import { days, plus, type CalendarDate } from "#kit/time.ts";

/** Local time in Moscow, `10:00`. */
type WallTime = string;

/**
 * When the exchange is expected to trade, in Moscow days and hours. The exchange itself reports whether it trades now; the calendar says
 * until when it is closed and why. `closed` overrides `extra` (a Saturday on which the exchange works), `extra` overrides session days.
 */
export type MarketCalendar = {
  sessions: { days: Weekday[]; from: WallTime; till: WallTime }[];
  closed: CalendarDate[];
  extra: CalendarDate[];
};

/** `halt`: a session is scheduled now, but the exchange does not trade. */
export type ClosedReason = "weekend" | "holiday" | "night" | "halt";

/** Why the exchange does not trade at this moment, according to the calendar. */
export function reasonAt(calendar: MarketCalendar, at: Date): ClosedReason {
  const { date } = moscow(at);
  if (sessionsOf(calendar, at).some(({ from, till }) => from <= at && at < till)) return "halt";
  if (calendar.closed.includes(date)) return "holiday";
  return sessionsOf(calendar, at).length > 0 ? "night" : "weekend";
}

/** Start of the next session after this moment; null when the calendar has none within a month. */
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

/** End of the session that runs at this moment; null outside sessions. */
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

/**
 * Public holidays with a fixed date. Source: Labour Code of the Russian Federation, article 112 (New Year holidays and Christmas first).
 */
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
 * Whether banks execute transfers on this day in Moscow. Holidays moved by decree are listed in the calendar's `closed`.
 * A working Saturday does not count, because not every bank works on it.
 */
export function isBankingDay(calendar: Pick<MarketCalendar, "closed">, at: Date): boolean {
  const { weekday } = moscow(at);
  return weekday !== "Sat" && weekday !== "Sun" && !isHoliday(calendar, at);
}

/** A public holiday, or a day that the calendar closes. */
export function isHoliday({ closed }: Pick<MarketCalendar, "closed">, at: Date): boolean {
  const { date } = moscow(at);
  return closed.includes(date) || yearlyHolidays.has(date.slice(5));
}

/**
 * Adds `milliseconds` to `at`, counting only banking days (Moscow time).
 * Example: Friday evening plus 24 hours is Monday evening.
 */
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
