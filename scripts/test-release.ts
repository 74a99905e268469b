/**
 * `npm run test:release`: makes the release of the current commit twice, in two folders with other names, and compares the archives byte
 * for byte.
 */
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { say } from "./drill/stage/run.ts";
import { sha256Of } from "./release/signature.ts";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "chekan-twice-"));
const run = (cwd: string, program: string, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8", env: { ...process.env, RELEASE_KEY: "" } });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
};

const archives = ["one", "another-name"].map((name) => {
  const tree = join(folder, name);
  run(root, "git", "worktree", "add", "--detach", "--quiet", tree, "HEAD");
  try {
    cpSync(join(root, "node_modules"), join(tree, "node_modules"), { recursive: true, verbatimSymlinks: true });
    rmSync(join(tree, "node_modules/.cache"), { recursive: true, force: true });
    say(run(tree, process.execPath, "scripts/release.ts").trim());
    const [archive = ""] = globSync(join(tree, "build/release/*.tar.gz"));
    return { name: basename(archive), bytes: readFileSync(archive) };
  } finally {
    run(root, "git", "worktree", "remove", "--force", tree);
  }
});
rmSync(folder, { recursive: true, force: true });
const [one, two] = archives;
if (!one || !two || one.name !== two.name || !one.bytes.equals(two.bytes)) {
  console.error(`BROKEN  two releases of one commit differ: ${archives.map(({ bytes }) => sha256Of(bytes).slice(0, 12)).join(" and ")}`);
  process.exit(1);
}
say(`two releases of one commit are equal: ${sha256Of(one.bytes)}`);
say("passed");
