import { chmodSync, rmSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "#kit/security/secrets.ts";
import type { Log } from "#kit/log.ts";

/** Makes a copy of the embedded database. */
export type Dump = () => Promise<Blob>;

const pathOf = (folder: string): string => join(tmpdir(), `chekan-${sha256(folder).slice(0, 16)}-backup.sock`);

/** Every answer begins with this byte, so that a copy that failed is not taken for an empty one. */
const isCopied = 1;

/**
 * Offers copies of the embedded database in `folder` to commands of this machine and this user: only the process that has the database open
 * can copy it in order. Each connection receives one copy.
 */
export async function serveBackups(folder: string, { dump, log }: { dump: Dump; log: Log }): Promise<{ stop(): Promise<void> }> {
  const path = pathOf(folder);
  rmSync(path, { force: true }); // the caller has locked the folder, so no other process serves it
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy()); // the command was interrupted
    dump().then(
      async (copy) => {
        socket.write(Buffer.of(isCopied));
        socket.end(Buffer.from(await copy.arrayBuffer()));
      },
      (error: unknown) => {
        log.error({ err: error }, "the database cannot be copied");
        socket.destroy();
      },
    );
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve));
  chmodSync(path, 0o600);
  server.unref();
  return { stop: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** A copy of the database that another process has open; null when it offers none. */
export function requestBackup(folder: string): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = createConnection(pathOf(folder));
    socket.on("data", (part) => parts.push(Buffer.from(part)));
    socket.once("error", () => resolve(null));
    socket.once("close", () => {
      const answer = Buffer.concat(parts);
      resolve(answer[0] === isCopied ? answer.subarray(1) : null);
    });
  });
}
