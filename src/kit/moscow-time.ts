import type { CalendarDate } from "./time.ts";

/**
 * The shop's wall clock: days, cut-off hours and everything people read are in Europe/Moscow. Moscow has been three hours ahead of UTC
 * all year since 26 October 2014, so plain arithmetic gives the same result on the server and in every browser, whatever its time zone
 * data.
 */
const offset = "+03:00";
/** How far the wall clock is ahead of UTC, milliseconds: Moscow's days begin that much before those of UTC. */
export const moscowOffset = 10_800_000;

export const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
export type Weekday = (typeof weekdays)[number];

/** `month` counts from 1. */
export type MoscowTime = {
  date: CalendarDate;
  weekday: Weekday;
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
};

/** The wall clock at an instant. */
export function moscow(at: Date): MoscowTime {
  const shifted = new Date(at.getTime() + moscowOffset);
  return {
    date: shifted.toISOString().slice(0, 10),
    weekday: weekdays[shifted.getUTCDay()] ?? "Sun",
    year: shifted.getUTCFullYear(),
    month: shifted.getUTCMonth() + 1,
    day: shifted.getUTCDate(),
    hour: shifted.getUTCHours(),
    minute: shifted.getUTCMinutes(),
    second: shifted.getUTCSeconds(),
  };
}

/** The instant at which the wall clock shows a day and time (`10:00`, `10:00:30`); an invalid `Date` when the text is not a time. */
export const fromMoscow = (date: CalendarDate, time = "00:00"): Date => new Date(`${date}T${time}${offset}`);

/** An instant as ISO 8601 with Moscow's offset, to the second, as in API answers: `2026-11-20T12:00:00+03:00`. */
export const isoMoscow = (at: Date): string => `${new Date(at.getTime() + moscowOffset).toISOString().slice(0, 19)}${offset}`;
