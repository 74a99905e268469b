import type { Kopecks } from "./money.ts";
import { isoMoscow, moscow, type Weekday } from "./moscow-time.ts";

/** How pages, letters, SMS and PDFs print numbers, money and dates. Browser-safe. */

/** No-break space: between the digits' groups, before ₽, % and units. */
export const nbsp = "\u00A0";

/**
 * A number as Russians print it: `11 042,60`. Written by hand because server and browser must print
 * the same bytes, and their `Intl` data may differ in the kind of space.
 */
export function number(value: number, decimals = 0): string {
  const [whole = "0", fraction] = Math.abs(value).toFixed(decimals).split(".");
  let grouped = whole.slice(-3); // by hand: a list prints hundreds of numbers, and a pattern takes three times as long
  for (let end = whole.length - 3; end > 0; end -= 3) grouped = whole.slice(Math.max(0, end - 3), end) + nbsp + grouped;
  return `${value < 0 ? "−" : ""}${grouped}${fraction ? `,${fraction}` : ""}`;
}

/** As `number`, without zeros at the end of the fraction: `7,78`, `31,1`, `1 000`. */
export function trimmed(value: number, decimals: number): string {
  return number(value, decimals)
    .replace(/(,\d*?)0+$/, "$1")
    .replace(/,$/, "");
}

/** Kopecks as roubles without the sign: `90 640`; kopecks are printed only if not zero. */
export const roubles = (amount: Kopecks): string => number(amount / 100, amount % 100 === 0 ? 0 : 2);
/** The same with kopecks always, as documents print sums: `90 640,00`. */
export const roublesAndKopecks = (amount: Kopecks): string => number(amount / 100, 2);
/** `90 640 ₽` or `45 123,50 ₽`, for plain texts (labels, letters). */
export const priceText = (amount: Kopecks): string => `${roubles(amount)}${nbsp}₽`;

/** Hundredths of a percent → `5,5`. */
export const percent = (basisPoints: number): string => trimmed(basisPoints / 100, 1);
/** Milligrams → `7,78 г`, from a kilogram up `1 кг`. */
export const grams = (milligrams: number): string =>
  milligrams >= 1_000_000 ? `${trimmed(milligrams / 1_000_000, 2)}${nbsp}кг` : `${trimmed(milligrams / 1000, 2)}${nbsp}г`;
/** `22,6 мм`, with at most one digit after the comma. */
export const millimetres = (mm: number): string => `${trimmed(mm, 1)}${nbsp}мм`;
/** Tenths of a part per thousand → `916,7`. */
export const fineness = (tenths: number): string => trimmed(tenths / 10, 1);

/** The plural form for a number: монета, монеты, монет. */
export function plural(count: number, [one, few, many]: readonly [string, string, string]): string {
  const tens = Math.abs(count) % 100;
  const ones = tens % 10;
  if (tens > 10 && tens < 20) return many;
  if (ones === 1) return one;
  return ones >= 2 && ones <= 4 ? few : many;
}

/** `165 монет` */
export const counted = (count: number, forms: readonly [string, string, string]): string =>
  `${number(count)}${nbsp}${plural(count, forms)}`;

export const coinForms = ["монета", "монеты", "монет"] as const;
/** In the genitive: «цены 61 монеты», «цены 62 монет». */
export const coinsOfForms = ["монеты", "монет", "монет"] as const;
/** After «на»: «на 10 минут», «на 1 минуту». */
export const minuteForms = ["минуту", "минуты", "минут"] as const;
export const pieceForms = ["штука", "штуки", "штук"] as const;

const months = ["января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября", "декабря"];
const monthNames = ["январь", "февраль", "март", "апрель", "май", "июнь", "июль", "август", "сентябрь", "октябрь", "ноябрь", "декабрь"];
const weekdayNames: Record<Weekday, string> = {
  Mon: "Понедельник",
  Tue: "Вторник",
  Wed: "Среда",
  Thu: "Четверг",
  Fri: "Пятница",
  Sat: "Суббота",
  Sun: "Воскресенье",
};

/** `20 ноября 2026`, of an instant in Moscow or of a calendar date `2026-11-20`. */
export function day(at: Date | string): string {
  const date = typeof at === "string" ? at : moscow(at).date;
  return `${Number(date.slice(8, 10))}${nbsp}${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;
}

/** `16 ноября` */
export const dayOfYear = (at: Date | string): string => day(at).replace(/ \d{4}$/, "");
/** `ноябрь`, of an instant in Moscow. */
export const monthName = (at: Date): string => monthNames[moscow(at).month - 1] ?? "";
/** `Понедельник`, of an instant in Moscow. */
export const weekday = (at: Date): string => weekdayNames[moscow(at).weekday];
/** `14:32`, Moscow time. */
export const clock = (at: Date): string => isoMoscow(at).slice(11, 16);
/** `20 ноября 2026, 14:32`, Moscow time. */
export const dayAndTime = (at: Date): string => `${day(at)}, ${clock(at)}`;

/**
 * `до 20 ноября, 14:32`, Moscow time. Midnight begins a day but ends the one before, so that "до 21 ноября, 00:00" is read in two ways:
 * it is `до конца 20 ноября`.
 */
export const deadline = (at: Date, dayText: (at: Date) => string = dayOfYear): string =>
  clock(at) === "00:00" ? `до конца ${dayText(new Date(at.getTime() - 1))}` : `до ${dayText(at)}, ${clock(at)}`;

/** Keeps spans of hours and telephone numbers on one line: a line may otherwise end after their dashes (`10:00–18:00`, `250-27-06`). */
export const unbroken = (text: string): string => text.replaceAll(/(\d[–-])(?=\d)/g, "$1\u2060");

/** Lines of opening hours as one: `Понедельник — четверг 10–18, пятница 10–17`. */
export const hoursLine = (hours: readonly string[]): string => hours.join(", ").replaceAll(/, \p{Lu}/gu, (start) => start.toLowerCase());

/** Two days, the first to the last: `24–25 ноября`, `30 ноября — 1 декабря`, `25 ноября` when they are the same. */
export function daySpan(first: Date, last: Date): string {
  const [from, to] = [dayOfYear(first), dayOfYear(last)];
  if (from === to) return to;
  const [date = "", month = ""] = from.split(nbsp);
  return to.endsWith(month) ? `${date}–${to}` : `${from} — ${to}`;
}
