import { alarmGroups, waitingGroups } from "#contract/staff/waiting/waiting.ts";
import { minutes } from "#kit/time.ts";
import { diskAlarmRepeatMs } from "#main/process/disk-watch.ts";
import { sweepsOf } from "#main/jobs-and-sweeps.ts";
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

const onceWindowMinutes = 15;
/** Between the moment at which an alarm is raised again and the scrape that sees it. */
const graceMs = minutes(10);

/**
 * Alarms that the shop raises again and again while their cause lasts, with the time from one to the next, milliseconds. Of the others each
 * is an event of its own, or is raised again within a quarter of an hour; `payment.refund_stuck` comes at most once a day, at an interval
 * that is a setting, and waits under «Ждёт» in between.
 */
function repeats(): Partial<Record<AlarmName, number>> {
  const sweeps = sweepsOf(60);
  const every = (name: string): number => {
    const sweep = sweeps[name];
    if (!sweep) throw new Error(`there is no sweep ${name}`);
    return sweep.everySeconds * 1000;
  };
  return {
    "backup.unproven": every("backups.watch"),
    "disk.filling": diskAlarmRepeatMs,
    "ledger.broken": every("ledger.watch"),
    "order.return_unsettled": every("orders.returns"),
    "delivery.return_late": every("orders.returns"),
  };
}

/** The window of an alarm's rule, as Prometheus writes it: the rule is firing from one raising to the next. */
function windowOf(name: string, repeated: Partial<Record<string, number>>): string {
  const again = repeated[name];
  return `${again === undefined ? onceWindowMinutes : (again + graceMs) / minutes(1)}m`;
}

const installed = "/opt/chekan/current/deploy/";
/** Scripts of package.json that an installed release has as a command of `deploy/command`. */
const releaseCommands: Partial<Record<string, string>> = {
  desk: "desk",
  "check:ledger": "check-ledger",
  import: "import",
  seed: "seed",
  "staging-copy": "staging-copy",
};

/**
 * Replaces the npm scripts in a text of the runbook by the commands of an installed release, which has no npm. Throws for a script that a
 * release does not have: the person on call could not run it.
 */
export const asInstalled = (words: string): string =>
  words
    .replaceAll(/npm run ([a-z:-]+)( --)?/g, (_, script: string) => {
      const command = releaseCommands[script];
      if (command === undefined) throw new Error(`npm run ${script}: an installed release has no such command`);
      return `${installed}command ${command}`;
    })
    .replaceAll(/`deploy\/(?=(?:backup|command|update)\b)/g, `\`${installed}`);

/** A quoted string of JSON is one of YAML too. Prometheus reads `{{` as a template. */
const text = (value: string): string => JSON.stringify(value.replaceAll("{{", "{ {"));

const rule = ({ name, expression, wait, severity, meaning, action }: Signal): string =>
  [
    `      - alert: ${text(name)}`,
    `        expr: ${JSON.stringify(expression)}`,
    `        for: ${wait}`,
    `        labels: { severity: ${severity} }`,
    `        annotations:`,
    `          summary: ${text(asInstalled(meaning))}`,
    `          action: ${text(asInstalled(action))}`,
    `          runbook: ${text(`docs/runbook.md, ${name}`)}`,
  ].join("\n");

/** `deploy/prometheus/rules.yml`, made from the tables of the runbook. */
export function rulesOf(runbook: string): string {
  const repeated = repeats();
  const alarms = alarmsIn(runbook).map((alarm) =>
    rule({
      ...alarm,
      expression: `sum(increase(shop_alarms_total{alarm="${alarm.name}"}[${windowOf(alarm.name, repeated)}])) > 0`,
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
