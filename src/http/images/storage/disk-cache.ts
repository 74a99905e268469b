import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomId } from "#kit/ids.ts";

/** Another process may write into the same folder; how often this one reads the folder again. */
const rescanMs = 10 * 60_000;
/** A file's time is its last use, to the hour: enough to choose what to delete after a restart. */
const touchMs = 60 * 60_000;

type CachedFile = { size: number; usedAt: number };

/**
 * Files named by the hash of their key, at most `maxBytes` in all: before a write the least recently used are deleted. The folder may be
 * emptied at any time. If the disk is full, the picture is served without being cached.
 */
export function createDiskCache({ folder, maxBytes, now }: { folder: string; maxBytes: number; now: () => Date }) {
  const entries = new Map<string, CachedFile>(); // in the order of use, oldest first
  let total = 0;
  let scannedAt = -Infinity;
  let scanning: Promise<void> | null = null;

  function add(name: string, entry: CachedFile): void {
    drop(name);
    entries.set(name, entry);
    total += entry.size;
  }
  function drop(name: string): void {
    total -= entries.get(name)?.size ?? 0;
    entries.delete(name);
  }

  async function scanFolder(): Promise<void> {
    await mkdir(folder, { recursive: true });
    const found: [string, CachedFile][] = [];
    for (const name of await readdir(folder)) {
      const file = await stat(join(folder, name)).catch(() => null);
      if (!file?.isFile()) continue;
      // An unfinished draft of a process that has ended.
      if (name.endsWith(".draft") && now().getTime() - file.mtimeMs > rescanMs) await rm(join(folder, name), { force: true });
      else if (!entries.has(name)) found.push([name, { size: file.size, usedAt: file.mtimeMs }]);
    }
    found.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    const known = [...entries];
    entries.clear();
    total = 0;
    for (const [name, entry] of [...found, ...known]) add(name, entry);
  }

  async function ready(): Promise<void> {
    if (now().getTime() - scannedAt < rescanMs) return scanning ?? undefined;
    scannedAt = now().getTime();
    scanning = scanFolder()
      .catch(() => {})
      .finally(() => (scanning = null));
    return scanning;
  }

  async function read(name: string): Promise<Buffer | null> {
    const bytes = await readFile(join(folder, name)).catch(() => null);
    if (!bytes) {
      drop(name);
      return null;
    }
    const at = now();
    const before = entries.get(name);
    const isStale = !before || at.getTime() - before.usedAt > touchMs;
    add(name, { size: bytes.length, usedAt: isStale ? at.getTime() : before.usedAt });
    if (isStale) await utimes(join(folder, name), at, at).catch(() => {});
    return bytes;
  }

  async function put(name: string, bytes: Buffer): Promise<void> {
    await ready();
    if (bytes.length > maxBytes) return;
    // counted before the write, so that concurrent writers do not use the same space
    add(name, { size: bytes.length, usedAt: now().getTime() });
    const gone: Promise<void>[] = [];
    for (const oldest of entries.keys()) {
      if (total <= maxBytes || oldest === name) break;
      drop(oldest);
      gone.push(rm(join(folder, oldest), { force: true }).catch(() => {}));
    }
    await Promise.all(gone);
    // Written under another name and renamed, so that no reader sees an incomplete file.
    const draft = join(folder, `${name}.${randomId()}.draft`); // other machines may write the same file
    try {
      await writeFile(draft, bytes);
      await rename(draft, join(folder, name));
    } catch {
      drop(name);
      await rm(draft, { force: true }).catch(() => {});
    }
  }

  /** Marks a file as used that is served from memory. */
  function used(name: string): void {
    const entry = entries.get(name);
    if (entry) add(name, entry);
  }

  return { read, put, used };
}
