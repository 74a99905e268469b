import { expect, test } from "vitest";
import type { PointView } from "#contract/public/locations.ts";
import { distanceText, pickPoints } from "./point-filters.ts";

const point = (id: string, change: Partial<PointView>): PointView => ({
  id,
  dlvId: 76,
  type: "",
  name: `Пункт ${id}`,
  address: "ул. Мира, 1",
  coords: [55.75, 37.62],
  workTime: "ежедневно 10:00–21:00",
  phone: "",
  note: "",
  cash: true,
  card: true,
  nearestMetro: "",
  ...change,
});
const list = [
  point("far", { address: "Алтуфьевское шоссе, 70", nearestMetro: "Алтуфьево", coords: [55.889, 37.587] }),
  point("near", { address: "Тверская ул., 12", nearestMetro: "Пушкинская", coords: [55.7642, 37.6063], card: false }),
  point("late", { address: "ул. Королёва, 5", workTime: "пн–пт 09:00–22:00", coords: [55.82, 37.62] }),
];
const criteria = { query: "", on: [], now: new Date("2026-11-21T10:00:00Z"), from: { lat: 55.754, lon: 37.62 } };
const ids = (change: Partial<Parameters<typeof pickPoints>[1]>) => pickPoints(list, { ...criteria, ...change }).map(({ id }) => id);

test("the nearest point is first, measured from the city's centre or from the buyer's location", () => {
  expect(ids({})).toEqual(["near", "late", "far"]);
  expect(ids({ from: { lat: 55.9, lon: 37.58 } })).toEqual(["far", "late", "near"]);
});

test("street and metro are searched together, ё or е", () => {
  expect(ids({ query: "королева" })).toEqual(["late"]);
  expect(ids({ query: "шоссе алтуф" })).toEqual(["far"]);
  expect(ids({ query: "нигде" })).toEqual([]);
});

test("filters are combined: open on Saturday, open late, near a metro, accepts cards", () => {
  expect(ids({ on: ["now"] })).toEqual(["near", "far"]);
  expect(ids({ on: ["late"] })).toEqual(["late"]);
  expect(ids({ on: ["metro", "card"] })).toEqual(["far"]);
});

test("distances are shown in steps of fifty metres, then in kilometres", () => {
  expect([0.01, 0.33, 0.96, 1.24, 14.4].map((each) => distanceText(each).replaceAll("\u00A0", " "))).toEqual([
    "0 м",
    "350 м",
    "1 км",
    "1,2 км",
    "14 км",
  ]);
});
