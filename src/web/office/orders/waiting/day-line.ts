import { isoMoscow } from "#kit/moscow-time.ts";

export type Deadline = { at: Date; what: string };
type Mark = { x: number; what: string; anchor: "start" | "middle" | "end" };
export type DayLine = {
  hours: { x: number; text: string | null; isHalf: boolean }[];
  /** Null: now lies outside the line. */
  now: { x: number; text: string } | null;
  marks: Mark[];
  /** The line in words. */
  sentence: string;
};

const edge = 8;
/** The width of a character of 12 px on average: labels that would touch are joined. */
const perCharacter = 7;
const hourMs = 3_600_000;
const time = (at: Date): string => isoMoscow(at).slice(11, 16);

/**
 * The day of the office as a line of `width` px: hours, now, and the deadlines of the day. It is longer than the hours of the office where
 * a deadline lies outside. Deadlines whose labels would touch share one.
 */
export function dayLine(width: number, open: { from: Date; till: Date }, now: Date, deadlines: readonly Deadline[]): DayLine {
  const all = deadlines.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const moments = [open.from, open.till, ...all.map(({ at }) => at)].map((at) => at.getTime());
  const from = Math.floor(Math.min(...moments) / hourMs) * hourMs;
  const till = Math.ceil(Math.max(...moments) / hourMs) * hourMs;
  const xOf = (at: number): number => Math.round(edge + ((at - from) / (till - from)) * (width - 2 * edge));
  const count = (till - from) / hourMs;
  const every = Math.max(1, Math.ceil((count * 52) / width));
  const hours = Array.from({ length: count * 2 + 1 }, (_, half) => {
    const at = from + (half * hourMs) / 2;
    const isHour = half % 2 === 0;
    return { x: xOf(at), text: isHour && (half / 2) % every === 0 ? time(new Date(at)) : null, isHalf: !isHour };
  });
  const isInside = now.getTime() >= from && now.getTime() <= till;
  return {
    hours,
    now: isInside ? { x: xOf(now.getTime()), text: time(now) } : null,
    marks: marksOf(all, xOf, width),
    sentence: sentenceOf(from, till, now, all),
  };
}

function marksOf(all: readonly Deadline[], xOf: (at: number) => number, width: number): Mark[] {
  const marks: (Mark & { names: string[] })[] = [];
  for (const { at, what } of all) {
    const x = xOf(at.getTime());
    const last = marks.at(-1);
    if (last && x - last.x < (last.what.length + what.length) * (perCharacter / 2) + 12) {
      last.names.push(what);
      last.what = joined(last.names);
    } else marks.push({ x, what, names: [what], anchor: "middle" });
  }
  return marks.map(({ x, what }) => {
    const half = (what.length * perCharacter) / 2;
    return { x, what, anchor: x - half < 0 ? "start" : x + half > width ? "end" : "middle" };
  });
}

/** «2 звонка» is not worth its grammar here: «звонок ×2, выкуп». */
function joined(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name)).join(", ");
}

function sentenceOf(from: number, till: number, now: Date, all: readonly Deadline[]): string {
  const named = all.map(({ at, what }) => `до ${time(at)} ${what}`).join(", ");
  const deadlines = named ? `Сроки: ${named}.` : "Сроков сегодня нет.";
  return `День с ${time(new Date(from))} до ${time(new Date(till))}. Сейчас ${time(now)}. ${deadlines}`;
}
