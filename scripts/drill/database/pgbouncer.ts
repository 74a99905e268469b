import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { freePort } from "#tests/postgres.ts";
import { findProgram } from "../machines/debian.ts";
import { asPostgres } from "./debian-postgres.ts";
import { pause } from "../stage/run.ts";

/** Installs Debian's package `pgbouncer` where that is permitted. Returns its version; null: it is not available here. */
export function findPgbouncer(): string | null {
  const program = findProgram("pgbouncer");
  return program === null ? null : (/PgBouncer (\S+)/.exec(execFileSync(program, ["--version"], { encoding: "utf8" }))?.[1] ?? "unknown");
}

export type Pooler = { url: string; stop(): Promise<void> };

/** PgBouncer in transaction mode with its defaults before the database of `url`, with at most `size` connections to it. */
export async function startPgbouncer(url: URL, size: number): Promise<Pooler> {
  const program = findProgram("pgbouncer");
  if (program === null) throw new Error("PgBouncer is not here");
  const user = asPostgres();
  const folder = mkdtempSync(join(tmpdir(), "chekan-pgbouncer-"));
  const port = await freePort();
  writeFileSync(join(folder, "users"), `"${url.username}" "${url.password}"\n`, { mode: 0o644 });
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    [
      "[databases]",
      `* = host=${url.hostname} port=${url.port}`,
      "[pgbouncer]",
      `listen_addr = 127.0.0.1`,
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = scram-sha-256",
      `auth_file = ${join(folder, "users")}`,
      "pool_mode = transaction",
      `default_pool_size = ${size}`,
      "max_client_conn = 1000",
      "",
    ].join("\n"),
    { mode: 0o644 },
  );
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const child = spawn(program, ["-q", join(folder, "pgbouncer.ini")], { stdio: "ignore", ...user });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const pooled = new URL(url);
  pooled.port = String(port);
  for (let tries = 0; !(await answers(pooled.href)); tries += 1) {
    if (tries === 50) throw new Error("PgBouncer does not answer");
    await pause(100);
  }
  return {
    url: pooled.href,
    async stop() {
      child.kill("SIGTERM");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether the pooler accepts connections. Its own console answers, so that it opens none to the database yet. */
async function answers(url: string): Promise<boolean> {
  const { hostname, port, username, password } = new URL(url);
  const client = new Client({ host: hostname, port: Number(port), user: username, password, database: "pgbouncer" });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    return /not allowed/.test((error as Error).message); // it answers, to administrators only
  } finally {
    await client.end().catch(() => {});
  }
}
