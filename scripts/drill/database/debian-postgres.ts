import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, isAlive, type OwnServer } from "#tests/postgres.ts";
import { fromPackage } from "../machines/debian.ts";
import { skip } from "../stage/run.ts";

const versions = "/usr/lib/postgresql";

/** The programs of the newest PostgreSQL of this machine with `pg_basebackup`; null: there is none. */
const binFolder = (): string | null =>
  (existsSync(versions) ? readdirSync(versions) : [])
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(versions, version, "bin"))
    .find((bin) => existsSync(join(bin, "pg_basebackup"))) ?? null;

/** The folder of the programs of Debian's package `postgresql`. Where it neither is nor may be installed, the test ends as skipped. */
export const needDebianPostgres = (): string =>
  fromPackage("postgresql", binFolder) ?? skip("Debian's package postgresql is missing and cannot be installed here");

/** The user of the server: as root PostgreSQL does not run. */
export const asPostgres = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
};

/** The process of a running server. */
export const pidOf = (dataFolder: string): number => Number(readFileSync(join(dataFolder, "postmaster.pid"), "utf8").split("\n", 1)[0]);

/** A server of Debian's PostgreSQL, whose base backup and log can be received. */
export async function startDebianPostgres(bin: string): Promise<OwnServer> {
  const user = asPostgres();
  const run = (program: string, args: string[]): void =>
    void execFileSync(join(bin, program), args, { stdio: ["ignore", "ignore", "pipe"], ...user });
  const folder = mkdtempSync(join(tmpdir(), "chekan-debian-pg-"));
  chmodSync(folder, 0o755);
  const dataFolder = join(folder, "server", "data");
  mkdirSync(join(folder, "server"));
  const password = join(folder, "password");
  writeFileSync(password, "postgres\n", { mode: 0o644 });
  if (user.uid !== undefined && user.gid !== undefined) chownSync(join(folder, "server"), user.uid, user.gid);
  run("initdb", ["-D", dataFolder, "-U", "postgres", "-A", "scram-sha-256", "--pwfile", password, "--encoding=UTF8", "--locale=C"]);
  const port = await freePort();
  const options = [
    `-p ${port}`,
    "-c listen_addresses=127.0.0.1",
    `-c unix_socket_directories=${join(folder, "server")}`,
    "-c max_connections=200",
  ];
  const start = () => run("pg_ctl", ["-D", dataFolder, "-s", "-w", "-l", join(folder, "server", "log"), "-o", options.join(" "), "start"]);
  start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    dataFolder,
    async halt(mode) {
      const pid = pidOf(dataFolder);
      process.kill(pid, mode === "fast" ? "SIGINT" : "SIGQUIT");
      while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    async resume() {
      start();
    },
    async stop() {
      // A server that was killed leaves its file.
      if (existsSync(join(dataFolder, "postmaster.pid")) && isAlive(pidOf(dataFolder)))
        run("pg_ctl", ["-D", dataFolder, "-s", "-m", "immediate", "stop"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
