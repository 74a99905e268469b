/**
 * Trial of the three places of a backup: a folder, a machine over ssh (Debian's `openssh-server` on loopback) and S3-compatible storage
 * (Debian's `rclone`, storage in memory). Each gets three base backups and the log of a database that is written to; the newest state is
 * restored, the proof is made, and the oldest backup is removed. A place whose programs are missing is skipped and named. No load and no
 * shop: `npm run drill:restore` has both. Needs Debian's PostgreSQL; takes about a minute, so there is no short form.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort, type OwnServer } from "#tests/postgres.ts";
import { findProgram } from "./drill/debian.ts";
import { needDebianPostgres, startDebianPostgres } from "./drill/debian-postgres.ts";
import { drill, leaveOut, pause, say } from "./drill/run.ts";
import { startS3Storage } from "./drill/s3-storage.ts";

const scripts = join(import.meta.dirname, "../deploy/backup");
const shipSeconds = 2;
const longestShipMs = 60_000;

const bin = needDebianPostgres();

/** Where copies go: the value of BACKUP_TO, further settings, and what is there with the times at which it arrived. */
type Place = { to: string; settings: Record<string, string>; files(): Map<string, number>; close(): Promise<void> };

const folder = mkdtempSync(join(tmpdir(), "chekan-backup-places-"));
chmodSync(folder, 0o755); // the restored server runs as another user
const filesIn = (at: string): Map<string, number> =>
  new Map(
    (existsSync(at) ? (readdirSync(at, { recursive: true }) as string[]) : []).flatMap((name) => {
      const found = statSync(join(at, name), { throwIfNoEntry: false });
      return found?.isFile() ? [[name, found.mtimeMs] as const] : [];
    }),
  );

async function inFolder(): Promise<Place> {
  const at = join(folder, "place");
  return { to: at, settings: {}, files: () => filesIn(at), close: async () => {} };
}

/** A server of ssh on loopback with keys of its own. */
async function overSsh(): Promise<Place | null> {
  const sshd = findProgram("sshd", "openssh-server");
  if (sshd === null || findProgram("ssh", "openssh-client") === null) return null;
  const at = join(folder, "ssh");
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

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Backups of `server` to one place and back. Returns what is wrong. */
async function tryPlace(name: string, place: Place, server: OwnServer): Promise<string[]> {
  const wrong: string[] = [];
  const at = join(folder, name);
  mkdirSync(join(at, "data"), { recursive: true });
  writeFileSync(join(at, "data", "secret"), "kept");
  writeFileSync(join(at, "key"), randomBytes(40).toString("base64"));
  const settings: Record<string, string> = {
    BACKUP_TO: place.to,
    BACKUP_DATABASE: server.url,
    DATABASE_URL: server.url,
    BACKUP_FILES: join(at, "data"),
    BACKUP_KEY_FILE: join(at, "key"),
    BACKUP_KEEP_DAYS: "30",
    BACKUP_SPOOL: join(at, "spool"),
    BACKUP_SLOT: `drill_${name}`,
    BACKUP_SHIP_SECONDS: String(shipSeconds),
    BACKUP_LEDGER_CHECK: "true",
    BACKUP_PROOF_PORT: String(await freePort()),
    PG_BIN: bin ?? "",
    ...place.settings,
  };
  const write = (values: Record<string, string>): void =>
    writeFileSync(
      join(at, "backup.env"),
      Object.entries(values)
        .map(([key, value]) => `${key}="${value}"\n`)
        .join(""),
    );
  write(settings);
  const env = { ...process.env, BACKUP_ENV: join(at, "backup.env") };
  delete (env as NodeJS.ProcessEnv).AWS_CA_BUNDLE; // rclone 1.60 does not start with it
  const run = (script: string, ...args: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      execFile(join(scripts, script), args, { env, maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) =>
        error ? reject(new Error(`${script}: ${stderr || stdout || error.message}`)) : resolve(stdout),
      );
    });
  const mark = (text: string): Promise<unknown> =>
    onServer(server.url, (client) => client.query("insert into marks values ($1, now())", [text]));

  const wal = spawn(join(scripts, "wal"), [], { env, stdio: ["ignore", "ignore", "inherit"], detached: true });
  const ended = new Promise((resolve) => wal.once("exit", resolve));
  try {
    for (let n = 1; n <= 3; n += 1) {
      if (n > 1) await pause(1_100); // a backup is named by its second
      await run("base");
      await mark(`${name} after ${n}`);
    }
    await onServer(server.url, (client) => client.query("select pg_switch_wal()"));
    // The unfinished segment is sent again and again, one after the other: what arrives second was read after the change.
    await mark(`${name} last`);
    await arrives(place, Date.now());
    await mark("one more");
    await arrives(place, Date.now());

    const port = await freePort();
    const data = join(at, "restored");
    await run("restore", "--into", data, "--port", String(port), "--files-into", join(at, "files"));
    const url = new URL(server.url);
    url.port = String(port);
    const marks = await onServer(url.href, async (client) => (await client.query<{ text: string }>("select text from marks")).rows);
    const found = marks.map(({ text }) => text).filter((text) => text.startsWith(`${name} `));
    if (found.length !== 4) wrong.push(`${name}: of 4 changes ${found.length} are in the copy`);
    if (!existsSync(join(at, "files", at, "data/secret"))) wrong.push(`${name}: the files are not in the copy`);
    process.kill(Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n", 1)[0]), "SIGQUIT");

    await run("prove");
    const proofs = await onServer(server.url, async (client) => (await client.query("select * from backup_proofs")).rowCount);
    if (proofs === 0) wrong.push(`${name}: no proof was recorded`);
    await onServer(server.url, (client) => client.query("delete from backup_proofs"));

    write({ ...settings, BACKUP_KEEP_DAYS: "0" });
    await run("base");
    const names = [...place.files().keys()];
    const bases = names.filter((each) => /^base\/.*\/info$/.test(each));
    if (bases.length !== 2)
      wrong.push(`${name}: ${bases.length} base backups are left of 4, the newest two should be: ${bases.join(", ")}`);
    const segments = names.filter((each) => each.startsWith("wal/")).length;
    say(`${name}: restored with ${found.length} of 4 changes, proven; ${bases.length} of 4 base backups and ${segments} segments are left`);
  } finally {
    // It sends what is left; the place is closed afterwards.
    process.kill(wal.pid ?? 0, "SIGTERM");
    if (!(await Promise.race([ended.then(() => true), pause(longestShipMs).then(() => false)]))) {
      wrong.push(`${name}: the service of the log does not stop`);
      process.kill(-(wal.pid ?? 0), "SIGKILL");
    }
    await onServer(server.url, (client) =>
      client.query("select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not active", [
        `drill_${name}`,
      ]),
    );
  }
  if ([...place.files().keys()].some((each) => each.endsWith(".tmp"))) wrong.push(`${name}: an unfinished file is left`);
  return wrong;
}

/** Waits until an unfinished segment arrives after `since`. */
async function arrives(place: Place, since: number): Promise<void> {
  const giveUpAt = performance.now() + longestShipMs;
  while (![...place.files()].some(([name, at]) => name.endsWith(".partial") && at > since)) {
    if (performance.now() > giveUpAt) throw new Error("the unfinished segment of the log does not arrive");
    await pause(200);
  }
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
    for (const [name, open, programs] of [
      ["folder", inFolder, ""],
      ["ssh", overSsh, "openssh-server"],
      ["s3", inS3, "rclone"],
    ] as const) {
      const place = await open();
      if (place === null) {
        leaveOut(`${name} is left out: Debian's package ${programs} is missing`);
        continue;
      }
      wrong.push(...(await tryPlace(name, place, server).catch((error: Error) => [`${name}: ${error.message}`])));
      await place.close();
    }
    return wrong;
  },
);
