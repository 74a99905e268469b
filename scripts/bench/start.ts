/**
 * `npm run bench:start`: how long a shop without demo takes to start on a filled PostgreSQL, and how much memory it needs when idle: from
 * the bundle and from its sources. Median of five starts; the first start fills the database. It builds first what is not up to date: a
 * start from sources would do so too, for minutes. Prints processor time beside the time, which says the same on a busy machine.
 * `BENCH_ONLY`: `bundle` or `sources`.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openSurroundings } from "../drill/stage/stage.ts";
import { freePort } from "#tests/postgres.ts";
import { build, served } from "./load/built-shop.ts";
import { cpuOf } from "./load/load.ts";
import { pause, say } from "../drill/stage/run.ts";

const root = join(import.meta.dirname, "../..");
const starts = 5;
const idleMs = 10_000;
type Command = { args: readonly string[]; env: Record<string, string> };
/** With the options and the environment of `npm run serve` (and of the units in `deploy/`), and of `npm start`. */
const commands = {
  bundle: served,
  sources: { args: ["--max-old-space-size=768", join(root, "src/main/start.ts")], env: {} },
} satisfies Record<string, Command>;

say("building what is not up to date");
build();

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

type Start = {
  startMs: number;
  cpuMs: number;
  /** Resident memory. */
  megabytes: number;
  /** The part of it that the process shares with no other one. */
  ownMegabytes: number;
};

/**
 * Milliseconds from the start of the process to its first answer and its processor time so far, then its memory after some idle seconds.
 */
async function startOnce({ args, env: options }: Command, waitMs: number): Promise<Start> {
  const from = performance.now();
  const child = spawn(process.execPath, [...args, "--serve"], {
    env: { ...env, ...options },
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (
    !(await fetch(`http://localhost:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`${args.at(-1)} ended with ${child.exitCode}`);
    await pause(5);
  }
  const startMs = performance.now() - from;
  const cpuMs = cpuOf(child.pid ?? 0);
  await pause(waitMs);
  const memory = readFileSync(`/proc/${child.pid}/smaps_rollup`, "utf8");
  const megabytesOf = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(memory)?.[1] ?? 0) / 1024;
  const own = megabytesOf("Private_Clean") + megabytesOf("Private_Dirty");
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await gone;
  return { startMs, cpuMs, megabytes: megabytesOf("Rss"), ownMegabytes: own };
}
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const only = process.env.BENCH_ONLY;
say("filling the database");
await startOnce(commands.bundle, 0);
for (const [name, command] of Object.entries(commands)) {
  if (only && only !== name) continue;
  const runs = [];
  for (let n = 0; n < starts; n += 1) runs.push(await startOnce(command, 0));
  const startMs = Math.round(median(runs.map((each) => each.startMs)));
  say(`${name}: first answer after ${startMs} ms, ${median(runs.map((each) => each.cpuMs))} ms of processor time`);
  const idle = await startOnce(command, idleMs);
  say(`${name}: idle memory ${Math.round(idle.megabytes)} MB, ${Math.round(idle.ownMegabytes)} MB of it its own`);
}
await around.close();
process.exit(0);
