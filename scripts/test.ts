/**
 * `npm test`: types, format, lint, borders and all tests, cheapest first, on a machine with only Node. `--quick` leaves out what needs
 * PostgreSQL or a browser (`npm run verify`). The resilience tests are separate: `npm run test:drills`. The last lines say how many tests
 * passed.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const isQuick = process.argv.includes("--quick");
const reports = mkdtempSync(join(tmpdir(), "chekan-tests-"));
const started = performance.now();
const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`;

function run(name: string, command: string[], env: Record<string, string> = {}): Promise<void> {
  const from = performance.now();
  console.log(`\n── ${name}`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
    child.once("exit", (code) => {
      console.log(`── ${name}: ${code === 0 ? "ok" : `failed (${code})`} in ${seconds(from)}`);
      if (code === 0) resolve();
      else reject(new Error(name));
    });
  });
}
const bin = (path: string, ...args: string[]): string[] => [join("node_modules", path), ...args];

/** Test files that need PostgreSQL import the harness; the others are the project `quick`. */
const vitest = (project: string[]): Promise<void> =>
  run(
    `tests: ${project.join(" and ")}`,
    bin(
      "vitest/vitest.mjs",
      "run",
      ...project.flatMap((each) => ["--project", each]),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${join(reports, "vitest.json")}`,
    ),
  );

type VitestReport = { numPassedTests: number; numFailedTests: number };
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number } };
const read = <T>(name: string): T | null =>
  existsSync(join(reports, name)) ? (JSON.parse(readFileSync(join(reports, name), "utf8")) as T) : null;

try {
  await run("types of routes", bin("@react-router/dev/bin.cjs", "typegen"));
  await run("types", bin("typescript-7/bin/tsc", "-p", "."));
  await run("format", bin("oxfmt/bin/oxfmt", "--check"));
  await run("lint", bin("oxlint/bin/oxlint", "--type-aware", "--deny-warnings"));
  await run("borders", ["scripts/check-borders.ts"]);
  await run("dead code", bin("knip/bin/knip.js", "--no-progress"));
  if (!isQuick) await run("known holes of dependencies", ["scripts/audit.ts"]);
  await vitest(isQuick ? ["quick"] : ["quick", "services"]);
  if (!isQuick) {
    await run("pages", ["src/main/build.ts"]);
    await run("budget", ["scripts/budget.ts"]);
    await run("journeys", bin("@playwright/test/cli.js", "test"), { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, "playwright.json") });
  }
} catch (error) {
  console.error(`\nfailed: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  const unit = read<VitestReport>("vitest.json");
  const journeys = read<PlaywrightReport>("playwright.json");
  const passed = (unit?.numPassedTests ?? 0) + (journeys?.stats.expected ?? 0);
  const failed = (unit?.numFailedTests ?? 0) + (journeys?.stats.unexpected ?? 0) + (journeys?.stats.flaky ?? 0);
  console.log(`\n${unit?.numPassedTests ?? 0} tests and ${journeys?.stats.expected ?? 0} journeys passed in ${seconds(started)}`);
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1; // whatever the runners' own exit codes said
}
