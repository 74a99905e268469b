import { days, moscow, plus, type CalendarDate, type MoscowTime } from "#kit/time.ts";

type Weekday = MoscowTime["weekday"];
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
    const next = sessionsOf(calendar, plus(at, days(ahead))).map(({ from }) => from).filter((from) => from > at).sort((a, b) => a.getTime() - b.getTime())[0];
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
  return calendar.sessions.filter((session) => isExtra || session.days.includes(weekday)).map(({ from, till }) => ({ from: momentOf(date, from), till: momentOf(date, till) }));
}

const momentOf = (date: CalendarDate, time: WallTime): Date => new Date(`${date}T${time}:00+03:00`);
