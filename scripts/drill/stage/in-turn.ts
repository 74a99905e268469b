import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { skippedCode } from "./run.ts";

const root = join(import.meta.dirname, "../../..");

/** `command`: the arguments of Node. A preparation is not counted. */
type Step = { name: string; command: readonly string[]; isPreparation?: boolean };

/** Runs a command and returns its exit code; null: a signal ended it. */
type Start = (command: readonly string[]) => number | null;

/** Runs Node in the folder of the project, with this process's output. */
export const startWith =
  (env: Record<string, string> = {}): Start =>
  (command) =>
    spawnSync(process.execPath, command, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } }).status;

/**
 * Runs the steps one after another. A test that is skipped does not stop the others; the last line names all that were. Stops at the first
 * failure. Returns the exit code.
 */
export function runInTurn(steps: readonly Step[], start: Start, print: (line: string) => void = console.log): number {
  const skipped: string[] = [];
  let passed = 0;
  for (const { name, command, isPreparation = false } of steps) {
    const from = performance.now();
    print(`\n── ${name}`);
    const code = start(command) ?? 1;
    const outcome = code === 0 ? "ok" : code === skippedCode ? "skipped" : `failed (${code})`;
    print(`── ${name}: ${outcome} in ${((performance.now() - from) / 1000).toFixed(1)} s`);
    if (code === skippedCode) skipped.push(name);
    else if (code !== 0) return code;
    else if (!isPreparation) passed += 1;
  }
  print(`\n${passed} passed, ${skipped.length} skipped${skipped.length > 0 ? `: ${skipped.join(", ")}` : ""}`);
  return 0;
}
