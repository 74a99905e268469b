import { Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { createDurationHistogram } from "./duration-histogram.ts";

const options = { name: "request_seconds", help: "Time of a request", labelNames: ["route", "status"] as const, buckets: [0.002, 0.5, 10] };
/** Within, exactly on, between and beyond the bounds. */
const durations = [0.001, 0.002, 0.3, 0.5, 0.6, 11];

test("the text is the one that prom-client writes for the same observations", async () => {
  const registry = new Registry();
  const expected = new Histogram({ ...options, buckets: [...options.buckets], registers: [registry] });
  const histogram = createDurationHistogram(options);
  for (const labels of [
    { route: "/*", status: "200" },
    { route: '/a"b\\c\nd', status: "304" },
  ])
    for (const seconds of durations) {
      expected.observe(labels, seconds);
      histogram.series(labels).observe(seconds);
    }
  expect(`${histogram.text()}\n`).toBe(await registry.metrics());
});

test("the same labels are the same series, and a series is exposed before its first observation", () => {
  const histogram = createDurationHistogram(options);
  const series = histogram.series({ route: "/", status: "200" });
  expect(histogram.series({ status: "200", route: "/" })).toBe(series);
  expect(histogram.series({ route: "/", status: "304" })).not.toBe(series);
  expect(histogram.text()).toContain('request_seconds_count{route="/",status="304"} 0');
});
