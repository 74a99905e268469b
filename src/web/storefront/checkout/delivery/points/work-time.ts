import { moscow, weekdays } from "#kit/moscow-time.ts";

const dayNames = ["пн", "вт", "ср", "чт", "пт", "сб", "вс"];

/** Opening hours of one day, minutes from midnight; null: closed. Monday first. */
export type Week = readonly ({ from: number; to: number } | null)[];

const minutesOf = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * 60 + minutes;
};

/**
 * Parses the carrier's text of opening hours by days: «Пн-Пт 10:00-20:00, Сб-Вс 10:00-18:00» or «Ежедневно 9:00-22:00». Null for any other
 * format: then nothing is claimed about the point.
 */
export function weekOf(workTime: string): Week | null {
  const week: ({ from: number; to: number } | null)[] = Array.from({ length: 7 }, () => null);
  let isRead = false;
  if (/круглосуточно/i.test(workTime)) return week.map(() => ({ from: 0, to: 24 * 60 }));
  for (const part of workTime.toLowerCase().split(/[,;]/)) {
    const hours = /(\d{1,2}:\d{2})\s*[-–—]\s*(\d{1,2}:\d{2})/.exec(part);
    if (!hours?.[1] || !hours[2]) continue;
    const span = { from: minutesOf(hours[1]), to: minutesOf(hours[2]) || 24 * 60 };
    for (const day of daysOf(part.slice(0, hours.index))) week[day] = span;
    isRead = true;
  }
  return isRead ? week : null;
}

function daysOf(text: string): number[] {
  if (/ежедневно/.test(text)) return [0, 1, 2, 3, 4, 5, 6];
  const range = /(пн|вт|ср|чт|пт|сб|вс)\.?\s*[-–—]\s*(пн|вт|ср|чт|пт|сб|вс)/.exec(text);
  if (range?.[1] && range[2]) {
    const [from, to] = [dayNames.indexOf(range[1]), dayNames.indexOf(range[2])];
    return dayNames.map((_, day) => day).filter((day) => (from <= to ? day >= from && day <= to : day >= from || day <= to));
  }
  const single = dayNames.flatMap((name, day) => (text.includes(name) ? [day] : []));
  return single.length > 0 ? single : [0, 1, 2, 3, 4, 5, 6];
}

/** Whether the point is open at an instant, by Moscow time. Cities further east differ by hours, which the carrier's text does not say. */
export function isOpenAt(week: Week, at: Date): boolean {
  const { weekday, hour, minute: minuteOfHour } = moscow(at);
  const today = week[(weekdays.indexOf(weekday) + 6) % 7];
  const minute = hour * 60 + minuteOfHour;
  return today != null && minute >= today.from && minute < today.to;
}

export const isEveryDay = (week: Week): boolean => week.every((day) => day !== null);
/** Open until 22:00 at least one day a week. */
export const isOpenLate = (week: Week): boolean => week.some((day) => day !== null && day.to >= 22 * 60);
