/**
 * `npm run test:long`: tests that are too long for the gate: 1,000 sequences, 1,000 interleavings, 1,000 pages under changing rates, and
 * all resilience tests in full.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { drillCommand, drillNames } from "./drill/names.ts";

const root = join(import.meta.dirname, "..");
const steps: string[][] = [
  ["node_modules/vitest/vitest.mjs", "run", "--project", "services", "--testTimeout", "3600000"],
  ["src/main/build.ts"],
  ["node_modules/@playwright/test/cli.js", "test", "one-price", "forged", "--reporter=list"],
  ...drillNames.map((name) => [drillCommand(name)]),
];
for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: "inherit", env: { ...process.env, TEST_ROUNDS: "long" } });
  if (status !== 0) process.exit(status ?? 1);
}
