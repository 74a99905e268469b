import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

/** A release whose Node, and a systemd that would start it, write down their arguments and what they read. */
function aRelease() {
  const release = mkdtempSync(join(tmpdir(), "chekan-command-"));
  mkdirSync(join(release, "bin"));
  mkdirSync(join(release, "deploy"));
  cpSync(join(import.meta.dirname, "command"), join(release, "deploy/command"));
  const calls = join(release, "calls");
  const record = `#!/bin/sh\n{ echo "$*"; cat; } > '${calls}'\n`;
  for (const name of ["node", "systemd-run"]) writeFileSync(join(release, "bin", name), record, { mode: 0o755 });
  return (args: string[], input = "") => {
    writeFileSync(calls, "");
    const env = { ...process.env, PATH: `${join(release, "bin")}:${process.env.PATH}` };
    const { status } = spawnSync(join(release, "deploy/command"), args, { input, encoding: "utf8", env });
    const [line = "", ...read] = readFileSync(calls, "utf8").split("\n");
    // systemd gets options before the program.
    return { status, args: line.slice(line.indexOf("/build/app/")), read: read.join("\n"), line };
  };
}

test("the addresses of a copy are not arguments of a program that runs, which every account of the machine can read", () => {
  const command = aRelease();
  const [from, to] = ["postgres://chekan:s%3Dcr$et`@db/shop?a=b", "postgres://copy:other@db/empty"];
  const handedOn = { status: 0, args: "/build/app/staging-copy.js", read: `from=${from}\nto=${to}\n` };
  for (const [args, input] of [
    [["--from", from, "--to", to], ""],
    [[`--to=${to}`, `--from=${from}`], ""],
    [[], handedOn.read],
  ] as const) {
    const { line, ...found } = command(["staging-copy", ...args], input);
    expect(found).toEqual(handedOn);
    expect(line).not.toMatch(/postgres:/);
  }
  for (const wrong of [["--from"], ["--form", from]]) expect(command(["staging-copy", ...wrong])).toMatchObject({ status: 2, line: "" });
});
