import { existsSync, unlinkSync } from "node:fs";
import { createConnection, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "#kit/security/secrets.ts";

/**
 * Locks `folder` for this process: PGlite has no lock, and two processes would corrupt the data. A Unix socket is the lock, because the
 * kernel releases it however the process ends. Its path is short (a hash), since the system allows about 100 bytes. Returns null when
 * another process has the lock.
 */
export async function lockFolder(folder: string): Promise<{ release(): Promise<void> } | null> {
  const path = join(tmpdir(), `chekan-${sha256(folder).slice(0, 16)}.sock`);
  const server = (await listen(path)) ?? ((await isAlive(path)) ? null : await takeOver(path));
  if (!server) return null;
  server.unref();
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function listen(path: string): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.end());
    server.once("error", () => resolve(null));
    server.listen(path, () => resolve(server));
  });
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** Replaces the socket of a process that has ended. */
function takeOver(path: string): Promise<Server | null> {
  if (existsSync(path)) unlinkSync(path);
  return listen(path);
}
