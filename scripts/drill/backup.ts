/**
 * Trial of the three places of a backup: a folder, a machine over ssh (Debian's `openssh-server` on loopback) and S3-compatible storage
 * (Debian's `rclone`, storage in memory). Each gets three base backups and the log of a database that is written to; the newest state is
 * restored, the proof is made, and the oldest backup is removed. Then their faults: a place that is full, or away until the log is lost, an
 * upload that is killed, and damaged copies. What a machine lacks is skipped and named. No load and no shop: `npm run drill:restore` has
 * both. Needs Debian's PostgreSQL; takes a few minutes, so there is no short form.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { freePort, type OwnServer } from "#tests/postgres.ts";
import {
  backupTo,
  filesIn,
  inFolder,
  onServer,
  scripts,
  until,
  type Backup,
  type LogService,
  type Place,
} from "./machines/backup-scripts.ts";
import { findProgram } from "./machines/debian.ts";
import { needDebianPostgres, startDebianPostgres } from "./database/debian-postgres.ts";
import { drill, leaveOut, pause, say } from "./stage/run.ts";
import { startS3Storage } from "./machines/s3-storage.ts";
import { mountSmallDisk } from "./database/small-disk.ts";

const bin = needDebianPostgres();

const folder = mkdtempSync(join(tmpdir(), "chekan-backup-places-"));
chmodSync(folder, 0o755); // the restored server runs as another user

/** A server of ssh on loopback with keys of its own; copies go to `ssh/place` in the folder of the drill. */
async function overSsh(): Promise<Place | null> {
  const sshd = findProgram("sshd", "openssh-server");
  if (sshd === null || findProgram("ssh", "openssh-client") === null) return null;
  const at = join(folder, "sshd");
  mkdirSync(join(at, "place"), { recursive: true });
  for (const name of ["host", "user"])
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(at, name)], { stdio: "ignore" });
  const port = await freePort();
  const known = `[127.0.0.1]:${port} ${readFileSync(join(at, "host.pub"), "utf8")}`;
  writeFileSync(join(at, "known_hosts"), known);
  writeFileSync(
    join(at, "sshd.conf"),
    [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${join(at, "host")}`,
      `AuthorizedKeysFile ${join(at, "user.pub")}`,
      "PasswordAuthentication no",
      "StrictModes no",
      "UsePAM no",
      "PermitRootLogin prohibit-password",
      "PidFile none",
      "",
    ].join("\n"),
  );
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
  const server = spawn(sshd, ["-D", "-e", "-f", join(at, "sshd.conf")], { stdio: "ignore" });
  return {
    to: `ssh://${userInfo().username}@127.0.0.1:${port}${join(at, "place")}`,
    settings: { BACKUP_SSH_OPTIONS: `-i ${join(at, "user")} -o IdentitiesOnly=yes -o UserKnownHostsFile=${join(at, "known_hosts")}` },
    files: () => filesIn(join(at, "place")),
    close: () => endOf(server),
  };
}

async function inS3(): Promise<Place | null> {
  if (findProgram("rclone") === null) return null;
  const storage = await startS3Storage();
  return {
    to: "rclone:drill:copies/chekan",
    settings: {
      RCLONE_CONFIG_DRILL_TYPE: "s3",
      RCLONE_CONFIG_DRILL_PROVIDER: "Other",
      RCLONE_CONFIG_DRILL_ENDPOINT: storage.url,
      RCLONE_CONFIG_DRILL_ACCESS_KEY_ID: "drill",
      RCLONE_CONFIG_DRILL_SECRET_ACCESS_KEY: "drill",
    },
    files: () => new Map([...storage.files()].map(([name, at]) => [name.replace(/^chekan\//, ""), at])),
    close: storage.close,
  };
}

function endOf(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  return gone;
}

/** Plays with the service of the log running, and stops it. */
async function withLog(backup: Backup, isLoud: boolean, play: (log: LogService) => Promise<string[]>): Promise<string[]> {
  const log = backup.startLog({ isLoud });
  const wrong: string[] = [];
  try {
    wrong.push(...(await play(log)));
  } finally {
    wrong.push(...(await log.stop()));
  }
  return wrong;
}

const switchLog = (server: OwnServer): Promise<unknown> => onServer(server.url, (client) => client.query("select pg_switch_wal()"));
const isRefused = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: Error) => error.message,
  );

/** Backups of `server` to one place and back. Returns what is wrong. */
async function tryPlace(name: string, place: Place, server: OwnServer): Promise<string[]> {
  const backup = await backupTo({ folder, name, place, server, bin });
  const wrong = await withLog(backup, true, async () => {
    const faults: string[] = [];
    for (let n = 1; n <= 3; n += 1) {
      if (n > 1) await pause(1_100); // a backup is named by its second
      await backup.run("base");
      // A proof may follow at once, because the log up to its end has arrived.
      if (n === 1) await backup.restore("restored-at-once");
      await backup.mark(`after ${n}`);
    }
    await switchLog(server);
    await backup.mark("last");
    await backup.arrives();

    const { marks } = await backup.restore("restored", "--files-into", join(backup.at, "files"));
    if (marks.length !== 4) faults.push(`${name}: of 4 changes ${marks.length} are in the copy`);
    if (!existsSync(join(backup.at, "files", backup.at, "data/secret"))) faults.push(`${name}: the files are not in the copy`);

    await backup.run("prove");
    const proofs = await onServer(server.url, async (client) => (await client.query("select * from backup_proofs")).rowCount);
    if (proofs === 0) faults.push(`${name}: no proof was recorded`);
    await onServer(server.url, (client) => client.query("delete from backup_proofs"));

    backup.set({ BACKUP_KEEP_DAYS: "0" });
    await backup.run("base");
    const names = [...place.files().keys()];
    const bases = names.filter((each) => /^base\/.*\/info$/.test(each));
    if (bases.length !== 2)
      faults.push(`${name}: ${bases.length} base backups are left of 4, the newest two should be: ${bases.join(", ")}`);
    const segments = names.filter((each) => each.startsWith("wal/")).length;
    say(`${name}: restored with ${marks.length} of 4 changes, proven; ${bases.length} of 4 base backups and ${segments} segments are left`);
    return faults;
  });
  if ([...place.files().keys()].some((each) => each.endsWith(".tmp"))) wrong.push(`${name}: an unfinished file is left`);
  return wrong;
}

/** An upload over ssh that is killed half-way leaves the copy that was there. */
async function tryKilledUpload(place: Place, server: OwnServer): Promise<string[]> {
  const { env } = await backupTo({ folder, name: "killed", place, server, bin });
  const at = join(folder, "sshd", "place", "wal", "upload");
  const upload = () =>
    spawn("bash", ["-c", '. "$0"; put wal/upload', join(scripts, "lib.sh")], {
      env,
      stdio: ["pipe", "inherit", "inherit"],
      detached: true,
    });
  const good = randomBytes(1024 ** 2);
  const first = upload();
  first.stdin.end(good);
  await until("an upload arrives", () => first.exitCode !== null);
  if (!readFileSync(at).equals(good)) return ["ssh: what arrived is not what was sent"];

  const killed = upload();
  killed.stdin.on("error", () => {}); // it breaks, as intended
  killed.stdin.write(randomBytes(300_000));
  await until("a part of the upload arrives", () => (statSync(`${at}.tmp`, { throwIfNoEntry: false })?.size ?? 0) > 0);
  process.kill(-(killed.pid ?? 0), "SIGKILL");
  await until("the other side has noticed it", () => !isRunning("upload.tmp"));
  const isKept = readFileSync(at).equals(good);
  for (const each of [at, `${at}.tmp`]) rmSync(each, { force: true });
  say(`ssh: an upload was killed, the copy before it is ${isKept ? "as it was" : "gone"}`);
  return isKept ? [] : ["ssh: an upload that was killed has replaced the good copy"];
}

/** Whether a process has this in its command line. */
const isRunning = (words: string): boolean =>
  readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(words);
    } catch {
      return false; // it has ended
    }
  });

/** A place that is full, and free again: nothing there is damaged, and nothing is lost. Then the damaged copies. */
async function tryFullPlace(server: OwnServer): Promise<string[]> {
  const disk = mountSmallDisk(64);
  if (disk === null) {
    say("full: skipped, no file system may be mounted here");
    return [];
  }
  const to = join(disk.folder, "to");
  const place = inFolder(to);
  const backup = await backupTo({ folder, name: "full", place, server, bin });
  const fails = async (log: LogService): Promise<void> => {
    const before = log.said("sending failed");
    await until("sending fails twice", () => log.said("sending failed") > before + 1);
  };
  let moment = "";
  try {
    const wrong = await withLog(backup, false, async (log) => {
      const faults: string[] = [];
      await backup.run("base");
      await backup.mark("before");
      await backup.arrives();
      moment = new Date().toISOString();

      disk.fill();
      await backup.mark("while full");
      // More than a pipe holds, and it cannot be compressed.
      await onServer(server.url, (client) =>
        client.query("select pg_logical_emit_message(false, 'drill', $1::text)", [hex(2 * 1024 ** 2)]),
      );
      await fails(log);
      await switchLog(server);
      await fails(log);
      if ((await isRefused(backup.run("base"))) === null) faults.push("full: a base backup says that it is complete");
      const { marks } = await backup.restore("restored-full");
      if (marks.join() !== "before") faults.push(`full: the copy has ${marks.join(", ") || "nothing"}, «before» is expected`);
      disk.free();

      await backup.mark("after");
      await switchLog(server);
      await backup.arrives();
      const later = await backup.restore("restored-free");
      if (later.marks.join() !== "before,while full,after") faults.push(`full, then free: the copy has ${later.marks.join(", ")}`);
      say(`full: restored with «${marks.join()}», and with «${later.marks.join(", ")}» after it was freed`);

      // Without a key nothing can be encrypted, and nothing empty may arrive.
      renameSync(join(backup.at, "key"), join(backup.at, "key.away"));
      await backup.mark("without a key");
      await fails(log);
      const empty = [...place.files().keys()].filter((name) => statSync(join(to, name)).size === 0);
      if (empty.length > 0) faults.push(`without a key: empty copies: ${empty.join(", ")}`);
      renameSync(join(backup.at, "key.away"), join(backup.at, "key"));
      return faults;
    });
    if ([...place.files().keys()].some((each) => each.endsWith(".tmp"))) wrong.push("full: an unfinished file is left");
    return [...wrong, ...(await tryDamagedCopies(backup, to, moment))];
  } finally {
    disk.unmount();
  }
}
const hex = (bytes: number): string => randomBytes(bytes / 2).toString("hex");

/** What a proof and a restore say of the copies in `to` when some are damaged. `moment`: with the change «before» and no other. */
async function tryDamagedCopies(backup: Backup, to: string, moment: string): Promise<string[]> {
  const wrong: string[] = [];
  const cutInHalf = (path: string): void => truncateSync(path, Math.floor(statSync(path).size / 2));
  const lineOf = (message: string | null): string => message?.trim().split("\n").at(-1) ?? "nothing";

  backup.set({ BACKUP_RESERVE_MB: "1000000000" });
  const narrow = await isRefused(backup.run("prove"));
  if (!/^prove: restore: .* MB free, \d+ MB are needed/.test(narrow ?? "") || (narrow ?? "").trim().includes("\n"))
    wrong.push(`a proof without room says: ${narrow}`);
  backup.set({});

  const files = [...filesIn(to).keys()].filter((name) => name.endsWith("files.tar.gz")).toSorted();
  const archive = join(to, files.at(-1) ?? "");
  const whole = readFileSync(archive);
  cutInHalf(archive);
  const unread = await isRefused(backup.run("prove"));
  if (!unread?.includes("files.tar.gz")) wrong.push(`a proof with damaged files says: ${lineOf(unread)}`);
  writeFileSync(archive, whole);
  if (readdirSync(join(backup.at, "scratch")).length > 0) wrong.push("a proof that failed leaves its scratch folder");

  const log = readdirSync(join(to, "wal")).toSorted();
  const newest = log.at(-1) ?? "";
  if (!newest.endsWith(".partial")) return [...wrong, `the newest segment is finished: ${newest}`];
  cutInHalf(join(to, "wal", newest));
  const { marks, output } = await backup.restore("restored-partial");
  if (!marks.includes("after") || !output.includes(`WARNING: wal/${newest}`)) wrong.push(`a damaged newest segment: ${output}`);

  const finished = log.findLast((name) => /^[0-9A-F]{24}$/.test(name)) ?? "";
  cutInHalf(join(to, "wal", finished));
  const refused = await isRefused(backup.restore("restored-gap"));
  if (!refused?.includes(`wal/${finished} is damaged`)) wrong.push(`a damaged segment: ${lineOf(refused)}`);
  const earlier = await backup.restore("restored-moment", "--to-time", moment);
  if (earlier.marks.join() !== "before") wrong.push(`a moment before a damaged segment: ${earlier.marks.join(", ")}`);
  say(`damaged copies: ${lineOf(narrow)}; ${lineOf(unread)}; ${lineOf(refused)}; «${earlier.marks.join()}» restored before it`);
  return wrong;
}

/**
 * A place that is away: the spool stops growing, and sending continues when the place is back. If PostgreSQL dropped the log meanwhile,
 * copies start anew.
 */
async function tryAwayPlace(server: OwnServer): Promise<string[]> {
  const to = join(folder, "away-place");
  const place = inFolder(to);
  const backup = await backupTo({ folder, name: "away", place, server, bin, settings: { BACKUP_SPOOL_MB: "64" } });
  const leave = (): void => {
    renameSync(to, `${to}.away`);
    writeFileSync(to, "");
  };
  const comeBack = (): void => {
    rmSync(to);
    renameSync(`${to}.away`, to);
  };
  const slot = async (column: "active" | "wal_status"): Promise<unknown> =>
    onServer(server.url, async (client) => {
      const { rows } = await client.query(`select ${column} as found from pg_replication_slots where slot_name = 'drill_away'`);
      return (rows[0] as { found: unknown } | undefined)?.found;
    });
  const segments = (): number => readdirSync(join(backup.at, "spool")).filter((name) => /^[0-9A-F]{24}/.test(name)).length;
  const writeSegments = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      await onServer(server.url, (client) => client.query("insert into marks values ('a segment', now())"));
      await switchLog(server);
    }
  };
  const writeUntilFull = async (log: LogService): Promise<void> => {
    const before = log.said("nothing is received");
    await until("the service stops to receive", async () => {
      await writeSegments(1);
      return log.said("nothing is received") > before && (await slot("active")) === false;
    });
  };
  const bases = (): number => [...place.files().keys()].filter((each) => /^base\/.*\/info$/.test(each)).length;
  const alter = (statement: string): Promise<unknown> =>
    onServer(server.url, async (client) => {
      await client.query(statement);
      await client.query("select pg_reload_conf()");
    });

  return withLog(backup, false, async (log) => {
    const faults: string[] = [];
    await backup.run("base");
    await backup.mark("before");
    await backup.arrives();

    leave();
    await writeUntilFull(log);
    const most = segments();
    await writeSegments(10);
    if (segments() > most) faults.push(`away: the spool grew from ${most} to ${segments()} segments above its limit`);
    comeBack();
    await backup.mark("back");
    await until("the log is received again", async () => (await slot("active")) === true);
    await backup.arrives();
    const { marks } = await backup.restore("restored-back");
    if (marks.join() !== "before,back") faults.push(`away, then back: the copy has ${marks.join(", ")}`);
    say(`away: ${most} segments waited, 10 stayed in PostgreSQL; restored with «${marks.join(", ")}»`);

    await alter("alter system set max_slot_wal_keep_size = '32MB'");
    try {
      leave();
      await writeUntilFull(log);
      await until("the slot is lost", async () => {
        await writeSegments(4);
        await onServer(server.url, (client) => client.query("checkpoint"));
        return (await slot("wal_status")) === "lost";
      });
    } finally {
      await alter("alter system reset max_slot_wal_keep_size");
      comeBack();
    }
    const before = bases();
    await until("a base backup is made by itself", () => bases() > before);
    await backup.mark("anew");
    await backup.arrives();
    const anew = await backup.restore("restored-anew");
    if (!anew.marks.includes("anew")) faults.push(`a lost slot: the copy has ${anew.marks.join(", ")}`);
    say(`away until the slot was lost: ${bases() - before} base backup by itself; restored with «${anew.marks.join(", ")}»`);
    return faults;
  });
}

await drill(
  async () => {
    const server = await startDebianPostgres(bin);
    await onServer(server.url, async (client) => {
      await client.query("create table marks (text text, at timestamptz)");
      await client.query("create table backup_proofs (proved_at timestamptz, restored_to timestamptz, seconds integer)");
    });
    return {
      server,
      async close() {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
  async ({ server }) => {
    const wrong: string[] = [];
    const tried = async (name: string, round: Promise<string[]>): Promise<void> =>
      void wrong.push(...(await round.catch((error: Error) => [`${name}: ${error.message}`])));
    for (const [name, open, programs] of [
      ["folder", async () => inFolder(join(folder, "place")), ""],
      ["ssh", overSsh, "openssh-server"],
      ["s3", inS3, "rclone"],
    ] as const) {
      const place = await open();
      if (place === null) {
        leaveOut(`${name} is left out: Debian's package ${programs} is missing`);
        continue;
      }
      await tried(name, tryPlace(name, place, server));
      if (name === "ssh") await tried("killed", tryKilledUpload(place, server));
      await place.close();
    }
    await tried("full", tryFullPlace(server));
    await tried("away", tryAwayPlace(server));
    return wrong;
  },
);
