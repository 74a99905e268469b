import { alarmGroups, waitingGroups } from "#contract/staff/waiting.ts";
import type { AlarmName } from "#shop/context.ts";

export type AlarmRule = { name: string; meaning: string; action: string };
export type Signal = AlarmRule & { expression: string; wait: string; severity: string };

/** Cells of a row of a Markdown table; a `\|` belongs to its cell. */
const cellsOf = (row: string): string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, "|"));

const codeIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? "");

const rowsOf = (runbook: string, name: RegExp): string[][] =>
  runbook
    .split("\n")
    .filter((line) => name.test(line))
    .map(cellsOf);

/** The table of alarms. A row may name several alarms. */
export const alarmsIn = (runbook: string): AlarmRule[] =>
  rowsOf(runbook, /^\| `[a-z]+\.[a-z_]+`/).flatMap(([names = "", meaning = "", action = ""]) =>
    codeIn(names).map((name) => ({ name, meaning, action })),
  );

/** The table of signals: what only Prometheus sees. */
export const signalsIn = (runbook: string): Signal[] =>
  rowsOf(runbook, /^\| `[a-z_]+` \| `.+` \| \d+m \|/).map(
    ([name = "", expression = "", wait = "", severity = "", meaning = "", action = ""]) => ({
      name: codeIn(name)[0] ?? "",
      expression: codeIn(expression)[0] ?? "",
      wait,
      severity,
      meaning,
      action,
    }),
  );

const severities = { 1: "urgent", 2: "today", 3: "week" } as const;
const isKnown = (name: string): name is AlarmName => name in alarmGroups;
const severityOf = (name: string): string => (isKnown(name) ? severities[waitingGroups[alarmGroups[name]].rank] : "today");

/** A quoted string of JSON is one of YAML too. Prometheus reads `{{` as a template. */
const text = (value: string): string => JSON.stringify(value.replaceAll("{{", "{ {"));

const rule = ({ name, expression, wait, severity, meaning, action }: Signal): string =>
  [
    `      - alert: ${text(name)}`,
    `        expr: ${JSON.stringify(expression)}`,
    `        for: ${wait}`,
    `        labels: { severity: ${severity} }`,
    `        annotations:`,
    `          summary: ${text(meaning)}`,
    `          action: ${text(action)}`,
    `          runbook: ${text(`docs/runbook.md, ${name}`)}`,
  ].join("\n");

/** `deploy/prometheus/rules.yml`, made from the tables of the runbook. */
export function rulesOf(runbook: string): string {
  const alarms = alarmsIn(runbook).map((alarm) =>
    rule({
      ...alarm,
      expression: `sum(increase(shop_alarms_total{alarm="${alarm.name}"}[15m])) > 0`,
      wait: "0m",
      severity: severityOf(alarm.name),
    }),
  );
  return [
    "# Written by `npm run rules` from docs/runbook.md. Change the tables there.",
    "groups:",
    "  - name: chekan-alarms",
    "    rules:",
    ...alarms,
    "  - name: chekan-signals",
    "    rules:",
    ...signalsIn(runbook).map(rule),
    "",
  ].join("\n");
}
