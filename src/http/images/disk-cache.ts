import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Another process may write into the same folder; how often this one reads the folder again. */
const lookAroundMs = 10 * 60_000;
/** A file's time is its last use, to the hour: enough to choose what to delete after a restart. */
const touchMs = 60 * 60_000;

type Kept = { size: number; usedAt: number };

/**
 * Files named by the hash of their key, at most `mostBytes` in all: before a write the least recently used are deleted. The folder may be
 * emptied at any time. If the disk is full, the picture is served without being cached.
 */
export function createDiskCache({ folder, mostBytes, now }: { folder: string; mostBytes: number; now: () => Date }) {
  const kept = new Map<string, Kept>(); // in the order of use, oldest first
  let total = 0;
  let lookedAt = -Infinity;
  let looking: Promise<void> | null = null;

  function note(name: string, entry: Kept): void {
    forget(name);
    kept.set(name, entry);
    total += entry.size;
  }
  function forget(name: string): void {
    total -= kept.get(name)?.size ?? 0;
    kept.delete(name);
  }

  async function lookAround(): Promise<void> {
    await mkdir(folder, { recursive: true });
    const found: [string, Kept][] = [];
    for (const name of await readdir(folder)) {
      const file = await stat(join(folder, name)).catch(() => null);
      if (!file?.isFile()) continue;
      // An unfinished draft of a process that has ended.
      if (name.endsWith(".draft") && now().getTime() - file.mtimeMs > lookAroundMs) await rm(join(folder, name), { force: true });
      else if (!kept.has(name)) found.push([name, { size: file.size, usedAt: file.mtimeMs }]);
    }
    found.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    const known = [...kept];
    kept.clear();
    total = 0;
    for (const [name, entry] of [...found, ...known]) note(name, entry);
  }

  async function ready(): Promise<void> {
    if (now().getTime() - lookedAt < lookAroundMs) return looking ?? undefined;
    lookedAt = now().getTime();
    looking = lookAround()
      .catch(() => {})
      .finally(() => (looking = null));
    return looking;
  }

  async function read(name: string): Promise<Buffer | null> {
    const bytes = await readFile(join(folder, name)).catch(() => null);
    if (!bytes) {
      forget(name);
      return null;
    }
    const at = now();
    const before = kept.get(name);
    const isStale = !before || at.getTime() - before.usedAt > touchMs;
    note(name, { size: bytes.length, usedAt: isStale ? at.getTime() : before.usedAt });
    if (isStale) await utimes(join(folder, name), at, at).catch(() => {});
    return bytes;
  }

  async function put(name: string, bytes: Buffer): Promise<void> {
    await ready();
    if (bytes.length > mostBytes) return;
    // counted before the write, so that concurrent writers do not use the same room
    note(name, { size: bytes.length, usedAt: now().getTime() });
    const gone: Promise<void>[] = [];
    for (const oldest of kept.keys()) {
      if (total <= mostBytes || oldest === name) break;
      forget(oldest);
      gone.push(rm(join(folder, oldest), { force: true }).catch(() => {}));
    }
    await Promise.all(gone);
    // Written under another name and renamed, so that no reader sees an incomplete file.
    const draft = join(folder, `${name}.${process.pid}.draft`);
    try {
      await writeFile(draft, bytes);
      await rename(draft, join(folder, name));
    } catch {
      forget(name);
      await rm(draft, { force: true }).catch(() => {});
    }
  }

  /** Marks a file as used that is served from memory. */
  function used(name: string): void {
    const entry = kept.get(name);
    if (entry) note(name, entry);
  }

  return { read, put, used };
}
