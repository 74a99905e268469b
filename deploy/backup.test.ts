import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const scripts = join(import.meta.dirname, "backup");

/** The scripts with a place in a folder, which has one copy, `wal/a`. `programs` replace those of the machine; `more` are further settings. */
function aBackup({ to = (place: string) => place, programs = {} as Record<string, string>, more = "" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "chekan-backup-"));
  const place = join(folder, "place");
  const bin = join(folder, "bin");
  for (const each of [join(place, "wal"), bin]) mkdirSync(each, { recursive: true });
  writeFileSync(join(place, "wal/a"), "the good copy");
  for (const [name, text] of Object.entries({ pg_basebackup: "exit 1", ...programs })) {
    writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const settings = join(folder, "backup.env");
  writeFileSync(settings, `BACKUP_TO=${to(place)}\nBACKUP_DATABASE=postgres://nowhere/\nPG_BIN=${bin}\n${more}`);
  const run = (program: string, args: string[], input = "") =>
    spawnSync(program, args, { input, encoding: "utf8", env: { ...process.env, BACKUP_ENV: settings } });
  return {
    folder,
    place,
    run: (script: string, ...args: string[]) => run(join(scripts, script), args),
    /** As callers do that go on after a failure. */
    put: (bytes: string) => run("bash", ["-c", '. "$0"; put wal/a || exit 7', join(scripts, "lib.sh")], bytes).status,
    copy: () => (statSync(join(place, "wal/a")).isFile() ? readFileSync(join(place, "wal/a"), "utf8") : "no file"),
  };
}

test("a copy is replaced by a whole one, and by nothing while its folder is full", () => {
  const { put, copy, place } = aBackup();
  symlinkSync("/dev/full", join(place, "wal/a.tmp"));
  expect([put("a new copy"), copy(), readdirSync(join(place, "wal"))]).toEqual([7, "the good copy", ["a"]]);
  expect([put("a new copy"), copy()]).toEqual([0, "a new copy"]);
});

test("a copy over ssh is replaced only when as much has arrived as was sent", () => {
  const to = (place: string): string => `ssh://backup@host${place}`;
  const remote = (before: string): Record<string, string> => ({ ssh: `${before} bash -c "\${@: -1}"` });
  const cut = aBackup({ to, programs: remote("head -c 5 |") });
  expect([cut.put("a new copy"), cut.copy()]).toEqual([7, "the good copy"]);
  const whole = aBackup({ to, programs: remote("") });
  expect([whole.put("a new copy"), whole.copy(), readdirSync(join(whole.place, "wal"))]).toEqual([0, "a new copy", ["a"]]);
});

test("a restore that has no room is refused in one line, before it writes", () => {
  const { run, place, folder } = aBackup();
  mkdirSync(join(place, "base/1"), { recursive: true });
  const info = "START_WAL=000000010000000000000003\nEND_TIME=2026-11-22T03:10:00Z\nBYTES=9000000000000000\n";
  writeFileSync(join(place, "base/1/info"), info);
  const { status, stdout, stderr } = run("restore", "--into", join(folder, "restored"));
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^restore: .* has \d+ MB free, 8583070895 MB are needed: .*\n$/);
  expect(existsSync(join(folder, "restored")) ? readdirSync(join(folder, "restored")) : []).toEqual([]);
});

test.each(["BACKUP_KEY_FILE", "BACKUP_AGE_IDENTITY"])("a key that others may read is refused in one line: %s", (name) => {
  const key = join(mkdtempSync(join(tmpdir(), "chekan-key-")), "key");
  const { run, put, copy } = aBackup({ more: `${name}=${key}\n` });
  expect([put("the key is elsewhere"), copy()]).toEqual([0, "the key is elsewhere"]);
  writeFileSync(key, "a secret line\n");
  for (const mode of [0o644, 0o640, 0o604]) {
    chmodSync(key, mode);
    const { status, stdout, stderr } = run("base");
    expect([status, stdout, stderr]).toEqual([
      1,
      "",
      `base: ${key} can be read by others than its owner, and with it every copy: chmod 600 ${key}\n`,
    ]);
  }
  chmodSync(key, 0o600);
  expect(put("a new copy")).toBe(0);
});

test("the page makes keys that the scripts accept", () => {
  const page = readFileSync(join(import.meta.dirname, "../docs/runbook.md"), "utf8");
  const commands = [...page.matchAll(/`(\(umask 077[^`]*\/etc\/chekan\/(backup\.\w+)\))`/g)];
  expect(commands.map(([, , name]) => name)).toEqual(["backup.key", "backup.age"]);
  const folder = mkdtempSync(join(tmpdir(), "chekan-key-"));
  for (const [, command = "", name = ""] of commands) {
    spawnSync("bash", ["-c", `umask 022; age-keygen() { echo KEY; }; ${command.replaceAll("/etc/chekan", folder)}`]);
    expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
});
