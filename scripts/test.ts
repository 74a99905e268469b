/**
 * `npm test`: types, format, lint, import rules and tests, cheapest first, on a machine with only Node, in at most ten minutes on two
 * cores. `--quick` leaves out what needs PostgreSQL or a browser (`npm run verify`). `--gate` runs what `npm test` leaves out (`npm run
 * test:gate`): the other journeys and two drills. `TEST_ROUNDS=gate` gives the randomised tests more rounds. The last lines name the
 * slowest files and say how many tests passed.
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "..");
const isQuick = process.argv.includes("--quick");
const isGate = process.argv.includes("--gate");
const reports = mkdtempSync(join(tmpdir(), "chekan-"));
/** What tests leave in the folder of temporary files is removed with it. Test servers run as other users, who need it too. */
const temporary = join(reports, "tmp");
mkdirSync(temporary);
chmodSync(reports, 0o755);
chmodSync(temporary, 0o1777);
const started = performance.now();
const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** Most of the time of a short-lived process goes into loading its modules: compiled ones take two thirds of it. */
const compileCache = { NODE_COMPILE_CACHE: join(root, "node_modules/.cache/compile") };

function run(name: string, command: string[], env: Record<string, string> = {}): Promise<void> {
  const from = performance.now();
  console.log(`\n── ${name}`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      stdio: "inherit",
      env: { ...compileCache, ...process.env, TMPDIR: temporary, ...env },
    });
    child.once("exit", (code) => {
      console.log(`── ${name}: ${code === 0 ? "ok" : `failed (${code})`} in ${seconds(from)}`);
      if (code === 0) resolve();
      else reject(new Error(name));
    });
  });
}
const bin = (path: string, ...args: string[]): string[] => [join("node_modules", path), ...args];

const vitest = (name: string, args: string[]): Promise<void> =>
  run(
    name,
    bin("vitest/vitest.mjs", "run", ...args, "--reporter=default", "--reporter=json", `--outputFile.json=${join(reports, "vitest.json")}`),
  );

const journeys = (project: "core" | "wide"): Promise<void> =>
  run(`journeys: ${project}`, bin("@playwright/test/cli.js", "test", "--project", project), {
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, "playwright.json"),
  });

/** Without a database and a browser. */
async function checkSources(): Promise<void> {
  await run("types of routes", bin("@react-router/dev/bin.cjs", "typegen"));
  await run("types", bin("typescript-7/bin/tsc", "-p", "."));
  await run("format", bin("oxfmt/bin/oxfmt", "--check"));
  await run("lint", bin("oxlint/bin/oxlint", "--type-aware", "--deny-warnings"));
  await run("packages", ["scripts/check-packages.ts"]);
  await run("import rules", ["scripts/check-import-rules.ts"]);
  await run("dead code", bin("knip/bin/knip.js", "--no-progress"));
}

async function runAll(): Promise<void> {
  if (isGate) {
    await run("pages", ["src/main/build.ts"]);
    await journeys("wide");
    await run("drills", ["scripts/test-drills.ts", "kill", "restart"]); // all of them take the gate beyond half an hour
    return;
  }
  await checkSources();
  // Test files that need PostgreSQL import the harness; the others are the project `quick`.
  if (isQuick) return vitest("tests: quick", ["--project", "quick"]);
  await run("known holes of dependencies", ["scripts/audit.ts"]);
  await vitest("tests: quick and services", ["--project", "quick", "--project", "services"]);
  await run("pages", ["src/main/build.ts"]);
  await run("budget", ["scripts/budget.ts"]);
  await journeys("core");
}

type VitestReport = { numPassedTests: number; numFailedTests: number; testResults: { name: string; startTime: number; endTime: number }[] };
type Suite = {
  suites?: Suite[];
  specs?: { title: string; file: string; tests: { status: string; results: { duration: number }[] }[] }[];
};
type PlaywrightReport = Suite & { stats: { expected: number; unexpected: number; flaky: number } };
const read = <T>(name: string): T | null =>
  existsSync(join(reports, name)) ? (JSON.parse(readFileSync(join(reports, name), "utf8")) as T) : null;

/** Journeys that failed once and passed when repeated. */
const repeated = ({ suites = [], specs = [] }: Suite): string[] => [
  ...specs.filter(({ tests }) => tests.some(({ status }) => status === "flaky")).map(({ file, title }) => `${file}: ${title}`),
  ...suites.flatMap(repeated),
];

/** Milliseconds of each journey; a file appears once for each of its journeys. */
const journeyTimes = ({ suites = [], specs = [] }: Suite): [string, number][] => [
  ...specs.flatMap(({ file, tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }): [string, number] => [`e2e/${file}`, duration])),
  ),
  ...suites.flatMap(journeyTimes),
];

/** The ten files that took longest, so that a growing one is noticed before the time limit is. */
function printSlowest(times: [string, number][]): void {
  const byFile = new Map<string, number>();
  for (const [file, took] of times) byFile.set(file, (byFile.get(file) ?? 0) + took);
  const slowest = [...byFile].sort(([, a], [, b]) => b - a).slice(0, 10);
  if (slowest.length > 0) console.log("\nthe slowest files:");
  for (const [file, took] of slowest) console.log(`${(took / 1000).toFixed(1).padStart(7)} s  ${file}`);
}

try {
  await runAll();
} catch (error) {
  console.error(`\nfailed: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  const unit = read<VitestReport>("vitest.json");
  const browser = read<PlaywrightReport>("playwright.json");
  const journeysPassed = (browser?.stats.expected ?? 0) + (browser?.stats.flaky ?? 0);
  const passed = (unit?.numPassedTests ?? 0) + journeysPassed;
  const failed = (unit?.numFailedTests ?? 0) + (browser?.stats.unexpected ?? 0);
  for (const journey of browser ? repeated(browser) : []) console.log(`\npassed only when repeated: ${journey}`);
  printSlowest([
    ...(unit?.testResults ?? []).map(({ name, startTime, endTime }): [string, number] => [relative(root, name), endTime - startTime]),
    ...(browser ? journeyTimes(browser) : []),
  ]);
  console.log(`\n${unit?.numPassedTests ?? 0} tests and ${journeysPassed} journeys passed in ${seconds(started)}`);
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1; // whatever the runners' own exit codes said
  rmSync(reports, { recursive: true, force: true });
}
