import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type LockEntry = {
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};
/** Entries of package-lock.json by their folder, `node_modules/pg`. */
export type Lock = Readonly<Record<string, LockEntry>>;

/** The packages of package-lock.json, without the project itself. */
export const readLock = (root: string): Lock => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { packages: Record<string, LockEntry> };
  return Object.fromEntries(Object.entries(packages).filter(([folder]) => folder !== ""));
};

/** `node_modules/a/node_modules/@b/c` → `@b/c`. */
export const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);

/** The folder in which Node finds the package `name` when the package in `from` imports it. */
function folderOf(lock: Lock, from: string, name: string): string | null {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf("/node_modules/")))) {
    const folder = `${base === "" ? "" : `${base}/`}node_modules/${name}`;
    if (lock[folder]) return folder;
    if (base === "") return null;
  }
}

/** Folders of these packages and of everything they need that is installed on this machine, sorted. */
export function closureOf(root: string, lock: Lock, names: readonly string[]): string[] {
  const found = new Set<string>();
  const open = names.map((name) => folderOf(lock, "", name));
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (folder === null || found.has(folder) || !existsSync(join(root, folder))) continue;
    found.add(folder);
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = lock[folder] ?? {};
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) open.push(folderOf(lock, folder, name));
  }
  return [...found].toSorted();
}
