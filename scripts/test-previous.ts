/**
 * `npm run test:previous [-- <commit> [vitest arguments]]`: the service tests of the release before (`release/previous.ts`, or the named
 * commit) on the schema of this tree. What fails would fail during an update, while processes of the old release run on the new schema.
 * Without a named commit it is skipped when no migration is new. Tests that compare the schema with lists of the release are left out.
 */
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skip } from "./drill/stage/run.ts";
import { hasOtherMigrations, previousRelease } from "./release/previous.ts";

const root = join(import.meta.dirname, "..");
const [named, ...rest] = process.argv.slice(2);
const git = (...args: string[]) => spawnSync("git", args, { cwd: root, encoding: "utf8" });
const previous = named ?? previousRelease(root);
if (previous === null) {
  console.error("no tag and no db/migrations/previous-release: name the commit, npm run test:previous -- <commit>");
  process.exit(1);
}
if (named === undefined && !hasOtherMigrations(root, previous)) skip(`no migration is newer than the release before, ${previous}`);
const tree = join(mkdtempSync(join(tmpdir(), "chekan-previous-")), "tree");
const added = git("worktree", "add", "--detach", "--quiet", tree, previous);
if (added.status !== 0) {
  console.error(added.stderr.trim());
  process.exit(1);
}
symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
rmSync(join(tree, "db/migrations"), { recursive: true });
cpSync(join(root, "db/migrations"), join(tree, "db/migrations"), { recursive: true });
// A release that runs its migrations in one transaction builds these indexes there; the tables of a test are empty.
for (const path of globSync("*.sql", { cwd: join(tree, "db/migrations") }).map((name) => join(tree, "db/migrations", name)))
  writeFileSync(path, readFileSync(path, "utf8").replaceAll(/\bINDEX CONCURRENTLY\b/g, "INDEX"));
console.log(`service tests of ${previous} on the migrations of this tree`);
// A new column has no rule in the old release's copy for tests, a new table no row in its page of retention.
const omitted = ["--exclude", "src/main/staging/**", "--testNamePattern", "^(?!.*of the schema)"];
const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", "--project", "services", ...omitted, ...rest], {
  cwd: tree,
  stdio: "inherit",
});
git("worktree", "remove", "--force", tree);
process.exit(status ?? 1);
