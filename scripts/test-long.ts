/** `npm run test:long`: what is too long for the gate, in full: 1,000 sequences, 1,000 interleavings, 50 kills. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const steps: string[][] = [
  ["node_modules/vitest/vitest.mjs", "run", "--project", "services", "--testTimeout", "3600000"],
  ["scripts/drill-kill.ts"],
];
for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: "inherit", env: { ...process.env, LONG_TESTS: "1" } });
  if (status !== 0) process.exit(status ?? 1);
}
