import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Log } from "#kit/log.ts";
import type { Config } from "../config.ts";

/** During a release, pages of one build load scripts from processes of another; open pages load them hours later. */
const maxBuilds = 5;

/** The folder that processes of this machine, and of others with a shared disk, have in common for the files of their builds. */
export const sharedAssetsFolder = ({ ASSETS_DIR, dataDir }: Pick<Config, "ASSETS_DIR" | "dataDir">): string =>
  ASSETS_DIR ?? join(dataDir, "assets");

/** Where the files of all builds are in the shared folder. */
export const sharedFiles = (shared: string): string => join(shared, "files");

/**
 * Copies the assets of this build into the folder that all processes share, and deletes files that none of the newest builds uses. Names
 * contain a hash of the content, or of all sources, so builds never write different content to one name. May run in several processes at
 * once.
 */
export function shareAssets(assets: string, shared: string, version: string): void {
  const lists = join(shared, "builds");
  for (const folder of [sharedFiles(shared), lists]) mkdirSync(folder, { recursive: true });
  const names = filesIn(assets);
  // The list first, and complete: a process of another build that tidies at the same moment must not delete what is being copied.
  const list = join(lists, `${version}.json`);
  writeFileSync(`${list}.${process.pid}.part`, JSON.stringify(names));
  renameSync(`${list}.${process.pid}.part`, list);
  for (const name of names) copyAtomically(join(assets, name), join(sharedFiles(shared), name));

  const builds = readdirSync(lists)
    .filter((name) => name.endsWith(".json"))
    .map((name) => ({ path: join(lists, name), at: statSync(join(lists, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at);
  const kept = new Set(builds.slice(0, maxBuilds).flatMap(({ path }) => listIn(path)));
  if (builds.length <= maxBuilds) return;
  for (const { path } of builds.slice(maxBuilds)) rmSync(path, { force: true });
  for (const name of filesIn(sharedFiles(shared))) if (!kept.has(name)) rmSync(join(sharedFiles(shared), name), { force: true });
}

/** A lost power may have left a list empty; its build writes it again at its next start. */
function listIn(path: string): string[] {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as string[];
  } catch {
    return [];
  }
}

/**
 * `shareAssets` at the start of a process. A full disk, or a shared folder that is away, must not keep the shop from serving: it is logged.
 * Returns the folder that has the assets of other builds.
 */
export function shareAssetsAtStart(
  log: Pick<Log, "warn">,
  { assets, shared, version }: Record<"assets" | "shared" | "version", string>,
): string {
  try {
    shareAssets(assets, shared, version);
  } catch (error) {
    log.warn({ err: error }, "the assets are not shared: pages of other builds may miss theirs");
    if (!isFolder(sharedFiles(shared))) return assets; // which has none of other builds
  }
  return shared;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();

/** Writes a file completely or not at all: another process may serve it at the same moment. */
function copyAtomically(from: string, to: string): void {
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  const part = `${to}.${process.pid}.part`;
  copyFileSync(from, part);
  renameSync(part, to);
}
