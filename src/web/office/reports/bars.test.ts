import { expect, test } from "vitest";
import { barsOf, type Report } from "./bars.ts";

const report = (rows: Report["rows"], chart: Report["chart"] = { by: "rows", columns: ["goods"], most: 366 }): Report => ({
  title: "",
  columns: [
    { key: "day", title: "День", unit: "text" },
    { key: "goods", title: "Продано, ₽", unit: "roubles" },
  ],
  rows,
  totals: null,
  isCut: false,
  chart,
  note: "",
});
const period = { from: "2026-10-30", till: "2026-11-02" };

test("a day without sales has its place in the chart", () => {
  const rows = [
    ["2026-10-31", 500],
    ["2026-11-02", 70],
  ];
  expect(barsOf(report(rows), period)).toEqual([
    { label: "30", values: [null] },
    { label: "31", values: [500] },
    { label: "01", values: [null] },
    { label: "02", values: [70] },
  ]);
});

test("a chart of nothing is not drawn", () => {
  expect(barsOf(report([["2026-10-31", 0]]), period)).toEqual([]);
  expect(barsOf(report([]), period)).toEqual([]);
});
