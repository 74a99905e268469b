import { execFileSync } from "node:child_process";
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const megabytes = 400;

/**
 * A disk that can be filled up without harm to this machine: a file system in memory. Null where we may not mount one.
 * The log of the database lies elsewhere, as it should: only tables and caches run out of room.
 */
export function mountSmallDisk() {
  const folder = mkdtempSync(join(tmpdir(), "chekan-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", folder], { stdio: "pipe" });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const filler = join(folder, "filler");
  return {
    folder,
    /** A folder on it that the owner of the database's data may write to. */
    tablesFor(dataFolder: string): string {
      const tables = join(folder, "tables");
      const { uid, gid } = statSync(dataFolder);
      mkdirSync(tables);
      chownSync(tables, uid, gid);
      return tables;
    },
    /** Takes every byte that is left. */
    fill(): void {
      const piece = Buffer.alloc(1024 * 1024, 7);
      const file = openSync(filler, "w");
      try {
        for (;;) writeSync(file, piece);
      } catch {
        // Full, which was the aim.
      } finally {
        closeSync(file);
      }
    },
    free: (): void => rmSync(filler, { force: true }),
    unmount(): void {
      execFileSync("umount", ["-l", folder], { stdio: "pipe" });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type SmallDisk = NonNullable<ReturnType<typeof mountSmallDisk>>;
