/**
 * `npm run bench:start`: how long a shop without demo takes to start on a filled PostgreSQL, and how much memory it needs when idle: from
 * its sources and, when `npm run build` has made it, from the bundle. Median of five starts; the first start fills the database.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openSurroundings } from "./drill/stage.ts";
import { freePort } from "#tests/postgres.ts";
import { pause, say } from "./drill/run.ts";

const root = join(import.meta.dirname, "..");
const starts = 5;
const idleMs = 10_000;
/** With the options of `npm start` and of `npm run serve`. */
const commands = {
  sources: ["--max-old-space-size=768", join(root, "src/main/start.ts")],
  bundle: ["--max-old-space-size=768", "--max-semi-space-size=4", join(root, "build/app/start.js")],
};

const around = await openSurroundings({ isDirect: true });
const port = String(await freePort());
const env = {
  ...process.env,
  ...around.env,
  DATA_DIR: join(around.folder, "shop"),
  PORT: port,
  STAFF_PORT: String(await freePort()),
  PUBLIC_URL: `http://localhost:${port}`,
};

/** Milliseconds from the start of the process to its first answer, and its memory after some idle seconds. */
async function startOnce(command: readonly string[], waitMs: number): Promise<{ startMs: number; megabytes: number }> {
  const from = performance.now();
  const child = spawn(process.execPath, [...command, "--serve"], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (
    !(await fetch(`http://localhost:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`${command.at(-1)} ended with ${child.exitCode}`);
    await pause(5);
  }
  const startMs = performance.now() - from;
  await pause(waitMs);
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await gone;
  return { startMs, megabytes: Number(kilobytes) / 1024 };
}
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

say("filling the database");
await startOnce(commands.sources, 0);
for (const [name, command] of Object.entries(commands)) {
  if (!existsSync(command.at(-1) ?? "")) continue;
  const runs = [];
  for (let n = 0; n < starts; n += 1) runs.push(await startOnce(command, n === 0 ? 0 : idleMs / (starts - 1)));
  const idle = await startOnce(command, idleMs);
  say(
    `${name}: first answer after ${Math.round(median(runs.map((each) => each.startMs)))} ms, idle memory ${Math.round(idle.megabytes)} MB`,
  );
}
await around.close();
process.exit(0);
