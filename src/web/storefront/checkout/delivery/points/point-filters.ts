import type { PointView } from "#contract/public/locations.ts";
import { nbsp, number, trimmed } from "#kit/format.ts";
import { kilometresBetween } from "#shop/delivery/delivery.ts";
import { isEveryDay, isOpenAt, isOpenLate, weekOf, type Week } from "./work-time.ts";

type Filter = { id: string; name: string; fits: (point: PointView, week: Week | null, now: Date) => boolean };

export const pointFilters = [
  { id: "now", name: "Открыт сейчас", fits: (_, week, now) => week !== null && isOpenAt(week, now) },
  { id: "late", name: "До 22:00", fits: (_, week) => week !== null && isOpenLate(week) },
  { id: "daily", name: "Без выходных", fits: (_, week) => week !== null && isEveryDay(week) },
  { id: "metro", name: "У метро", fits: (point) => point.nearestMetro !== "" },
  { id: "card", name: "Принимают карты", fits: (point) => point.card },
] as const satisfies readonly Filter[];
export type FilterId = (typeof pointFilters)[number]["id"];

/** A point with its distance from the given place. */
export type NearPoint = PointView & { kilometres: number };

const plain = (text: string): string => text.toLowerCase().replaceAll("ё", "е");

/** The points that contain all words and pass all filters, nearest to `from` first. */
export function pickPoints(
  list: readonly PointView[],
  criteria: { query: string; on: readonly FilterId[]; now: Date; from: { lat: number; lon: number } },
): NearPoint[] {
  const words = plain(criteria.query).split(/\s+/).filter(Boolean);
  const filters: readonly Filter[] = pointFilters.filter(({ id }) => criteria.on.includes(id));
  return list
    .filter((point) => {
      const text = plain(`${point.address} ${point.name} ${point.nearestMetro}`);
      return (
        words.every((word) => text.includes(word)) && filters.every((filter) => filter.fits(point, weekOf(point.workTime), criteria.now))
      );
    })
    .map((point) => ({ ...point, kilometres: kilometresBetween(criteria.from, { lat: point.coords[0], lon: point.coords[1] }) }))
    .sort((a, b) => a.kilometres - b.kilometres);
}

/** `350 м`, `1,2 км`, `14 км`. */
export function distanceText(kilometres: number): string {
  if (kilometres < 0.95) return `${number(Math.round(kilometres * 20) * 50)}${nbsp}м`;
  return `${trimmed(kilometres, kilometres < 10 ? 1 : 0)}${nbsp}км`;
}
