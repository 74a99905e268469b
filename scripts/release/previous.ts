import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const git = (root: string, ...args: string[]) => spawnSync("git", args, { cwd: root, encoding: "utf8" });

/**
 * The release before: the last tag, or the commit in `db/migrations/previous-release` as long as there is no tag. Null: neither is there.
 */
export function previousRelease(root: string): string | null {
  const tag = git(root, "describe", "--tags", "--abbrev=0", "HEAD^").stdout.trim();
  if (tag !== "") return tag;
  const file = join(root, "db/migrations/previous-release");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : null;
}

/** Whether this tree, committed or not, has other migrations than `commit`. Throws when the commit is not in this clone. */
export function hasOtherMigrations(root: string, commit: string): boolean {
  const files = "db/migrations/*.sql";
  const changed = git(root, "diff", "--quiet", commit, "--", files);
  if (changed.status !== 0 && changed.status !== 1) throw new Error(changed.stderr.trim());
  return changed.status === 1 || git(root, "ls-files", "--others", "--exclude-standard", "--", files).stdout !== "";
}
