import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { freePort, type OwnServer } from "#tests/postgres.ts";
import { pause } from "../stage/run.ts";

export const scripts = join(import.meta.dirname, "../../../deploy/backup");
const shipSeconds = 2;
const maxWaitMs = 60_000;

/** Where copies go: the value of BACKUP_TO, further settings, and what is there with the times at which it arrived. */
export type Place = { to: string; settings: Record<string, string>; files(): Map<string, number>; close(): Promise<void> };

/** The files below a folder, by path, with the time of their last change in milliseconds; empty when there is no folder. */
export const filesIn = (at: string): Map<string, number> =>
  new Map(
    (existsSync(at) ? (readdirSync(at, { recursive: true }) as string[]) : []).flatMap((name) => {
      const found = statSync(join(at, name), { throwIfNoEntry: false });
      return found?.isFile() ? [[name, found.mtimeMs] as const] : [];
    }),
  );

/** A folder of this machine as the place of copies. */
export const inFolder = (at: string): Place => ({ to: at, settings: {}, files: () => filesIn(at), close: async () => {} });

/** Polls until `isSo`; throws after a minute. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + maxWaitMs;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`not within ${maxWaitMs / 1000} s: ${what}`);
    await pause(200);
  }
}

/** Runs `work` with a connection of its own to the server at `url`. */
export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The service of the log. */
export type LogService = {
  /** How often it said a line with these words. */
  said(words: string): number;
  /** Returns what is wrong. */
  stop(): Promise<string[]>;
};

/** The scripts with settings, a key, a spool and a slot of their own, for copies of `server` to one place. */
export async function backupTo({
  folder,
  name,
  place,
  server,
  bin,
  settings: more = {},
}: {
  folder: string;
  name: string;
  place: Place;
  server: OwnServer;
  bin: string;
  settings?: Record<string, string>;
}) {
  const at = join(folder, name);
  mkdirSync(join(at, "data"), { recursive: true });
  mkdirSync(join(at, "scratch"));
  writeFileSync(join(at, "data", "secret"), "kept");
  writeFileSync(join(at, "key"), randomBytes(40).toString("base64"), { mode: 0o600 });
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
    BACKUP_SCRATCH: join(at, "scratch"),
    BACKUP_PROOF_PORT: String(await freePort()),
    // A machine of the drills need not have room for a busy shop.
    BACKUP_RESERVE_MB: "200",
    PG_BIN: bin,
    ...place.settings,
    ...more,
  };
  /** Writes the settings again, changed in these. A service that runs has read them at its start. */
  const set = (changed: Record<string, string>): void =>
    writeFileSync(
      join(at, "backup.env"),
      Object.entries({ ...settings, ...changed })
        .map(([key, value]) => `${key}="${value}"\n`)
        .join(""),
    );
  set({});
  const env: NodeJS.ProcessEnv = { ...process.env, BACKUP_ENV: join(at, "backup.env") };
  delete env.AWS_CA_BUNDLE; // rclone 1.60 does not start with it
  const run = (script: string, ...args: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      execFile(join(scripts, script), args, { env, maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) =>
        error ? reject(new Error(`${script}: ${stderr || stdout || error.message}`)) : resolve(stdout),
      );
    });
  return {
    at,
    env,
    set,
    run,
    mark: (text: string): Promise<unknown> =>
      onServer(server.url, (client) => client.query("insert into marks values ($1, now())", [`${name} ${text}`])),
    /** Waits until the unfinished segment arrives with all that was written before the call. */
    async arrives(): Promise<void> {
      // It is sent again and again, one after the other: what arrives second was read after the call.
      for (const text of ["arrives", "arrives again"]) {
        const since = Date.now();
        await this.mark(text);
        await until("the unfinished segment of the log arrives", () =>
          [...place.files()].some(([file, time]) => file.endsWith(".partial") && time > since),
        );
      }
    },
    /** Restores into the folder `into`; returns the marks there, without those of `arrives`, and what the script printed. */
    async restore(into: string, ...args: string[]): Promise<{ marks: string[]; output: string }> {
      const port = await freePort();
      const data = join(at, into);
      const output = await run("restore", "--into", data, "--port", String(port), ...args);
      const url = new URL(server.url);
      url.port = String(port);
      const { rows } = await onServer(url.href, (client) => client.query<{ text: string }>("select text from marks"));
      process.kill(Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n", 1)[0]), "SIGQUIT");
      const marks = rows
        .map(({ text }) => text)
        .filter((text) => text.startsWith(`${name} `) && !text.includes(" arrives"))
        .map((text) => text.slice(name.length + 1));
      return { marks, output };
    },
    /** `isLoud`: its faults are printed. */
    startLog({ isLoud }: { isLoud: boolean }): LogService {
      const service = spawn(join(scripts, "wal"), [], { env, stdio: ["ignore", "pipe", isLoud ? "inherit" : "ignore"], detached: true });
      const ended = new Promise((resolve) => service.once("exit", resolve));
      let output = "";
      service.stdout?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
      return {
        said: (words) => output.split(words).length - 1,
        async stop() {
          const wrong: string[] = [];
          // It sends what is left; the place is closed afterwards.
          if (service.exitCode === null) process.kill(service.pid ?? 0, "SIGTERM");
          if (!(await Promise.race([ended.then(() => true), pause(maxWaitMs).then(() => false)]))) {
            wrong.push(`${name}: the service of the log does not stop`);
            process.kill(-(service.pid ?? 0), "SIGKILL");
          }
          await onServer(server.url, (client) =>
            client.query("select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not active", [
              `drill_${name}`,
            ]),
          );
          return wrong;
        },
      };
    },
  };
}
export type Backup = Awaited<ReturnType<typeof backupTo>>;
