import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { collectDefaultMetrics, Registry } from "prom-client";
import { expect, test } from "vitest";
import { alarmGroups } from "#contract/staff/waiting.ts";
import { createHttpMetrics } from "#http/server/metrics.ts";
import { countAlarms, measureCalls } from "#main/context.ts";
import { diskGauges } from "#main/process/disk-watch.ts";
import { alarmsIn, rulesOf, signalsIn } from "./rules.ts";

const deploy = new URL("../../../deploy/", import.meta.url);
const runbook = readFileSync(new URL("../../../docs/runbook.md", import.meta.url), "utf8");
const rules = readFileSync(new URL("prometheus/rules.yml", deploy), "utf8");
const dashboard = readFileSync(new URL("grafana/chekan.json", deploy), "utf8");

/** The names of all metrics that the shop registers. */
async function registered(): Promise<string[]> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  createHttpMetrics(registry).streamsCounted(() => 0);
  measureCalls(registry);
  countAlarms(registry);
  diskGauges(registry);
  return (await registry.getMetricsAsJSON()).flatMap(({ name, type }) =>
    String(type) === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
}

const metricsIn = (expression: string): string[] =>
  [...expression.replaceAll(/"[^"]*"/g, "").matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !["predict_linear", "histogram_quantile"].includes(name));

test("the rules are those of the runbook: after a change of its tables run `npm run rules`", () => {
  expect(rules).toBe(rulesOf(runbook));
});

test("every alarm of the shop has its entry in the runbook with meaning and action, and its rule", () => {
  const entries = alarmsIn(runbook);
  expect(entries.map(({ name }) => name).toSorted()).toEqual(Object.keys(alarmGroups).toSorted());
  for (const { name, meaning, action } of entries) {
    expect([name, meaning.length > 10, action.length > 10]).toEqual([name, true, true]);
    expect(rules).toContain(`      - alert: "${name}"\n        expr: "sum(increase(shop_alarms_total{alarm=\\"${name}\\"}[15m])) > 0"`);
  }
});

test("every signal is complete and says how soon it needs a person", () => {
  const signals = signalsIn(runbook);
  expect(signals.length).toBe(runbook.split("### Signals")[1]?.split("\n## ")[0]?.match(/^\| `/gm)?.length);
  for (const { severity, meaning, action } of signals) {
    expect(["urgent", "today", "week"]).toContain(severity);
    expect(Math.min(meaning.length, action.length)).toBeGreaterThan(10);
  }
});

test("the rules and the dashboard name only metrics that the shop has", async () => {
  const known = new Set([...(await registered()), "up"]);
  const panels = (JSON.parse(dashboard) as { panels: { targets?: { expr: string }[] }[] }).panels;
  const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  expect(shown.length).toBeGreaterThan(10);
  const named = [...shown, ...signalsIn(runbook).map(({ expression }) => expression)].flatMap(metricsIn);
  expect(new Set(named).size).toBeGreaterThan(10);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("every alarm is counted from the start, so that its first time is seen as an increase", async () => {
  const registry = new Registry();
  countAlarms(registry);
  const metrics = await registry.metrics();
  for (const name of Object.keys(alarmGroups)) expect(metrics).toContain(`shop_alarms_total{alarm="${name}"} 0`);
});

test.skipIf(spawnSync("promtool", ["--version"]).error !== undefined)("Prometheus accepts the rules", () => {
  const { status, stderr } = spawnSync("promtool", ["check", "rules", new URL("prometheus/rules.yml", deploy).pathname], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});
