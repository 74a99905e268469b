import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { platform, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";

const scripts = join(import.meta.dirname, "backup");

/**
 * The scripts with a place in a folder, which has one copy, `wal/a`. `programs` replace those of the machine; `more` are further settings.
 */
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
  const spool = join(folder, "spool");
  writeFileSync(settings, `BACKUP_TO=${to(place)}\nBACKUP_DATABASE=postgres://nowhere/\nBACKUP_SPOOL=${spool}\nPG_BIN=${bin}\n${more}`);
  const env = { ...process.env, BACKUP_ENV: settings };
  const run = (program: string, args: string[], input = "") => spawnSync(program, args, { input, encoding: "utf8", env });
  return {
    folder,
    place,
    bin,
    spool,
    env,
    run: (script: string, ...args: string[]) => run(join(scripts, script), args),
    /** As callers do that go on after a failure. */
    put: (bytes: string) => run("bash", ["-c", '. "$0"; put wal/a || exit 7', join(scripts, "lib.sh")], bytes).status,
    copy: () => (statSync(join(place, "wal/a")).isFile() ? readFileSync(join(place, "wal/a"), "utf8") : "no file"),
  };
}

/** A machine behind ssh is this one; before each command it runs `before`. */
const overSsh = (before = "") => ({
  to: (place: string): string => `ssh://backup@host${place}`,
  programs: { ssh: `${before} bash -c "\${@: -1}"` },
});

test("a copy is replaced by a whole one, and by nothing while its folder is full", () => {
  const { put, copy, place } = aBackup();
  symlinkSync("/dev/full", join(place, "wal/a.tmp"));
  expect([put("a new copy"), copy(), readdirSync(join(place, "wal"))]).toEqual([7, "the good copy", ["a"]]);
  expect([put("a new copy"), copy()]).toEqual([0, "a new copy"]);
});

test("a copy over ssh is replaced only when as much has arrived as was sent", () => {
  const cut = aBackup(overSsh("head -c 5 |"));
  expect([cut.put("a new copy"), cut.copy()]).toEqual([7, "the good copy"]);
  const whole = aBackup(overSsh());
  expect([whole.put("a new copy"), whole.copy(), readdirSync(join(whole.place, "wal"))]).toEqual([0, "a new copy", ["a"]]);
});

test("a restore without enough disk space is refused in one line, before it writes", () => {
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

const ofAProof = "DATABASE_URL=postgres://nowhere/shop\nBACKUP_LEDGER_CHECK=true\n";

test.each([
  ["here", { to: (place: string) => place, programs: {} }],
  ["on a machine behind ssh", overSsh()],
])(
  "a folder %s that is not mounted, or has another disk, gets nothing, and neither a backup nor a proof is made",
  (_, { to, programs }) => {
    const { put, copy, place, spool, run } = aBackup({ to, programs, more: ofAProof });
    expect(put("a new copy")).toBe(0);
    renameSync(place, `${place}.away`);
    expect([put("for the own disk"), existsSync(place)]).toEqual([7, false]);
    mkdirSync(join(place, "wal"), { recursive: true }); // what a lost mount uncovers
    expect([put("for the own disk"), readdirSync(join(place, "wal"))]).toEqual([7, []]);
    for (const script of ["base", "prove"]) {
      const { status, stdout, stderr } = run(script);
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(`${script}: ${to(place)} is not the folder that had the copies before: is it mounted?`);
    }
    writeFileSync(join(place, ".chekan-backup"), "another disk\n");
    expect([put("for another disk"), readdirSync(join(place, "wal"))]).toEqual([7, []]);

    rmSync(place, { recursive: true });
    renameSync(`${place}.away`, place);
    expect([put("a later copy"), copy()]).toEqual([0, "a later copy"]);
    rmSync(place, { recursive: true });
    rmSync(join(spool, ".place")); // as the message says, for another folder that is meant
    expect([put("elsewhere"), copy()]).toEqual([0, "elsewhere"]);
  },
);

test("a machine behind ssh that does not answer has its own message, and is no other folder", () => {
  const { put, copy, run, bin } = aBackup({
    ...overSsh('[ ! -e "$(dirname "$0")/is-away" ] || { echo "no route" >&2; exit 255; };'),
    more: ofAProof,
  });
  expect(put("a new copy")).toBe(0);
  writeFileSync(join(bin, "is-away"), "");
  expect([put("a later copy"), run("base").stderr]).toEqual([7, "no route\n"]);
  rmSync(join(bin, "is-away"));
  expect([put("a later copy"), copy()]).toEqual([0, "a later copy"]);
});

test("a bucket has no mount, so no mount is checked", () => {
  const calls = 'echo "$*" >> "$(dirname "$0")/calls"';
  const { env, bin } = aBackup({ to: () => "rclone:s3:bucket", programs: { rclone: calls } });
  const { status } = spawnSync("bash", ["-c", '. "$0"; is_same_place', join(scripts, "lib.sh")], { env });
  expect([status, existsSync(join(bin, "calls"))]).toEqual([0, false]);
});

test("no program gets a password among its arguments, which every account of the machine can read", () => {
  const record = `echo "$PGPASSWORD $*" >> "$(dirname "$0")/calls"`;
  const { run, bin } = aBackup({
    programs: { psql: `${record}; echo 1`, pg_basebackup: `${record}; exit 1`, openssl: "cat" },
    more: "BACKUP_DATABASE=postgres://backup:s%40cret%5C@db:5432/postgres\nBACKUP_KEY_FILE=/nowhere\n",
  });
  expect(run("base").status).toBe(1);
  const calls = readFileSync(join(bin, "calls"), "utf8").trim().split("\n");
  expect(calls.map((call) => call.split(" -")[0])).toEqual([
    String.raw`s@cret\ postgres://backup@db:5432/postgres`,
    String.raw`s@cret\ postgres://backup@db:5432/postgres`,
    "s@cret\\",
  ]);
  expect(calls[2]).toContain("-d postgres://backup@db:5432/postgres ");
});

test("an address without a password stays as it is", () => {
  const { env } = aBackup();
  for (const address of ["postgres://localhost:5432/shop?options=a@b", "postgres://chekan@localhost/shop", "host=localhost"]) {
    const script = '. "$0"; without_password "$1"; password_in "$1"';
    const { stdout } = spawnSync("bash", ["-c", script, join(scripts, "lib.sh"), address], { encoding: "utf8", env });
    expect(stdout).toBe(`${address}\n`);
  }
});

/** A server whose base backup begins in segment 8 of its log and ends in segment 9. */
const withServer = {
  psql: `case "$*" in
    *pg_walfile_name_offset*) echo 000000010000000000000009 ;;
    *pg_walfile_name*) echo 000000010000000000000008 ;;
    *) echo 1000 ;;
    esac`,
  pg_basebackup: "echo everything",
  openssl: "cat",
};

test("a base backup ends when the log up to its end has arrived, so that a proof right after it finds all it needs", () => {
  const segment = "wal/000000010000000000000009";
  const { run, place } = aBackup({
    programs: { ...withServer, sleep: `touch "$BACKUP_TO/${segment}"` },
    more: "BACKUP_KEY_FILE=/nowhere\n",
  });
  writeFileSync(join(place, `${segment}.partial`), "sent before its end");
  const { status, stderr } = run("base");
  expect([status, stderr, existsSync(join(place, segment))]).toEqual([0, "", true]);
});

test("a call that fails while old copies are removed costs no log that a kept backup needs", () => {
  const { run, place, bin } = aBackup({
    to: (at) => `ssh://backup@host${at}`,
    programs: {
      ...withServer,
      ssh: `case "\${@: -1}" in "cat '"*) ! rm "$(dirname "$0")/is-down" 2>/dev/null || exit 255 ;; esac; exec bash -c "\${@: -1}"`,
    },
    more: "BACKUP_KEY_FILE=/nowhere\n",
  });
  const yesterday = daysAgo(0.9);
  mkdirSync(join(place, "base", yesterday), { recursive: true });
  writeFileSync(join(place, "base", yesterday, "info"), "START_WAL=000000010000000000000005\n");
  rmSync(join(place, "wal/a"));
  const segments = ["04", "05", "06", "09"].map((end) => `0000000100000000000000${end}`);
  for (const segment of segments) writeFileSync(join(place, "wal", segment), "");
  writeFileSync(join(bin, "is-down"), "");
  expect([run("base").status === 0, readdirSync(join(place, "wal")).toSorted()]).toEqual([false, segments]);
  expect([run("base").status, readdirSync(join(place, "wal")).toSorted()]).toEqual([0, segments.slice(1)]);
});

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().replaceAll(/[-:]|\.\d+/g, "");

test("what a base backup left that was killed is removed after a day, and counts for none of the two that stay", () => {
  const { run, place } = aBackup({ programs: withServer, more: "BACKUP_KEY_FILE=/nowhere\nBACKUP_KEEP_DAYS=1\n" });
  const [old, older] = [daysAgo(2), daysAgo(3)];
  const [killed, running] = [daysAgo(1.5), daysAgo(0.5)];
  for (const [stamp, file] of [
    [older, "info"],
    [old, "info"],
    [killed, "base.tar.gz.tmp"],
    [running, "base.tar.gz.tmp"],
  ] as const) {
    mkdirSync(join(place, "base", stamp), { recursive: true });
    writeFileSync(join(place, "base", stamp, file), "START_WAL=000000010000000000000005\n");
  }
  writeFileSync(join(place, "wal/000000010000000000000009"), "");
  const { status, stdout } = run("base");
  const left = readdirSync(join(place, "base")).toSorted();
  expect([status, left.slice(0, 2), left.length]).toEqual([0, [old, running], 3]);
  expect(stdout).toContain(`base/${killed} was never finished: removed`);
});

test("a base backup names the path of BACKUP_FILES that does not exist, before it copies anything", () => {
  const { run, place } = aBackup({ programs: withServer, more: 'BACKUP_KEY_FILE=/nowhere\nBACKUP_FILES="/tmp /nowhere/postgresql"\n' });
  const { status, stdout, stderr } = run("base");
  expect([status, stdout, stderr]).toEqual([1, "", "base: /nowhere/postgresql of BACKUP_FILES does not exist\n"]);
  expect(existsSync(join(place, "base"))).toBe(false);
});

test("a restore leaves out a segment that is only on its way", () => {
  const key = join(mkdtempSync(join(tmpdir(), "chekan-key-")), "key");
  writeFileSync(key, "a secret line\n", { mode: 0o600 });
  const { place, folder, run } = aBackup({
    programs: { pg_verifybackup: "exit 0", openssl: "cat" },
    more: `BACKUP_KEY_FILE=${key}\nBACKUP_PG_USER=${userInfo().username}\n`,
  });
  mkdirSync(join(place, "base/1"), { recursive: true });
  writeFileSync(join(place, "base/1/info"), "START_WAL=000000010000000000000003\nEND_TIME=2026-11-22T03:10:00Z\n");
  const empty = join(folder, "empty");
  mkdirSync(empty);
  writeFileSync(join(empty, "postgresql.auto.conf"), "");
  const pack = 'tar -cz -C "$0" postgresql.auto.conf > "$1/base/1/base.tar.gz"; echo log | gzip > "$1/wal/000000010000000000000003"';
  spawnSync("bash", ["-c", pack, empty, place]);
  writeFileSync(join(place, "wal/000000010000000000000004.tmp"), "a part");
  const { status, stderr } = run("restore", "--into", join(folder, "restored"), "--no-start");
  expect([status, stderr, readdirSync(join(folder, "restored/restored_wal"))]).toEqual([0, "", ["000000010000000000000003"]]);
});

test("a proof fails when base backups have failed for days, though an old one and its log restore everything", () => {
  const { run, place } = aBackup({ more: ofAProof });
  mkdirSync(join(place, "base/1"), { recursive: true });
  const made = (hoursAgo: number): string => {
    const at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString().replace(/\.\d+/, "");
    writeFileSync(join(place, "base/1/info"), `START_WAL=000000010000000000000003\nEND_TIME=${at}\nBYTES=9000000000000000\n`);
    return at;
  };
  const at = made(51);
  expect(run("prove").stderr).toBe(`prove: the newest base backup is from ${at}: does chekan-backup-base fail?\n`);
  made(49);
  expect(run("prove").stderr).toMatch(/^restore: .* MB are needed/); // it goes on to the restore
});

test("a restore without the key is refused in one line, before it writes", () => {
  for (const [more, key] of [
    ["", "of BACKUP_KEY_FILE or BACKUP_AGE_IDENTITY"],
    ["BACKUP_KEY_FILE=/nowhere/key\n", "/nowhere/key"],
    ["BACKUP_AGE_RECIPIENT=age1\nBACKUP_AGE_IDENTITY=/nowhere/age\n", "/nowhere/age"],
  ] as const) {
    const { run, place, folder } = aBackup({ more });
    mkdirSync(join(place, "base/1"), { recursive: true });
    writeFileSync(join(place, "base/1/info"), "START_WAL=000000010000000000000003\nEND_TIME=2026-11-22T03:10:00Z\n");
    const { status, stdout, stderr } = run("restore", "--into", join(folder, "restored"));
    expect([status, stdout, stderr]).toEqual([1, "", `restore: the key ${key} is not here: without it no copy can be read\n`]);
    expect(readdirSync(join(folder, "restored"))).toEqual([]);
  }
});

test("a restore makes a whole path of its folder, which the server's settings need", () => {
  const { place, folder, env } = aBackup();
  mkdirSync(join(place, "base/1"), { recursive: true });
  const info = "START_WAL=000000010000000000000003\nEND_TIME=2026-11-22T03:10:00Z\nBYTES=9000000000000000\n";
  writeFileSync(join(place, "base/1/info"), info);
  const { stderr } = spawnSync(join(scripts, "restore"), ["--into", "here"], { cwd: folder, env, encoding: "utf8" });
  expect(stderr).toContain(`restore: ${realpathSync(folder)}/here has `);
});

test.skipIf(platform() !== "linux")("a proof removes what one before it left that lost its power, and stops no other process", () => {
  const scratch = mkdtempSync(join(tmpdir(), "chekan-scratch-"));
  const { run, bin } = aBackup({
    programs: { pg_ctl: `echo "$*" >> "$(dirname "$0")/stopped"` },
    more: `${ofAProof}BACKUP_SCRATCH=${scratch}\nBACKUP_PG_USER=${userInfo().username}\n`,
  });
  const left = (name: string): string => join(scratch, name, "data");
  for (const name of ["chekan-proof-lost", "chekan-proof-running", "other"]) mkdirSync(left(name), { recursive: true });
  const server = spawn("sleep", ["60"], { cwd: left("chekan-proof-running") });
  try {
    // After a restart of the machine the number belongs to another process.
    writeFileSync(join(left("chekan-proof-lost"), "postmaster.pid"), `${process.pid}\n`);
    writeFileSync(join(left("chekan-proof-running"), "postmaster.pid"), `${server.pid}\n`);
    expect(run("prove").stderr).toContain("no finished base backup");
  } finally {
    server.kill();
  }
  expect(readdirSync(scratch)).toEqual(["other"]);
  expect(readFileSync(join(bin, "stopped"), "utf8")).toBe(`stop -D ${left("chekan-proof-running")} -m immediate -s\n`);
});

test.skipIf(platform() !== "linux")("a second proof at the same time is refused, and leaves the first one its folder", () => {
  const scratch = mkdtempSync(join(tmpdir(), "chekan-scratch-"));
  const { spool, env } = aBackup({ more: `${ofAProof}BACKUP_SCRATCH=${scratch}\n` });
  mkdirSync(join(scratch, "chekan-proof-now"));
  mkdirSync(spool);
  const { status, stderr } = spawnSync("flock", [join(spool, ".proof.lock"), join(scripts, "prove")], { env, encoding: "utf8" });
  expect([status, stderr, readdirSync(scratch)]).toEqual([1, "prove: another proof is running\n", ["chekan-proof-now"]]);
});

/** The program of the container with these scripts in place of the others; each may write into `calls`. */
function aContainer(programs: Record<string, string>) {
  const { env, folder } = aBackup({ more: "BACKUP_SHIP_SECONDS=0.2\n" });
  const at = join(folder, "scripts");
  mkdirSync(at);
  for (const name of ["container", "lib.sh", "chekan-backup-base.timer", "chekan-backup-prove.timer"])
    copyFileSync(join(scripts, name), join(at, name));
  for (const [name, text] of Object.entries(programs))
    writeFileSync(join(at, name), `#!/bin/bash\ncalls="$(dirname "$0")/calls"\n${text}\n`, { mode: 0o755 });
  const calls = join(at, "calls");
  return { program: join(at, "container"), env, calls: () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []) };
}

test("a container receives the log, makes a base backup and then a proof at once, and ends in order", async () => {
  const { program, env, calls } = aContainer({
    wal: `trap 'echo "the log ended" >> "$calls"; exit 0' TERM
      echo "the log" >> "$calls"; touch "$BACKUP_SPOOL/000000010000000000000001.partial"
      while :; do sleep 0.1; done`,
    base: 'echo base >> "$calls"',
    prove: 'echo prove >> "$calls"',
  });
  const child = spawn(program, { env, stdio: "ignore" });
  await vi.waitFor(() => expect(calls()).toContain("prove"), { timeout: 20_000, interval: 100 });
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
  expect(calls()).toEqual(["the log", "base", "prove", "the log ended"]);
}, 30_000);

test("a container whose log is no longer received ends with a fault, so that it is started again", () => {
  const { program, env, calls } = aContainer({ wal: "exit 1", base: 'echo base >> "$calls"', prove: 'echo prove >> "$calls"' });
  const { status, stderr } = spawnSync(program, { env, encoding: "utf8" });
  expect([status, stderr, calls()]).toEqual([1, "container: the log is no longer received\n", []]);
});
