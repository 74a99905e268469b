/** Instants are `Date` (UTC inside); the shop's days and cut-off hours are counted in Europe/Moscow. */
export const shopZone = "Europe/Moscow";

/** A day without a time, `2026-11-21`. */
export type CalendarDate = string & { readonly __calendarDate?: true };

export const seconds = (n: number): number => n * 1000;
export const minutes = (n: number): number => n * 60_000;
export const hours = (n: number): number => n * 3_600_000;
export const days = (n: number): number => n * 86_400_000;

export const plus = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds);

const parts = new Intl.DateTimeFormat("en-CA", {
  timeZone: shopZone,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  weekday: "short",
});

export type MoscowTime = {
  date: CalendarDate;
  weekday: "Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun";
  hour: number;
  minute: number;
  second: number;
};

/** The wall clock of the shop at an instant. */
export function moscow(at: Date): MoscowTime {
  const p = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    date: `${p.year}-${p.month}-${p.day}`,
    weekday: p.weekday as MoscowTime["weekday"],
    hour: Number(p.hour),
    minute: Number(p.minute),
    second: Number(p.second),
  };
}

/** An instant as ISO 8601 with Moscow's offset, as it stands on the wire. Moscow has had +03:00 without daylight saving since 2014. */
export function isoMoscow(at: Date): string {
  return new Date(at.getTime() + hours(3)).toISOString().replace(/\.\d{3}Z$/, "+03:00");
}
