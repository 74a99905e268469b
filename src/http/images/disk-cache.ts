import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Another process may write into the same folder; so often this one looks what is really there. */
const lookAroundMs = 10 * 60_000;
/** A file's time says when it was last used, to the hour: enough to choose what goes first after a restart. */
const touchMs = 60 * 60_000;

type Kept = { size: number; usedAt: number };

/**
 * Files named by the hash of what they hold, at most `mostBytes` in all: before one is written, those unused the longest go.
 * The folder may be emptied at any time, and a full disk costs the cache, never the picture.
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
      // A draft that nobody finished: its process is gone.
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
    note(name, { size: bytes.length, usedAt: now().getTime() }); // counted before it is written, so that two writers do not share one gap
    const gone: Promise<void>[] = [];
    for (const oldest of kept.keys()) {
      if (total <= mostBytes || oldest === name) break;
      forget(oldest);
      gone.push(rm(join(folder, oldest), { force: true }).catch(() => {}));
    }
    await Promise.all(gone);
    // Written beside and renamed, so that nobody reads half a file.
    const draft = join(folder, `${name}.${process.pid}.draft`);
    try {
      await writeFile(draft, bytes);
      await rename(draft, join(folder, name));
    } catch {
      forget(name);
      await rm(draft, { force: true }).catch(() => {});
    }
  }

  /** For what is served from memory and therefore not read here. */
  function used(name: string): void {
    const entry = kept.get(name);
    if (entry) note(name, entry);
  }

  return { read, put, used };
}
