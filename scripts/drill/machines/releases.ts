import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { checksumLine, signatureOf } from "../../release/signature.ts";

const root = join(import.meta.dirname, "../../..");

/** The release of this tree, committed or not, unpacked below `folder`. Returns its own folder. */
export function unpackRelease(folder: string): string {
  const made = spawnSync(process.execPath, ["scripts/release.ts", "--unpacked", folder], { cwd: root, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`no release was made:\n${made.stderr}`);
  return made.stdout.trim();
}

/** A signed archive beside the unpacked release `at`. Quick compression: it is only moved within this machine. */
export function packRelease(at: string, privateKey: string): string {
  const path = `${at}.tar.gz`;
  const { status, stderr } = spawnSync("tar", ["--use-compress-program=gzip -1", "-cf", path, "-C", dirname(at), basename(at)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  const line = checksumLine(readFileSync(path), basename(path));
  writeFileSync(`${path}.sha256`, line);
  writeFileSync(`${path}.sha256.sig`, signatureOf(line, privateKey));
  return path;
}
