import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasOtherMigrations, previousRelease } from "./previous.ts";

/** A clone with one migration. */
function aClone() {
  const root = mkdtempSync(join(tmpdir(), "chekan-clone-"));
  const git = (...args: string[]): string =>
    spawnSync("git", ["-c", "user.name=test", "-c", "user.email=test@example.invalid", ...args], {
      cwd: root,
      encoding: "utf8",
    }).stdout.trim();
  const write = (name: string, text: string): void => writeFileSync(join(root, "db/migrations", name), text);
  const commit = (): string => {
    git("add", ".");
    git("commit", "--quiet", "--no-gpg-sign", "--allow-empty", "-m", "next");
    return git("rev-parse", "HEAD");
  };
  git("init", "--quiet");
  mkdirSync(join(root, "db/migrations"), { recursive: true });
  write("0001_first.sql", "select 1;");
  return { root, git, write, commit };
}

test("the release before is the last tag, and the commit that the file names while there is no tag", () => {
  const { root, git, write, commit } = aClone();
  const first = commit();
  expect(previousRelease(root)).toBeNull();
  write("previous-release", `${first}\n`);
  commit();
  expect(previousRelease(root)).toBe(first);
  git("tag", "v0.2.0");
  commit();
  expect(previousRelease(root)).toBe("v0.2.0");
});

test("a migration that is new, changed or not yet committed differs from the release before; other files do not", () => {
  const { root, git, write, commit } = aClone();
  const first = commit();
  write("previous-release", first);
  commit();
  expect(hasOtherMigrations(root, first)).toBe(false);
  write("0002_second.sql", "select 2;");
  expect(hasOtherMigrations(root, first)).toBe(true);
  const second = commit();
  expect([hasOtherMigrations(root, first), hasOtherMigrations(root, second)]).toEqual([true, false]);
  write("0001_first.sql", "select 3;");
  expect(hasOtherMigrations(root, second)).toBe(true);
  git("checkout", "--quiet", ".");
  expect(() => hasOtherMigrations(root, "f".repeat(40))).toThrow();
});

test("the file of this tree names a whole commit", () => {
  expect(readFileSync(join(import.meta.dirname, "../../db/migrations/previous-release"), "utf8")).toMatch(/^[0-9a-f]{40}\n$/);
});
