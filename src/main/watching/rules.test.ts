import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { collectDefaultMetrics, Registry } from "prom-client";
import { expect, test } from "vitest";
import { alarmGroups } from "#contract/staff/waiting/waiting.ts";
import { createHttpMetrics } from "#http/server/metrics.ts";
import { countAlarms, measureCalls } from "#main/context.ts";
import { diskGauges } from "#main/process/disk-watch.ts";
import { defaultLimits } from "#shop/settings.ts";
import { alarmsIn, asInstalled, rulesOf, signalsIn } from "./rules.ts";

const deploy = new URL("../../../deploy/", import.meta.url);
const runbook = readFileSync(new URL("../../../docs/runbook.md", import.meta.url), "utf8");
const rules = readFileSync(new URL("prometheus/rules.yml", deploy), "utf8");
const dashboard = readFileSync(new URL("grafana/chekan.json", deploy), "utf8");

/** The names of all metrics that the shop exposes. */
async function registered(): Promise<string[]> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = createHttpMetrics(registry);
  metrics.streamsCounted(() => 0);
  measureCalls(registry);
  countAlarms(registry);
  diskGauges(registry);
  return [...(await metrics.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = "", type]) =>
    type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
}

const metricsIn = (expression: string): string[] =>
  [...expression.replaceAll(/"[^"]*"/g, "").matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !["predict_linear", "histogram_quantile"].includes(name));

test("the rules are those of the runbook: after a change of its tables run `npm run rules`", () => {
  expect(rules).toBe(rulesOf(runbook));
});

/** Windows of the alarms that the shop repeats while their cause lasts: the time from one to the next, and ten minutes. */
const longWindows: Partial<Record<string, string>> = {
  "backup.unproven": "70m",
  "disk.filling": "370m",
  "ledger.broken": "370m",
  "order.return_unsettled": "370m",
  "delivery.return_late": "370m",
};

test("every alarm of the shop has its entry in the runbook with meaning and action, and its rule", () => {
  const entries = alarmsIn(runbook);
  expect(entries.map(({ name }) => name).toSorted()).toEqual(Object.keys(alarmGroups).toSorted());
  for (const { name, meaning, action } of entries) {
    expect([name, meaning.length > 10, action.length > 10]).toEqual([name, true, true]);
    const window = longWindows[name] ?? "15m";
    expect(rules).toContain(
      `      - alert: "${name}"\n        expr: "sum(increase(shop_alarms_total{alarm=\\"${name}\\"}[${window}])) > 0"`,
    );
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

test("a provider that refuses the shop's key or its number of calls is failing; one that says that something is missing is not", () => {
  const { expression } = signalsIn(runbook).find(({ name }) => name === "provider") ?? { expression: "" };
  const fine = new RegExp(`^(?:${/outcome!~"([^"]+)"/.exec(expression)?.[1]})$`); // Prometheus matches the whole value
  const failing = ["400", "401", "403", "429", "500", "503", "timeout", "reset", "unreachable", "busy", "breaker_open", "redirected"];
  expect([...failing, "200", "201", "202", "204", "250", "404", "409", "410", "422"].filter((outcome) => !fine.test(outcome))).toEqual(
    failing,
  );
});

test("the rules name commands that the machine of an installed release has", () => {
  const [, ...lines] = rules.split("\n"); // the first is for who changes the tables
  expect(lines.join("\n")).not.toMatch(/npm run|`deploy\//);
  const usage = readFileSync(new URL("command", deploy), "utf8").split("END")[1] ?? "";
  const offered = [...usage.matchAll(/^ {2}([a-z-]+)/gm)].map(([, command]) => command);
  const named = [...rules.matchAll(/\/opt\/chekan\/current\/deploy\/command ([a-z-]+)/g)].map(([, command]) => command);
  expect(new Set(named)).toEqual(new Set(["desk", "check-ledger"]));
  expect(named.filter((command) => !offered.includes(command))).toEqual([]);
  expect(asInstalled("`npm run desk -- order <id> refund`")).toBe("`/opt/chekan/current/deploy/command desk order <id> refund`");
  expect(asInstalled("`deploy/backup/prove` by hand")).toBe("`/opt/chekan/current/deploy/backup/prove` by hand");
  expect(() => asInstalled("`npm run bench`")).toThrow("npm run bench");
});

const scrape = readFileSync(new URL("prometheus/prometheus.yml", deploy), "utf8");

test("the example of the scrape requests the processes that the Caddyfile and the units have", () => {
  const caddyfile = readFileSync(new URL("Caddyfile", deploy), "utf8").replaceAll(/^\s*#.*$/gm, "");
  const upstreams = new Set(caddyfile.match(/\b127\.0\.0\.1:\d+/g));
  expect(upstreams.size).toBeGreaterThan(0);
  const targets = [...scrape.matchAll(/^\s*- targets: (\[.*\])$/gm)].flatMap(([, list = ""]) => JSON.parse(list) as string[]);
  expect(new Set(targets)).toEqual(upstreams);
  const unit = readFileSync(new URL("systemd/chekan@.service", deploy), "utf8");
  const [, firstDigits = ""] = /\bPORT=(\d+)%i/.exec(unit) ?? [];
  const wanted = /^Wants=(chekan@.*)$/m.exec(readFileSync(new URL("systemd/chekan.target", deploy), "utf8"))?.[1] ?? "";
  expect(new Set(targets)).toEqual(new Set([...wanted.matchAll(/@(\d)/g)].map(([, number]) => `127.0.0.1:${firstDigits}${number}`)));
});

test("the command in the example of the scrape writes the token to the file that Prometheus reads", () => {
  const folder = mkdtempSync(join(tmpdir(), "chekan-scrape-"));
  const [, file = ""] = /credentials_file: (\S+)/.exec(scrape) ?? [];
  const [, command = ""] = /^# +(sed .*)$/m.exec(scrape) ?? [];
  writeFileSync(join(folder, "chekan.env"), "PUBLIC_URL=https://shop.example\nMETRICS_TOKEN=a-long-token\nSMTP_URL=\n");
  expect(command).toContain(` -g prometheus `);
  const tried = command
    .replace(" -g prometheus ", " ")
    .replace("/etc/chekan/chekan.env", join(folder, "chekan.env"))
    .replace(file, join(folder, "token"));
  const { status, stderr } = spawnSync("sh", ["-c", tried], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  expect(readFileSync(join(folder, "token"), "utf8").trim()).toBe("a-long-token");
  expect(statSync(join(folder, "token")).mode & 0o007).toBe(0);
});

/** What Debian's prometheus-node-exporter on a machine of the database is read for. */
const ofNodeExporter = ["node_filesystem_avail_bytes", "node_filesystem_size_bytes"];

test("a database on a machine of its own is watched under the name that its rule and the example of the scrape share", () => {
  const { expression } = signalsIn(runbook).find(({ name }) => name === "database_disk") ?? { expression: "" };
  expect(metricsIn(expression)).toEqual(ofNodeExporter);
  const [, job] = /job="(\w+)"/.exec(expression) ?? [];
  expect(scrape).toContain(`  # - job_name: ${job}\n`);
  expect(expression.split(" < ")[1]).toBe(String((100 - defaultLimits.diskAlarmPercent) / 100));
});

const alertmanager = readFileSync(new URL("prometheus/alertmanager.yml", deploy), "utf8");

test("what is raised is sent by mail to a receiver for each severity", () => {
  const [, port] = /alertmanagers:\n +- static_configs: \[\{ targets: \["127\.0\.0\.1:(\d+)"\] \}\]/.exec(scrape) ?? [];
  expect(port).toBe("9093"); // Alertmanager's own
  const [, fallback] = /^route:\n {2}receiver: (\w+)$/m.exec(alertmanager) ?? [];
  const routes = new Map(
    [...alertmanager.matchAll(/- matchers: \[severity="(\w+)"\]\n +receiver: (\w+)$/gm)].map(([, of, to]) => [of, to]),
  );
  const receivers = new Set(
    [...alertmanager.matchAll(/^ {2}- name: (\w+)\n {4}email_configs:\n {6}- to: \S+@\S+$/gm)].map(([, name]) => name),
  );
  const severities = new Set([...rules.matchAll(/labels: \{ severity: (\w+) \}/g)].map(([, severity]) => severity));
  expect(severities.size).toBe(3);
  for (const severity of severities) {
    expect([severity, routes.get(severity) ?? fallback]).toEqual([severity, severity]);
    expect(receivers).toContain(severity);
  }
});

test.skipIf(spawnSync("amtool", ["--version"]).error !== undefined)("Alertmanager accepts the example", () => {
  const { status, stderr } = spawnSync("amtool", ["check-config", new URL("prometheus/alertmanager.yml", deploy).pathname], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
});

test("the rules and the dashboard name only metrics that the shop has", async () => {
  const known = new Set([...(await registered()), "up", ...ofNodeExporter]);
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
