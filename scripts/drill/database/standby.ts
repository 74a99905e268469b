import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { startFaultProxy } from "#tests/fault-proxy.ts";
import { freePort, isAlive, type OwnServer } from "#tests/postgres.ts";
import { asPostgres, pidOf, startDebianPostgres } from "./debian-postgres.ts";
import { pause, say } from "../stage/run.ts";

/** Checks of the primary in a row that must fail before the standby takes over, and the pause between them: as Patroni and HAProxy do. */
const failedChecks = 3;
const checkMs = 1_000;

/** A primary with a synchronous standby behind one read-write address. */
export type Cluster = {
  /** Its `url` is the read-write address. */
  server: OwnServer;
  /** `kill -9` of the primary. Resolves when the standby is promoted and the address leads to it. */
  losePrimary(): Promise<void>;
};

/** Starts both from Debian's programs in `bin`. The promoted standby has no standby of its own, so it does not wait for one. */
export async function startCluster(bin: string): Promise<Cluster> {
  const primary = await startDebianPostgres(bin);
  const { port: primaryPort } = new URL(primary.url);
  const user = asPostgres();
  const folder = mkdtempSync(join(tmpdir(), "chekan-standby-"));
  chmodSync(folder, 0o755);
  const home = join(folder, "server");
  const dataFolder = join(home, "data");
  mkdirSync(home);
  if (user.uid !== undefined && user.gid !== undefined) chownSync(home, user.uid, user.gid);
  const run = (program: string, args: string[]): void =>
    void execFileSync(join(bin, program), args, {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, PGPASSWORD: "postgres" },
      ...user,
    });
  run("pg_basebackup", [
    "--host=127.0.0.1",
    `--port=${primaryPort}`,
    "--username=postgres",
    `--pgdata=${dataFolder}`,
    "--write-recovery-conf",
    "--wal-method=stream",
    "--checkpoint=fast",
    "--create-slot",
    "--slot=standby",
  ]);
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${home} -c max_connections=200`;
  run("pg_ctl", ["-D", dataFolder, "-s", "-w", "-l", join(home, "log"), "-o", options, "start"]);
  await makeSynchronous(primary.url);

  const address = await startFaultProxy({ host: "127.0.0.1", port: Number(primaryPort) });
  const url = new URL(primary.url);
  url.port = String(address.port);
  return {
    server: {
      ...primary,
      url: url.href,
      async stop() {
        await address.close();
        run("pg_ctl", ["-D", dataFolder, "-s", "-m", "immediate", "stop"]);
        await primary.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    },
    async losePrimary() {
      const pid = pidOf(primary.dataFolder);
      process.kill(pid, "SIGKILL");
      for (let failed = 0; failed < failedChecks; await pause(checkMs)) failed = (await answers(primary.url)) ? 0 : failed + 1;
      if (isAlive(pid)) throw new Error("the primary has survived");
      say("the primary does not answer: the standby is promoted");
      run("pg_ctl", ["-D", dataFolder, "-s", "-w", "promote"]);
      address.setTarget({ host: "127.0.0.1", port });
    },
  };
}

/** From here on a commit is acknowledged when the standby has it on its disk. Resolves when the standby has caught up. */
async function makeSynchronous(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("alter system set synchronous_standby_names = '*'");
  await client.query("select pg_reload_conf()");
  for (;;) {
    const { rows } = await client.query<{ sync_state: string }>("select sync_state from pg_stat_replication");
    if (rows[0]?.sync_state === "sync") break;
    await pause(100);
  }
  await client.end();
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 1_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
