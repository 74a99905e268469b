import { execFileSync } from "node:child_process";
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A small disk that can be filled up safely: a file system in memory. Null where mounting is not permitted. In the drills of a shop the
 * database's write-ahead log is elsewhere: only tables and caches run out of room.
 */
export function mountSmallDisk(megabytes = 400) {
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
    /** A folder on the disk that the owner of the database's data may write to. */
    tablesFor(dataFolder: string): string {
      const tables = join(folder, "tables");
      const { uid, gid } = statSync(dataFolder);
      mkdirSync(tables);
      chownSync(tables, uid, gid);
      return tables;
    },
    /** Fills the disk completely. */
    fill(): void {
      const piece = Buffer.alloc(1024 * 1024, 7);
      const file = openSync(filler, "w");
      try {
        for (;;) writeSync(file, piece);
      } catch {
        // full, as intended
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
