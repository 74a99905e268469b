/**
 * `npm run test:drills`: the short resilience tests, one after another, or the named ones (`npm run test:drills -- kill restart`). The gate
 * (`.ci/run`) runs some of them after `npm test`. Builds the pages first. Stops at the first failure, and at once for an unknown name; the
 * full forms run in `npm run test:long`.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { drillCommand, drillsNamed } from "./drill/names.ts";

const root = join(import.meta.dirname, "..");
const drills = chosen();

function chosen(): ReturnType<typeof drillsNamed> {
  try {
    return drillsNamed(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

function run(name: string, command: string[]): void {
  const from = performance.now();
  console.log(`\n── ${name}`);
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  console.log(`── ${name}: ${status === 0 ? "ok" : `failed (${status})`} in ${((performance.now() - from) / 1000).toFixed(1)} s`);
  if (status !== 0) process.exit(status ?? 1);
}

run("pages", ["src/main/build.ts"]);
for (const drill of drills) run(`drill:${drill}`, [drillCommand(drill), "--short"]);
