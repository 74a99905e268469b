import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** While a release goes out, pages of one build ask processes of another for their scripts; open pages go on asking for hours. */
const keptBuilds = 5;

/** Where the files of all builds lie below the shared folder. */
export const sharedFiles = (shared: string): string => join(shared, "files");

/**
 * Puts the assets of this build into the folder that all processes of the shop share, and takes out those that none of the newest builds has.
 * Names carry a hash of their content, so builds never disagree about a file. May run in several processes at once.
 */
export function shareAssets(assets: string, shared: string, version: string): void {
  const lists = join(shared, "builds");
  for (const folder of [sharedFiles(shared), lists]) mkdirSync(folder, { recursive: true });
  const names = filesIn(assets);
  for (const name of names) copyOnce(join(assets, name), join(sharedFiles(shared), name));
  writeFileSync(join(lists, `${version}.json`), JSON.stringify(names));
  utimesSync(join(lists, `${version}.json`), new Date(), new Date());

  const builds = readdirSync(lists)
    .map((name) => ({ path: join(lists, name), at: statSync(join(lists, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at);
  const kept = new Set(builds.slice(0, keptBuilds).flatMap(({ path }) => JSON.parse(readFileSync(path, "utf8")) as string[]));
  if (builds.length <= keptBuilds) return;
  for (const { path } of builds.slice(keptBuilds)) rmSync(path, { force: true });
  for (const name of filesIn(sharedFiles(shared))) if (!kept.has(name)) rmSync(join(sharedFiles(shared), name), { force: true });
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();

/** Whole or not at all: another process may be asked for it in the same moment. */
function copyOnce(from: string, to: string): void {
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  const part = `${to}.${process.pid}.part`;
  copyFileSync(from, part);
  renameSync(part, to);
}
