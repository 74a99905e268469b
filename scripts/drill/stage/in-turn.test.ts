import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runInTurn } from "./in-turn.ts";

const root = join(import.meta.dirname, "../../..");

/** Runs tests that end with these codes. Returns the exit code, the tests that were started, and the last line. */
function play(codes: Record<string, number | null>) {
  const started: string[] = [];
  const lines: string[] = [];
  const steps = Object.keys(codes).map((name) => ({ name, command: [name], isPreparation: name === "pages" }));
  const start = ([name = ""]: readonly string[]) => {
    started.push(name);
    return codes[name] ?? null;
  };
  const code = runInTurn(steps, start, (line) => lines.push(line.trim()));
  return { code, started, last: lines.at(-1) ?? "" };
}

test("a skipped test is not counted as passed, is named, and does not stop the others", () => {
  expect(play({ pages: 0, kill: 0, disk: 77, update: 0, install: 77 })).toEqual({
    code: 0,
    started: ["pages", "kill", "disk", "update", "install"],
    last: "2 passed, 2 skipped: disk, install",
  });
  expect(play({ pages: 0, kill: 0 }).last).toBe("1 passed, 0 skipped");
});

test("the first failure ends the run with its code, and nothing is counted", () => {
  const { code, started, last } = play({ kill: 0, update: 3, disk: 0 });
  expect([code, started]).toEqual([3, ["kill", "update"]]);
  expect(last).toMatch(/^── update: failed \(3\) in /);
  expect(play({ kill: null }).code).toBe(1);
});

test("the gate does not read the line as that of a run of tests", () => {
  const [, counted = ""] = /awk '\/(.*?)\/ /.exec(readFileSync(join(root, ".ci/run"), "utf8")) ?? [];
  expect("7 passed, 0 failed").toMatch(new RegExp(counted));
  for (const last of [play({ kill: 0 }).last, play({ kill: 77 }).last]) expect(last).not.toMatch(new RegExp(counted));
});

/** Runs lines of a resilience test in a process of their own. */
function inProcess(lines: string): { status: number | null; stdout: string } {
  const script = `import { drill, leaveOut, skip } from ${JSON.stringify(join(import.meta.dirname, "run.ts"))};\n${lines}`;
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  return { status, stdout };
}

test("a skipped test ends with 77 and says what is missing", () => {
  const { status, stdout } = inProcess(`skip("Debian's package caddy is missing");`);
  expect([status, stdout]).toEqual([77, expect.stringContaining("skipped: Debian's package caddy is missing")]);
});

test("a test that passed without a part of itself names that part in its last line", () => {
  const lastLine = (lines: string) => inProcess(lines).stdout.trim().split("\n").at(-1);
  const played = "await drill(async () => ({ close: async () => {} }), async () => []);";
  expect(lastLine(`leaveOut("without PgBouncer");\n${played}`)).toMatch(/ s {2}passed in part; without PgBouncer$/);
  expect(lastLine(played)).toMatch(/ s {2}passed$/);
});

test("no resilience test ends by itself as passed, and each installs packages in the same way", () => {
  const files = globSync(["scripts/drill/**/*.ts"], { cwd: root }).filter((path) => !path.endsWith(".test.ts"));
  const containing = (text: string) => files.filter((path) => readFileSync(join(root, path), "utf8").includes(text));
  expect(files.length).toBeGreaterThan(30);
  expect([containing("process.exit(0)"), containing('"apt-get"')]).toEqual([[], ["scripts/drill/machines/debian.ts"]]);
});
