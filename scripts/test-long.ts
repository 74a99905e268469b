/** `npm run test:long`: tests that are too long for the gate: 1,000 sequences, 1,000 interleavings, 1,000 pages under changing rates. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const steps: string[][] = [
  ["node_modules/vitest/vitest.mjs", "run", "--project", "services", "--testTimeout", "3600000"],
  ["src/main/build.ts"],
  ["node_modules/@playwright/test/cli.js", "test", "one-price", "forged", "--reporter=list"],
  ["scripts/drill-kill.ts"],
  ["scripts/drill-database.ts"],
  ["scripts/drill-restart.ts"],
  ["scripts/drill-pgbouncer.ts"],
  ["scripts/drill-primary.ts"],
  ["scripts/drill-backup.ts"],
  ["scripts/drill-install.ts"],
  ["scripts/drill-streams.ts"],
  ["scripts/drill-faults.ts"],
  ["scripts/drill-delay.ts"],
];
for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: "inherit", env: { ...process.env, TEST_ROUNDS: "long" } });
  if (status !== 0) process.exit(status ?? 1);
}
